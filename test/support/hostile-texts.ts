// Texts that make careless parsers slow: one unit, repeated, with an end that does not fit.

/** One character of each class, alternations, brackets that stay open, escapes, and the beginnings of names and markup. */
const UNITS = [
  ...[
    'a',
    '7',
    ' ',
    '\n',
    ',',
    '.',
    '-',
    '/',
    '&',
    '<',
    '(',
    '[',
    '{',
    '"',
    '\\',
    'ж',
    '漢',
    '\u0301',
    '\u{1F600}',
  ],
  ...['a-', 'a. ', ' ,;', 'жa', 'Ã¼', '$$a', ' and ', '10.', '10.1000/a ', '%2F', '%31'],
  ...['<i>', '</i>', '<i a="', '<mml:math> ', '&lt;i ', '&amp;', '\\"{o}', '@a{b,c="', '](', 'CO;2-'],
];

/** Each text has `length` UTF-16 units, or a few more. Its last characters fit no run. */
export function hostileTexts(length: number): readonly string[] {
  return UNITS.map((unit) => `${unit.repeat(length / unit.length)}x\u0001`);
}
