// What the fuzzer's generators are made of.

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
      const all = [
        before,
        before + other + cut + after,
        before + after,
        text + cut,
        before + cut + cut + after,
      ];
      return all[how] ?? '';
    });
