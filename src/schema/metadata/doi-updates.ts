// What became of the work of a DOI name: retracted, corrected, replaced.

import type { MetadataAnswer } from '../../directory/directory.ts';
import type { DoiName } from '../../doi/name.ts';
import { GatewayError } from '../../errors.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import { agencyDoi } from '../../metadata/agency-json.ts';
import { CSL } from '../../metadata/metadata-format.ts';
import {
  NOT_REPORTED,
  type Update,
  type UpdateKind,
  type UpdateOutcome,
  type Updates,
} from '../../metadata/updates.ts';
import type { WorkHistory } from '../../metadata/work-history.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { builder } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { PartialDateType, SHARED_METADATA_FIELD } from './doi-metadata.ts';

/** Agencies with an API that reports histories. Content negotiation leaves a history out. */
const REPORTING_AGENCIES: ReadonlySet<string | null> = new Set(['Crossref', 'DataCite']);

const NO_HISTORY: WorkHistory = Object.freeze({ updates: NOT_REPORTED, relations: Object.freeze([]) });

export type DescribedHistory = WorkHistory & Pick<MetadataAnswer, 'source' | 'fetchedAt' | 'stale'>;

/** Null if the agency has no metadata. Fails as `Loaders.metadata` and `whichRa` do, METADATA_OFF included. */
export function historyOf(name: DoiName, loaders: Loaders): Soon<DescribedHistory | null> {
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

const UpdateOutcomeEnum = builder.enumType('UpdateOutcome', {
  description:
    'The gravest of the notices about a work. A later notice never clears a retraction. There is no Boolean `retracted`: false would read as sound.',
  values: {
    CONTRADICTORY: {
      description:
        'One record of one source has two kinds, such as a retraction and a correction: nothing says which holds. Read the notices.',
    },
    RETRACTED: { description: 'The work is retracted.' },
    REMOVED: { description: 'The publisher removed the work.' },
    WITHDRAWN: { description: 'The work is withdrawn.' },
    PARTLY_RETRACTED: { description: 'A part of the work is retracted.' },
    CONCERN: { description: 'The publisher expressed concern about the work.' },
    CORRECTED: {
      description: 'There is a correction, corrigendum, erratum, addendum or clarification.',
    },
    UPDATED: { description: 'There is a new edition or version, or a notice of another kind.' },
    NONE_RECORDED: {
      description:
        'The agency reports updates, and has none for this work. That does not mean that the work is sound.',
    },
    NOT_REPORTED: {
      description: 'The agency reports none at all, or its answer is about another work.',
    },
  } as const satisfies Record<UpdateOutcome, { description: string }>,
});

const UpdateKindEnum = builder.enumType('UpdateKind', {
  description: 'The kind of a notice: Crossref’s types of updates. `type` has the agency’s own word.',
  values: {
    RETRACTION: { description: 'The work is retracted.' },
    PARTIAL_RETRACTION: { description: 'A part of the work is retracted.' },
    WITHDRAWAL: { description: 'The work is withdrawn; at DataCite, the date `Withdrawn`.' },
    REMOVAL: { description: 'The work is no longer at its publisher.' },
    EXPRESSION_OF_CONCERN: { description: 'The publisher warns of the work.' },
    CORRECTION: { description: 'The work is corrected.' },
    ERRATUM: { description: 'A correction of an error that the publisher made.' },
    CORRIGENDUM: { description: 'A correction of an error that the authors made.' },
    ADDENDUM: { description: 'Something is added to the work.' },
    CLARIFICATION: { description: 'Something in the work is made clear.' },
    NEW_EDITION: { description: 'There is a new edition of the work.' },
    NEW_VERSION: { description: 'There is a new version; at DataCite, `IsObsoletedBy`.' },
    OTHER: { description: 'A kind that is not in this list: read `type`.' },
  } as const satisfies Record<UpdateKind, { description: string }>,
});

const DoiUpdateType = builder.objectRef<Update>('DOIUpdate').implement({
  description: 'A notice about a work, such as its retraction.',
  fields: (t) => ({
    kind: t.expose('kind', { type: UpdateKindEnum, description: 'The kind of the notice: RETRACTION.' }),
    type: t.exposeString('type', { description: "The agency's own word: `retraction`, `Withdrawn`." }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The DOI of the notice: `doi { name }` is `10.5555/invented.retraction`. In `isNoticeFor`, the DOI of the work that it is about. Null where the agency gives none.',
      resolve: ({ doi }) => doiOrNull(agencyDoi(doi)),
    }),
    date: t.field({
      type: PartialDateType,
      nullable: true,
      description: 'The day of the notice: `date { text }` is `2021-03-02`. Null where it is not known.',
      resolve: ({ date }) => date,
    }),
    sources: t.stringList({
      description: 'Who reported it: `publisher`, `retraction-watch`, `DataCite`.',
      resolve: ({ sources }) => [...sources],
    }),
    recordIds: t.stringList({
      description: 'The numbers of the records of the sources: `12345` of Retraction Watch. Mostly empty.',
      resolve: ({ recordIds }) => [...recordIds],
    }),
  }),
});

const ofUpdates =
  <Value>(read: (updates: Updates) => Value) =>
  ({ updates }: DescribedHistory): Value =>
    read(updates);

const DoiUpdatesType = builder.objectRef<DescribedHistory>('DOIUpdates').implement({
  description: 'What became of a work, as its agency reports it.',
  fields: (t) => ({
    outcome: t.field({
      type: UpdateOutcomeEnum,
      description:
        'The gravest of the notices: RETRACTED. NONE_RECORDED does not mean that the work is sound.',
      resolve: ofUpdates(({ outcome }) => outcome),
    }),
    notices: t.field({
      type: [DoiUpdateType],
      description: 'The notices about this work. A notice that several sources report is one notice.',
      resolve: ofUpdates(({ notices }) => [...notices]),
    }),
    isNoticeFor: t.field({
      type: [DoiUpdateType],
      description:
        'The works that this work is a notice for: a retraction notice has the work that it retracts.',
      resolve: ofUpdates(({ isNoticeFor }) => [...isNoticeFor]),
    }),
    source: t.exposeString('source', {
      description: 'Who says so: the label of the agency, `Crossref`, else the host that answered.',
    }),
    fetchedAt: t.field({
      type: 'DateTime',
      description: 'When the agency gave this answer. In the past where it comes from the cache.',
      resolve: ({ fetchedAt }) => new Date(fetchedAt).toISOString(),
    }),
    stale: t.exposeBoolean('stale', {
      description: 'More than a day old, because the agency did not answer in time.',
    }),
  }),
});

builder.objectField(DoiType, 'updates', (t) =>
  t.field({
    type: DoiUpdatesType,
    nullable: true,
    ...SHARED_METADATA_FIELD,
    description:
      'What became of the work: `updates { outcome notices { kind date { text } doi { name } } }`. The same look-up as `metadata`. Null without an error if the agency has no metadata; a failure is an error, never NONE_RECORDED.',
    resolve: ({ name }, _args, { loaders }) => historyOf(name, loaders),
  }),
);
