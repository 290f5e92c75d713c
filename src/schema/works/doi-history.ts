// The history of a work: the field DOI.updates, with notices such as a retraction, and the field DOI.relations.

import type { DoiName } from 'doi-names';
import type { MetadataAnswer } from '../../directory/directory.ts';
import { GatewayError } from '../../errors.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { agencyDoi } from '../../works/agency-json.ts';
import { CSL } from '../../works/metadata-format.ts';
import { type Relation, type RelationKind, relationDoi } from '../../works/relations.ts';
import {
  NOT_REPORTED,
  type Update,
  type UpdateKind,
  type UpdateOutcome,
} from '../../works/retractions-and-updates.ts';
import type { WorkHistory } from '../../works/work.ts';
import { builder, describedEnum } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { LOOK_UP_COST, lookUpField } from '../field-price.ts';
import { FETCHED_AT, PartialDateType, SHARED_METADATA_FIELD, STALE } from './doi-metadata.ts';

/** Agencies whose API reports updates and relations. Content negotiation reports neither. */
const REPORTING_AGENCIES: ReadonlySet<string | null> = new Set(['Crossref', 'DataCite']);

const NO_HISTORY: WorkHistory = Object.freeze({ updates: NOT_REPORTED, relations: Object.freeze([]) });

type DescribedHistory = WorkHistory & Pick<MetadataAnswer, 'source' | 'fetchedAt' | 'stale'>;

/**
 * The updates and relations of a work. Null if the agency has no metadata. Rejects if `Loaders.metadata` or `whichRa`
 * rejects. Rejects with METADATA_OFF if the gateway does not use the agency's API.
 */
function historyOf(name: DoiName, loaders: Loaders): Soon<DescribedHistory | null> {
  return mapSoon(loaders.metadata(name, CSL), ({ content, history, source, fetchedAt, stale }) => {
    if (content === null) return null;
    if (history !== undefined) return { ...history, source: history.source ?? source, fetchedAt, stale };
    return mapSoon(loaders.whichRa(name), ({ agency }) => {
      if (REPORTING_AGENCIES.has(agency)) throw withoutApi(agency);
      return { ...NO_HISTORY, source, fetchedAt, stale };
    });
  });
}

function withoutApi(agency: string | null): GatewayError {
  return new GatewayError('METADATA_OFF', {
    message: `This gateway does not use the API of ${agency}, which reports updates and relations. Its operator can turn it on with METADATA_API=yes.`,
  });
}

const UpdateOutcomeEnum = describedEnum<UpdateOutcome>(
  'UpdateOutcome',
  'The most serious notice about a work. A later notice never cancels a retraction. There is no Boolean `retracted`, because readers would think that false means "the work is reliable".',
  {
    CONTRADICTORY:
      'A source reports one notice as two kinds, such as a retraction and a correction. The gateway cannot know which kind is right: read the notices.',
    RETRACTED: 'The work is retracted.',
    REMOVED: 'The publisher removed the work.',
    WITHDRAWN: 'The work is withdrawn.',
    PARTLY_RETRACTED: 'A part of the work is retracted.',
    CONCERN: 'The publisher expressed concern about the work.',
    CORRECTED: 'There is a correction, corrigendum, erratum, addendum or clarification.',
    UPDATED: 'There is a new edition or version, or a notice of another kind.',
    NONE_RECORDED:
      'The agency reports updates, but no update of this work. This does not mean that the work is reliable.',
    NOT_REPORTED:
      'It is unknown: the agency never reports updates, or it returned the metadata of another work.',
  },
);

const UpdateKindEnum = describedEnum<UpdateKind>(
  'UpdateKind',
  'The kind of a notice: Crossref’s types of updates. `type` has the agency’s own word.',
  {
    RETRACTION: 'The work is retracted.',
    PARTIAL_RETRACTION: 'A part of the work is retracted.',
    WITHDRAWAL: 'The work is withdrawn. DataCite reports it by the date `Withdrawn`.',
    REMOVAL: 'The publisher removed the work.',
    EXPRESSION_OF_CONCERN: 'The publisher warns readers about the work.',
    CORRECTION: 'The work is corrected.',
    ERRATUM: 'A correction of an error that the publisher made.',
    CORRIGENDUM: 'A correction of an error that the authors made.',
    ADDENDUM: 'Something is added to the work.',
    CLARIFICATION: 'The notice explains something in the work.',
    NEW_EDITION: 'There is a new edition of the work.',
    NEW_VERSION: 'There is a new version. DataCite reports it by `IsObsoletedBy`.',
    OTHER: 'A kind that is not in this list: read `type`.',
  },
);

const DoiUpdateType = builder.objectRef<Update>('DOIUpdate');
const NoticedWorkType = builder.objectRef<Update>('NoticedWork');

DoiUpdateType.implement({
  description: 'A notice about a work, such as its retraction.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The DOI of the notice: `doi { name }` is `10.5555/invented.retraction`. Null if the agency gives no DOI.',
      resolve: ({ doi }) => doiOrNull(agencyDoi(doi)),
    }),
  }),
});

NoticedWorkType.implement({
  description: 'A work that a notice is about, such as a retracted work.',
  fields: (t) => ({
    work: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The work: `work { name }` is `10.5555/invented.retracted`. Null if the agency gives no DOI.',
      resolve: ({ doi }) => doiOrNull(agencyDoi(doi)),
    }),
  }),
});

for (const type of [DoiUpdateType, NoticedWorkType]) {
  builder.objectFields(type, (t) => ({
    kind: t.expose('kind', { type: UpdateKindEnum, description: 'The kind of the notice: RETRACTION.' }),
    type: t.exposeString('type', { description: "The agency's own word: `retraction`, `Withdrawn`." }),
    date: t.expose('date', {
      type: PartialDateType,
      nullable: true,
      description: 'The day of the notice: `date { text }` is `2021-03-02`. Null if unknown.',
    }),
    sources: t.exposeStringList('sources', {
      description: 'Who reported the notice: `publisher`, `retraction-watch`, `DataCite`.',
    }),
    recordIds: t.exposeStringList('recordIds', {
      description:
        'The number of the notice in the database of a source: `12345` for Retraction Watch. Mostly empty.',
    }),
  }));
}

const DoiUpdatesType = builder.objectRef<DescribedHistory>('DOIUpdates').implement({
  description: 'The notices about a work, such as its retraction, from its agency.',
  fields: (t) => ({
    outcome: t.field({
      type: UpdateOutcomeEnum,
      description:
        'The most serious notice: RETRACTED. NONE_RECORDED does not mean that the work is reliable.',
      resolve: ({ updates }) => updates.outcome,
    }),
    notices: t.field({
      type: [DoiUpdateType],
      description: 'The notices about this work. A notice that several sources report is one notice.',
      resolve: ({ updates }) => updates.notices,
    }),
    noticeOf: t.field({
      type: [NoticedWorkType],
      description:
        'If this work is itself a notice: the works that it is about, such as a retracted work. Empty for every other work.',
      resolve: ({ updates }) => updates.noticeOf,
    }),
    source: t.exposeString('source', {
      description:
        'The source: the label of the agency, such as `Crossref`. If the agency is unknown, the host that responded.',
    }),
    fetchedAt: t.field(FETCHED_AT),
    stale: t.exposeBoolean('stale', STALE),
  }),
});

builder.objectField(DoiType, 'updates', (t) =>
  t.field({
    type: DoiUpdatesType,
    ...SHARED_METADATA_FIELD,
    description:
      'Whether the work was retracted, corrected or replaced: `updates { outcome notices { kind date { text } doi { name } } }`. The field shares the look-up of `metadata`. Null without an error if the agency has no metadata. A failure is an error, never NONE_RECORDED.',
    resolve: ({ name }, _args, { loaders }) => historyOf(name, loaders),
  }),
);

const RelationKindEnum = describedEnum<RelationKind>(
  'RelationKind',
  'How another work relates to this work. `type` has the agency’s own word.',
  {
    HAS_PREPRINT: 'The other work is the preprint of this work.',
    IS_PREPRINT_OF: 'This work is a preprint. The other work is its published version.',
    HAS_VERSION: 'The other work is a version of this work.',
    IS_VERSION_OF: 'This work is a version of the other work.',
    IS_NEW_VERSION_OF: 'This work is a newer version of the other work.',
    IS_PREVIOUS_VERSION_OF: 'The other work is a newer version of this work.',
    REPLACES: 'This work replaces the other work.',
    IS_REPLACED_BY: 'The other work replaces this work.',
    IS_SAME_AS: 'Both names identify the same work.',
    HAS_TRANSLATION: 'The other work is a translation of this work.',
    IS_TRANSLATION_OF: 'This work is a translation of the other work.',
    HAS_REVIEW: 'The other work reviews this work.',
    IS_REVIEW_OF: 'This work is a review of the other work.',
    IS_SUPPLEMENTED_BY: 'The other work supplements this work, for example with its data.',
    IS_SUPPLEMENT_TO: 'This work supplements the other work.',
    HAS_PART: 'The other work is a part of this work.',
    IS_PART_OF: 'This work is a part of the other work.',
    OTHER: 'A relation that is not in this list: read `type`.',
  },
);

const DoiRelationType = builder.objectRef<Relation>('DOIRelation').implement({
  description: 'A relation to another work, from the agency. Citations and references are left out.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: RelationKindEnum,
      description: 'How the other work relates to this work: HAS_PREPRINT.',
    }),
    type: t.exposeString('type', { description: "The agency's own word: `has-preprint`, `IsPartOf`." }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description: 'The other work. Null if `identifier` is not a DOI.',
      resolve: (relation) => doiOrNull(relationDoi(relation)),
    }),
    identifier: t.exposeString('identifier', {
      description: 'The identifier as the agency writes it: `10.1000/182`, `arXiv:2101.00001`.',
    }),
    identifierType: t.exposeString('identifierType', {
      description: "The agency's own word: `doi`, `arXiv`, `URL`.",
    }),
    assertedBy: t.exposeString('assertedBy', {
      nullable: true,
      description:
        '`subject` if the metadata of this work states the relation, `object` if the metadata of the other work states it. Null if the agency does not say.',
    }),
  }),
});

builder.objectField(DoiType, 'relations', (t) =>
  t.field({
    type: [DoiRelationType],
    ...lookUpField(LOOK_UP_COST, 5),
    description:
      'Related works: `relations(kinds: [HAS_PREPRINT, IS_PREPRINT_OF]) { kind doi { name } }`. The field shares the look-up of `metadata`. Null without an error if the agency has no metadata. Empty if the agency reports no relation.',
    args: {
      kinds: t.arg({
        type: [RelationKindEnum],
        description: 'Only relations of these kinds: `[HAS_PREPRINT]`. Default: all kinds.',
      }),
    },
    resolve: ({ name }, { kinds }, { loaders }) =>
      mapSoon(historyOf(name, loaders), (history) => {
        if (history === null) return null;
        const wanted = kinds == null ? null : new Set<RelationKind>(kinds);
        return history.relations.filter(({ kind }) => wanted === null || wanted.has(kind));
      }),
  }),
);
