// Warnings about legal names that other software changes or misreads.

import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { type DoiWarningCode, doiWarnings } from '../src/warnings.ts';

const warningsOf = (name: string) => doiWarnings(doiName(name), lookalikes);

testTable(['10.1000/182', '10.1000/日本語', '10.1000/É', '10.1000/ab/c', '10.1000/a...b', '10.1000/100%'])(
  'a usual name has no warnings',
  (name) => {
    expect(warningsOf(name)).toEqual([]);
  },
);

testTable<[DoiWarningCode, name: string, position: number, repaired: string | null]>([
  // The second code point is a slash (Z39.84-2000).
  ['RESERVED_SUFFIX', '10.1000/a/b', 9, null],
  ['RESERVED_SUFFIX', '10.1000.10/a/b', 12, null],
  ['RESERVED_SUFFIX', '10.1000/日/b', 9, null],
  ['RESERVED_SUFFIX', '10.1000/😀/b', 10, null],
  ['RESERVED_SUFFIX', '10.1000///b', 9, null],
  ['TRAILING_SLASH', '10.1000/demo_DOI/', 16, '10.1000/demo_DOI'],
  ['TRAILING_SLASH', '10.1000/ab//', 11, '10.1000/ab'],
  ['TRAILING_SLASH', '10.1000//', 8, null],
  // Parsers of URLs remove dot segments.
  ['DOT_SEGMENT', '10.1000/.', 8, null],
  ['DOT_SEGMENT', '10.1000/..', 8, null],
  ['DOT_SEGMENT', '10.1000/ab/./c', 11, null],
  ['DOT_SEGMENT', '10.1000/ab/../c', 11, null],
  ['DOT_SEGMENT', '10.1000/ab/..', 11, null],
  ['DOT_SEGMENT', '10.1000/ab/.c/../.', 14, null],
  // Software that normalizes text changes such a name.
  ['NOT_NFC', '10.1000/xye\u0301z', 10, '10.1000/xy\u00e9z'],
  ['NOT_NFC', '10.1000/😀e\u0301', 10, '10.1000/😀\u00e9'],
  ['NOT_NFC', '10.1000/q\u0307\u0323', 9, '10.1000/q\u0323\u0307'],
  ['NOT_NFC', '10.1000/\u212a', 8, '10.1000/K'],
  ['NOT_NFC', '10.1000/a\u0958', 9, '10.1000/a\u0915\u093c'],
  ['NOT_NFC', '10.1000/a\u1100\u1161', 9, '10.1000/a\uac00'],
  ['LOOKS_PERCENT_ENCODED', '10.1000/%41', 8, '10.1000/A'],
  ['LOOKS_PERCENT_ENCODED', '10.1000/a%%zz%2f%2F', 13, null],
  ['LOOKS_PERCENT_ENCODED', '10.1000/%C3', 8, null],
  ['LOOKS_PERCENT_ENCODED', '10.1000/%00', 8, null],
])(
  'a warning has the position of the first character at fault and the repaired name',
  (code, name, position, repaired) => {
    const warnings = warningsOf(name);
    expect(warnings).toContainEqual(expect.objectContaining({ code, position, repaired }));
    // A dot can also be punctuation, and a character that is not NFC can imitate ASCII.
    if (code !== 'DOT_SEGMENT' && code !== 'NOT_NFC') expect(warnings).toHaveLength(1);
  },
);

testTable<[DoiWarningCode, name: string]>([
  ['RESERVED_SUFFIX', '10.1000//b'],
  ['RESERVED_SUFFIX', '10.1000/😀😀/b'],
  ['RESERVED_SUFFIX', '10.1000/e\u0302\u0301/b'],
  ['DOT_SEGMENT', '10.1000/...'],
  ['DOT_SEGMENT', '10.1000/ab/.c'],
  ['DOT_SEGMENT', '10.1000/ab/c.'],
  ['DOT_SEGMENT', '10.1000/ab/.../c'],
  ['DOT_SEGMENT', '10.1000/ab/. /c'],
  ['NOT_NFC', '10.1000/q\u0323\u0307'],
  ['NOT_NFC', '10.1000/\ufb01'],
  ['NOT_NFC', '10.1000/\u0301'],
])('names that only resemble a case have no warning', (code, name) => {
  expect(warningsOf(name).map((warning) => warning.code)).not.toContain(code);
});

describe('several warnings', () => {
  test('come in the order of the contract, each code once', () => {
    const warnings = warningsOf('10.1000/./e\u0301/%41/%42/e\u0301/../');
    expect(warnings.map(({ code, position }) => [code, position])).toEqual([
      ['RESERVED_SUFFIX', 9],
      ['TRAILING_SLASH', 26],
      ['DOT_SEGMENT', 8],
      ['NOT_NFC', 10],
      ['LOOKS_PERCENT_ENCODED', 13],
    ]);
  });

  test('are frozen and have a message', () => {
    for (const warning of warningsOf('10.1000/./e\u0301/%41/')) {
      expect(warning.message).toMatch(/^.{20,}\.$/);
      expect(Object.isFrozen(warning)).toBe(true);
    }
  });
});
