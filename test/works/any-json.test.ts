// No JSON of an agency makes a reader throw. The results are frozen, plain JSON.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CROSSREF_FIELDS, readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readCslDetails } from '../../src/works/csl-details.ts';
import { DATACITE_FIELDS, readDataciteWork } from '../../src/works/datacite-work.ts';
import { readCrossrefRelations, readDataciteRelations } from '../../src/works/relations.ts';
import { readCrossrefUpdates, readDataciteUpdates } from '../../src/works/retractions-and-updates.ts';
import { readWork } from '../../src/works/work.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

const NAME = doiName('10.5555/work');
type Json = Readonly<Record<string, unknown>>;

const CROSSREF_MEMBERS = [
  ...CROSSREF_FIELDS,
  'given',
  'family',
  'date-parts',
  'has-part',
  'id',
  'type',
  'updated',
];
const DATACITE_MEMBERS = [
  ...[...DATACITE_FIELDS, 'name', 'title', 'date', 'dateType', 'nameIdentifiers', 'relationType'],
  'relatedIdentifier',
];
const CSL_MEMBERS = [
  'title',
  'author',
  'editor',
  'issued',
  'container-title',
  'publisher',
  'type',
  'page',
  'language',
];

/** Random JSON. Its members often have a name that the reader knows. */
function jsonWith(members: readonly string[]): fc.Arbitrary<Json> {
  const names = fc.constantFrom(...members);
  const { nested } = fc.letrec((tie) => ({
    nested: fc.oneof(fc.jsonValue(), fc.array(tie('nested')), fc.dictionary(names, tie('nested'))),
  }));
  return fc.oneof(fc.dictionary(names, nested), fc.jsonValue() as fc.Arbitrary<Json>);
}

testTable<[members: readonly string[], read: (json: Json) => object]>([
  [CROSSREF_MEMBERS, (json) => readCrossrefWork({ ...json, DOI: NAME }, NAME)],
  [CROSSREF_MEMBERS, readCrossrefRelations],
  [CROSSREF_MEMBERS, (json) => readCrossrefUpdates({ ...json, DOI: NAME }, NAME)],
  [
    DATACITE_MEMBERS,
    (json) =>
      readDataciteWork({ id: NAME, attributes: { ...json, doi: NAME, state: 'findable' } }, NAME) ??
      expect.fail('the work is left out'),
  ],
  [DATACITE_MEMBERS, readDataciteRelations],
  [DATACITE_MEMBERS, (json) => readDataciteUpdates({ ...json, doi: NAME }, NAME)],
])('any JSON is read as frozen, plain JSON', (members, read) => {
  fc.assert(
    fc.property(jsonWith(members), (json) => {
      const result = read(json);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      const parts = 'csl' in result ? Object.values(result) : [result];
      expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

test('any CSL is read as texts that are not empty, or null', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...CSL_MEMBERS), fc.jsonValue()), (csl) => {
      readCslDetails(csl);
      const { creators, issued, ...texts } = readWork(csl);
      for (const text of Object.values(texts)) {
        expect(text === null || (typeof text === 'string' && text.trim() !== '')).toBe(true);
      }
      for (const { name } of creators) expect(name.trim()).not.toBe('');
      if (issued) expect(issued.text).toMatch(/^-?\d{4}(?:-\d\d(?:-\d\d)?)?$/);
    }),
  );
});
