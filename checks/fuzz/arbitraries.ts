// Generators that several files of the fuzzer share.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';

/** The words of a text. */
export const words = (text: string): readonly string[] => text.split(' ');
/** Chooses one of the words of a text. A word that the text repeats is chosen more often. */
export const wordFrom = (text: string): fc.Arbitrary<string> => fc.constantFrom(...words(text));

/** One of several arbitraries, in proportion to their weights. */
export function weighted<Values extends readonly unknown[]>(
  ...choices: { [At in keyof Values]: readonly [number, fc.Arbitrary<Values[At]>] }
): fc.Arbitrary<Values[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Changes, removes or repeats a part of a text. */
export const damaged = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.nat(4), fc.nat(10_000), fc.nat(30), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([text, how, position, length, other]) => {
      const at = position % (text.length + 1);
      const [before, cut, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
      const ways = [before, before + other + cut + after, before + after, text + cut];
      return ways[how] ?? before + cut + cut + after;
    });

/** Values of JSON that have another type, range or form than the gateway expects. */
const ODD_PARTS: readonly unknown[] = [
  ...[0, 1, 7, -1, 2 ** 31, 1.5, 1e308, '1', '07', '', 'x', 'é'.repeat(50), '\ud800', null, true, undefined],
  ...[[], [[]], {}, ['T'], { en: 'T' }, { _: 'T' }, { raw: '2020-W05' }, { literal: 'forthcoming' }],
  ...['2040-01-01T00:00:00Z', '2040-366T24', '2020-W05-3T10:00:00,1-02:30', '2020-07', '1'.repeat(40)],
];
export const oddParts: fc.Arbitrary<unknown> = weighted(
  [4, fc.constantFrom(...ODD_PARTS)],
  [1, fc.jsonValue()],
);

/** Removes or replaces up to `count` parts of a JSON value. */
export const mutated = (values: fc.Arbitrary<unknown>, count = 4, parts = oddParts): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.array(fc.tuple(fc.nat(1_000_000), parts), { minLength: 1, maxLength: count }))
    .map(([value, changes]) =>
      changes.reduce((json, [position, part]) => withPart(json, position, part), value),
    );

/** Replaces one part of a JSON value. `position` selects a member, and whether the member or a part of it is replaced. */
function withPart(json: unknown, position: number, part: unknown): unknown {
  if (typeof json !== 'object' || json === null) return part;
  const members = Object.entries(json);
  const [key, member] = members[position % members.length] ?? [];
  if (key === undefined) return part;
  const rest = Math.floor(position / members.length);
  const changed = rest % 3 === 0 ? part : withPart(member, Math.floor(rest / 3), part);
  return Array.isArray(json) ? json.with(Number(key), changed) : { ...json, [key]: changed };
}

const hard = readFileSync(new URL('../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

const ODD_NAMES = [
  ...words(
    '0.NA/10.5555 10.5555 10.SERV/CROSSREF 10/abcde 10.5555/ 10.5555/. 10.5555/../.. 10.5555/a/./b// 10.5555/a,b 10.5555/%00',
  ),
  ...['10.5555/\u0000', '10.5555/\u2028é🜚', '10.5555/\ud800', ''],
  ...words('10.5555/<script>alert(1)</script> 10.5555/__proto__ constructor nonsense'),
];

/** The number of numbered names in a run. It is so large that the cache holds some of them, but not all. */
const NUMBERED = 2_000;

/** Names that the fuzzer requests. Only the seed and the name decide the response of the directory. */
export const names: fc.Arbitrary<string> = weighted(
  [8, fc.nat(NUMBERED - 1).map((n) => `10.5555/f${n}`)],
  [1, fc.constantFrom(...hard)],
  [2, fc.constantFrom(...ODD_NAMES)],
  [1, fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `10.5555/${text}`)],
);

/** Names as people type or store them. */
export const spellings: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', 'doi:', 'https://doi.org/', 'http://dx.doi.org/', 'info:doi/', 'urn:doi:', ' <'),
    names,
    fc.constantFrom('', '', '', '?locatt=id:1', '#top', '>', ' '),
  )
  .map((parts) => parts.join(''));
