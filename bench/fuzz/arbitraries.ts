// What the fuzzer's generators are made of.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';

/** The words of a text. One that comes twice is chosen twice as often. */
export const words = (text: string): readonly string[] => text.split(' ');

/** One of several arbitraries, each as often as its weight says. */
export function weighted<Values extends readonly unknown[]>(
  ...choices: { [At in keyof Values]: readonly [number, fc.Arbitrary<Values[At]>] }
): fc.Arbitrary<Values[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** A text of which something was changed, taken out or said twice. */
export const damaged = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.nat(4), fc.nat(10_000), fc.nat(30), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([text, how, place, length, other]) => {
      const at = place % (text.length + 1);
      const [before, cut, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
      const ways = [before, before + other + cut + after, before + after, text + cut];
      return ways[how] ?? before + cut + cut + after;
    });

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

/** Names that the fuzzer requests. The seed and the name alone decide what becomes of one. */
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
