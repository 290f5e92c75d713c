// What is left of a text when something goes wrong with it.

import fc from 'fast-check';

/** A text of which something was changed, taken out or said twice. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.nat(4), fc.nat(10_000), fc.nat(30), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([text, how, place, length, other]) => {
      const at = place % (text.length + 1);
      const [before, cut, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
      return (
        [before, before + other + cut + after, before + after, text + cut, before + cut + cut + after][how] ??
        ''
      );
    });
}
