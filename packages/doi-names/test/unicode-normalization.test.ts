// Which text is compared in Normalization Form C, and which as it is, since it would take for ever.

import { describe, expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { normalized } from '../src/unicode-normalization.ts';

const ACUTE = '\u0301';
const DOT_BELOW = '\u0323';
/** In the order that NFC changes: the dot below goes first. */
const unsorted = (marks: number) => `q${(ACUTE + DOT_BELOW).repeat(Math.ceil(marks / 2)).slice(0, marks)}`;
const toNfc = (text: string) => normalized(text, 'NFC');
const isKept = (text: string) => toNfc(text) === text;

describe('text is normalized', () => {
  testTable([
    ['e\u0301', '\u00e9'],
    ['q\u0301\u0323', 'q\u0323\u0301'],
    ['\u212a', 'K'],
    ['10.1000/182', '10.1000/182'],
    ['', ''],
  ])('%j is %j', (text, inNfc) => {
    expect(toNfc(text)).toBe(inNfc);
  });

  testTable([
    ['one run of 255 marks', unsorted(255)],
    ['16 runs of 60 marks', unsorted(60).repeat(16)],
    ['a megabyte of runs of 32 marks', unsorted(32).repeat(16_000)],
    ['a megabyte of single marks', 'e\u0301'.repeat(350_000)],
  ])('with %s', (_, text) => {
    expect(toNfc(text)).toBe(text.normalize('NFC'));
    expect(isKept(text)).toBe(false);
  });
});

describe('text with absurd runs of marks is left as it is', () => {
  testTable([
    ['one run of 256', unsorted(256)],
    ['one run of a megabyte', unsorted(500_000)],
    [
      'a megabyte of two kinds of marks, one after the other',
      `q${ACUTE.repeat(250_000)}${DOT_BELOW.repeat(250_000)}`,
    ],
    ['two runs of 255', unsorted(255).repeat(2)],
    ['a megabyte of runs of 255', unsorted(255).repeat(2_000)],
    ['a megabyte of runs of 33', unsorted(33).repeat(15_000)],
    ['a run at the end', `${'a'.repeat(1_000_000)}${unsorted(256)}`],
    ['marks beyond the Basic Multilingual Plane', `q${'\u{1d165}\u{1d16d}\u0323'.repeat(200)}`],
  ])('every row', (_, text) => {
    expect(isKept(text)).toBe(true);
  });
});
