// Names that the fuzzer asks for. What becomes of one is told by the seed and the name alone.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { weighted, words } from './arbitraries.ts';

const hard = readFileSync(new URL('../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

const ODD = [
  ...words(
    '0.NA/10.5555 10.5555 10.SERV/CROSSREF 10/abcde 10.5555/ 10.5555/. 10.5555/../.. 10.5555/a/./b// 10.5555/a,b 10.5555/%00',
  ),
  '10.5555/\u0000',
  '10.5555/\u2028é🜚',
  '10.5555/\ud800',
  ...words('10.5555/<script>alert(1)</script> 10.5555/__proto__ constructor nonsense'),
  '',
];

/** How many names of their own a run asks for: enough that the cache neither knows all nor none. */
const NUMBERED = 2_000;

const numbered = fc.nat(NUMBERED - 1).map((n) => `10.5555/f${n}`);

export const names: fc.Arbitrary<string> = weighted(
  [8, numbered],
  [1, fc.constantFrom(...hard)],
  [2, fc.constantFrom(...ODD)],
  [1, fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `10.5555/${text}`)],
);

/** What one may type or store for a name. */
export const spellings: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', 'doi:', 'https://doi.org/', 'http://dx.doi.org/', 'info:doi/', 'urn:doi:', ' <'),
    names,
    fc.constantFrom('', '', '', '?locatt=id:1', '#top', '>', ' '),
  )
  .map((parts) => parts.join(''));
