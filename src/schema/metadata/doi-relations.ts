// The field DOI.relations: related works, such as a preprint, a published version or a translation.

import { type Relation, type RelationKind, relationDoi } from '../../metadata/relations.ts';
import { mapSoon } from '../../time.ts';
import { builder, describedEnum } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { LOOK_UP_COST, lookUpField } from '../field-price.ts';
import { historyOf } from './doi-updates.ts';

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
