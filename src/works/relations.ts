// Reads the works to which a work is related: versions, preprints, translations.

import type { DoiName } from 'doi-names';
import { foldBasicLatin } from 'doi-names/parts';
import { freezeJson } from '../handle/json.ts';
import { agencyDoi, listOf, members, word } from './agency-json.ts';

export const RELATION_KINDS = [
  'HAS_PREPRINT',
  'IS_PREPRINT_OF',
  'HAS_VERSION',
  'IS_VERSION_OF',
  'IS_NEW_VERSION_OF',
  'IS_PREVIOUS_VERSION_OF',
  'REPLACES',
  'IS_REPLACED_BY',
  'IS_SAME_AS',
  'HAS_TRANSLATION',
  'IS_TRANSLATION_OF',
  'HAS_REVIEW',
  'IS_REVIEW_OF',
  'IS_SUPPLEMENTED_BY',
  'IS_SUPPLEMENT_TO',
  'HAS_PART',
  'IS_PART_OF',
  'OTHER',
] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export interface Relation {
  readonly kind: RelationKind;
  /** the agency's own word: `is-preprint-of`, `IsNewVersionOf` */
  readonly type: string;
  /** as the agency writes it: `10.5555/12345678`, `arXiv:2101.00001` */
  readonly identifier: string;
  /** the agency's own word: `doi`, `arXiv`, `URL` */
  readonly identifierType: string;
  /** whose metadata states the relation: `subject` is this work, `object` is the other work; null if unknown */
  readonly assertedBy: string | null;
}

/** The words of Crossref and DataCite, in lower case and without hyphens: `haspreprint`. */
const KINDS: ReadonlyMap<string, RelationKind> = new Map([
  ...RELATION_KINDS.map((kind) => [kind.replaceAll('_', '').toLowerCase(), kind] as const),
  // These words differ from the name of their kind.
  ['obsoletes', 'REPLACES'],
  ['isobsoletedby', 'IS_REPLACED_BY'],
  ['isidenticalto', 'IS_SAME_AS'],
  ['isreviewedby', 'HAS_REVIEW'],
  ['reviews', 'IS_REVIEW_OF'],
]);

/** The words for citations. `readRelation` leaves citations out. */
const CITATIONS: ReadonlySet<string> = new Set(['cites', 'iscitedby', 'references', 'isreferencedby']);

/** At most this many relations of a work are kept. Some data sets list tens of thousands of parts. */
export const MAX_RELATIONS = 10_000;

/** Reads `relation` of an item of Crossref's REST API. Frozen, in the order of the agency. Never throws. */
export function readCrossrefRelations(item: unknown): readonly Relation[] {
  return collectRelations(function* () {
    for (const [type, targets] of Object.entries(members(members(item)['relation']))) {
      for (const target of listOf(targets)) {
        const { id, 'id-type': idType, 'asserted-by': assertedBy } = members(target);
        yield readRelation(type, id, idType, assertedBy);
      }
    }
  });
}

/** Reads `relatedIdentifiers` of a DataCite record. Frozen, in the order of the agency. Never throws. */
export function readDataciteRelations(attributes: unknown): readonly Relation[] {
  return collectRelations(function* () {
    for (const related of listOf(members(attributes)['relatedIdentifiers'])) {
      const { relationType, relatedIdentifier, relatedIdentifierType } = members(related);
      yield readRelation(relationType, relatedIdentifier, relatedIdentifierType, null);
    }
  });
}

/** Keeps the first of several entries for one relation: Crossref lists a relation for each work that states it. */
function collectRelations(read: () => Iterable<Relation | null>): readonly Relation[] {
  const all = new Map<string, Relation>();
  for (const item of read()) {
    if (all.size === MAX_RELATIONS) break;
    if (item === null) continue;
    const key = keyOf(item);
    if (!all.has(key)) all.set(key, item);
  }
  return freezeJson([...all.values()]);
}

function keyOf(relation: Relation): string {
  const { kind, type, identifier, identifierType } = relation;
  const kindOrWord = kind === 'OTHER' ? type.toLowerCase() : kind;
  const target = relationDoi(relation) ?? identifier;
  return JSON.stringify([kindOrWord, identifierType.toLowerCase(), foldBasicLatin(target)]);
}

/** Null for a citation, and if the type or the identifier is missing. */
function readRelation(type: unknown, id: unknown, idType: unknown, assertedBy: unknown): Relation | null {
  const [typeWord, identifier] = [word(type), word(id)];
  if (typeWord === null || identifier === null) return null;
  const plainWord = typeWord.replaceAll('-', '').toLowerCase();
  if (CITATIONS.has(plainWord)) return null;
  return {
    kind: KINDS.get(plainWord) ?? 'OTHER',
    type: typeWord,
    identifier,
    identifierType: word(idType) ?? '',
    assertedBy: word(assertedBy),
  };
}

/** The DOI of the related work. Null if the identifier has another type or is not a DOI name. */
export function relationDoi({ identifier, identifierType }: Relation): DoiName | null {
  return identifierType.toLowerCase() === 'doi' ? agencyDoi(identifier) : null;
}
