// Texts that make careless readers slow: one unit, repeated, with an end that does not fit.

/** One character of each class, alternations, brackets that stay open, escapes, and the beginnings of names and markup. */
const UNITS = [
  ...['a', 'Z', '7', ' ', '\n', '\t', ',', '.', '-', '/', '%', '&', '<', '>', '(', '[', '{', '"', "'", '\\', '#', '@'],
  ...['é', 'ж', '漢', '\u0301', '\u200B', '\u{1F600}', '\uD800', '\u00A0', '\u0000'],
  ...['a-', 'a.', 'a ', '1.', 'a\n', 'a, ', ' ,;', '. \n', 'жa', 'a\u0301', 'é́\u0323', 'Ã¼', '$a', ' and ', '"a","'],
  ...['10.', '10.1000/', '10.1000/a ', 'doi:', 'https://doi.org/', '%31', '%2F', '%E2%82', '10.%31'],
  ...['<i>', '<i> ', '</i>', '<i>a</i>', '<i a="', '<mml:math> ', '<!--', '&lt;', '&lt;i ', '&amp;', '&#1', ']]>'],
  ...['\\"{o}', '{\\_}', '\\textless', '@a{b,\n', '@a{b,c="', '1. A\n', '[1] ', '](', '(10.1/', 'CO;2-', '{a,b', '*-'],
];

/** Each text has `length` UTF-16 units, or a few more. The last character of every second text fits no run. */
export function hostileTexts(length: number): readonly string[] {
  return UNITS.flatMap((unit) => {
    const text = unit.repeat(length / unit.length);
    return [text, `${text}x\u0001`];
  });
}
