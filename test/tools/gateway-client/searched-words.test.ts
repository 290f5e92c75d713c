// The gateway searches for the work of a reference with the searched words of the reference.

import { findDois, referenceAround } from 'doi-names/parts';
import { expect, test } from 'vitest';
import {
  referenceKey,
  searchedWords,
  searchedWordsAround,
} from '../../../src/tools/gateway-client/searched-words.ts';

const SENTENCE = 'Berger, A. (2012). Reliability of pumps in alpine villages. Journal of Pumps, 57, 978–991.';
const BIBTEX = `@article{berger,
  author = {Berger, Ada},
  doi = {10.5555/invented},
  title = {Reliability of {Pumps} in Alpine Villages},
  journal = {Journal of Pumps}, volume = 57, pages = {978--991},
  year = 2012
}
`;
const RIS = `TY  - JOUR
AU  - Berger, Ada
DO  - 10.5555/invented
TI  - Reliability of Pumps in Alpine Villages
JO  - Journal of Pumps
VL  - 57
SP  - 978
EP  - 991
PY  - 2012
ER  - 
`;

test('the searched words of a record are a sentence, also around a DOI in the record', () => {
  const expected = SENTENCE.replace('pumps in alpine villages', 'Pumps in Alpine Villages');
  for (const record of [BIBTEX, RIS]) {
    const [place] = findDois(record);
    expect(searchedWords(record), record).toBe(`${expected} https://doi.org/10.5555/invented`);
    expect(place && searchedWordsAround(referenceAround(record, place).text), record).toBe(expected);
  }
});

test('the searched words of an incomplete record come from the complete fields', () => {
  const cut = `${BIBTEX.slice(0, BIBTEX.indexOf('  year'))}  abstract = {${'long '.repeat(3_000)}`;
  expect(searchedWords(cut)).toContain('Berger, A. Reliability of Pumps in Alpine Villages');
});

test('the searched words of an item are one line without markup', () => {
  expect(searchedWords(`<b>Berger</b>, A. (2012). *Reliability of pumps in alpine vil-\nlages*.`)).toContain(
    'Reliability of pumps in alpine villages',
  );
});

test('a text has no searched words if it has too few letters, or is prose around a DOI', () => {
  expect(searchedWords('Berger 2012')).toBeNull();
  expect(searchedWords('@misc{key, note = {A note without a title, from 2012}}')).toBeNull();
  expect(searchedWordsAround('The pumps in the alpine villages were repaired, see')).toBeNull();
});

test('the key of a reference does not depend on spaces, punctuation and capital letters', () => {
  expect(referenceKey(SENTENCE)).toMatch(/^sha256:[0-9a-f]{16}$/);
  expect(referenceKey(SENTENCE.toUpperCase().replaceAll(' ', '\n').replaceAll('.', ''))).toBe(
    referenceKey(SENTENCE),
  );
  expect(referenceKey(SENTENCE.replace('2012', '2013'))).not.toBe(referenceKey(SENTENCE));
});
