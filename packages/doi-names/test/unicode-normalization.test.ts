// Text is compared in Normalization Form C. Text with very long runs of combining marks is not normalized.

import { expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { normalized } from '../src/unicode-normalization.ts';

const ACUTE = '\u0301';
const DOT_BELOW = '\u0323';
/** NFC changes the order of the marks: the dot below comes first. */
const unsorted = (marks: number) => `q${(ACUTE + DOT_BELOW).repeat(Math.ceil(marks / 2)).slice(0, marks)}`;

testTable([
  ['a letter and a mark', 'e\u0301'],
  ['a singleton', '\u212a'],
  ['one run of 255 marks', unsorted(255)],
  ['16 runs of 60 marks', unsorted(60).repeat(16)],
  ['a megabyte of runs of 32 marks', unsorted(32).repeat(16_000)],
  ['a megabyte of single marks', 'e\u0301'.repeat(350_000)],
])('usual text is normalized', (_, text) => {
  expect(normalized(text, 'NFC')).toBe(text.normalize('NFC'));
  expect(normalized(text, 'NFC')).not.toBe(text);
});

testTable([
  ['one run of 256', unsorted(256)],
  ['one run of a megabyte', unsorted(500_000)],
  ['two kinds of marks, one after the other', `q${ACUTE.repeat(250_000)}${DOT_BELOW.repeat(250_000)}`],
  ['two runs of 255', unsorted(255).repeat(2)],
  ['a megabyte of runs of 33', unsorted(33).repeat(15_000)],
  ['a run at the end', `${'a'.repeat(1_000_000)}${unsorted(256)}`],
  ['marks beyond the Basic Multilingual Plane', `q${'\u{1d165}\u{1d16d}\u0323'.repeat(200)}`],
])('text with very long runs of marks stays unchanged', (_, text) => {
  expect(normalized(text, 'NFC')).toBe(text);
});
