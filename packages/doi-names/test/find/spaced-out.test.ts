// Names with stray spaces, as in the text of a PDF.

import { expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { DoiFinder } from '../../src/find/doi-finder.ts';
import { findDois } from '../../src/find/find-dois.ts';

testTable([
  ['https : / / doi.org / 10 .1109 /V LHCC.20 04.20', '10.1109/VLHCC.2004.20'],
  ['http: //d x.doi. org/ 10.1016/j.cell .2020.01. 001', '10.1016/j.cell.2020.01.001'],
  ['doi: 10 .1000 / 1 82', '10.1000/182'],
  ['DOI:1 0.1 000/ABC ', '10.1000/ABC'],
])('a name with stray spaces is found and repaired, with its offsets', (written, name) => {
  for (const [before, behind] of [
    ['', ''],
    ['A title. ', '.\nNext 10.1000/1 x'],
    ['(2004) ', '\r\n'],
  ]) {
    const text = before + written + behind;
    const [match] = findDois(text);
    expect(match).toMatchObject({ name, text: written.trimEnd(), repaired: true });
    expect(text.slice(match?.start, match?.end)).toBe(match?.text);
  }
});

testTable([
  ['a single space, which can also follow a label or end a line', 'doi: 10.1000/182 2004', ['10.1000/182']],
  ['no label', '10 . 1109 / V LHCC', []],
  ['another word', 'doi : 1 0 .1000/1 82 and more', []],
  ['a sentence that begins', 'doi : 1 0 .1000/1 82. Then', []],
  ['a bracket', 'doi : 1 0 .1000/1 82 (2004)', []],
  ['a comma', 'doi : 1 0 .1000/1 82, 5', []],
  ['a long line', `doi : 1 0 .1000/1${' 8'.repeat(200)}`, []],
  ['markup behind it', 'doi : 1 0 .1000/1 82</p>', []],
])('the finder removes no spaces in other texts', (_, text, names) => {
  expect(findDois(text).map(({ name }) => name)).toEqual(names);
});

test('the same names are found wherever the text is divided', () => {
  const line = 'doi . org / 10 .1000 / 1 82';
  for (const text of [`${line}${' '.repeat(2_000)}x`, `${line}\n${'y'.repeat(2_000)}`]) {
    for (let at = 0; at < 400; at += 1) {
      const finder = new DoiFinder();
      const found = [...finder.add(text.slice(0, at)), ...finder.add(text.slice(at)), ...finder.end()];
      expect(found.map(({ name, start }) => ({ name, start }))).toEqual(
        findDois(text).map(({ name, start }) => ({ name, start })),
      );
    }
  }
});
