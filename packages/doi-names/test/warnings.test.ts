// What is legal in a DOI name and still warned of, and where in the name.

import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { doiWarnings } from '../src/warnings.ts';

function warningsOf(text: string): [code: string, position: number | null][] {
  return doiWarnings(doiName(text), lookalikes).map(({ code, position }) => [code, position]);
}

describe('a name without peculiarities', () => {
  testTable(['10.1000/182', '10.1000/日本語', '10.1000/É', '10.1000/ab/c', '10.1000/a...b', '10.1000/100%'])(
    '%s has no warnings',
    (text) => {
      expect(warningsOf(text)).toEqual([]);
    },
  );
});

describe('RESERVED_SUFFIX: the second code point is a slash (Z39.84-2000)', () => {
  testTable([
    ['10.1000/a/b', 9],
    ['10.1000.10/a/b', 12],
    ['10.1000/日/b', 9],
    ['10.1000/😀/b', 10],
    ['10.1000///b', 9],
  ])('every row', (text, position) => {
    expect(warningsOf(text)).toEqual([['RESERVED_SUFFIX', position]]);
  });

  testTable(['10.1000/ab/c', '10.1000//b', '10.1000/😀😀/b', '10.1000/a', '10.1000/e\u0302\u0301/b'])(
    'not: %s',
    (text) => {
      expect(warningsOf(text).map(([code]) => code)).not.toContain('RESERVED_SUFFIX');
    },
  );
});

describe('TRAILING_SLASH', () => {
  testTable([
    ['10.1000/demo_DOI/', 16],
    ['10.1000//', 8],
    ['10.1000/ab//', 11],
  ])('every row', (text, position) => {
    expect(warningsOf(text)).toEqual([['TRAILING_SLASH', position]]);
  });
});

describe('DOT_SEGMENT: URL parsers collapse it', () => {
  testTable([
    ['10.1000/.', 8],
    ['10.1000/..', 8],
    ['10.1000/ab/./c', 11],
    ['10.1000/ab/../c', 11],
    ['10.1000/ab/..', 11],
    ['10.1000/ab/.c/../.', 14],
  ])('%s, at the first', (text, position) => {
    expect(warningsOf(text)).toContainEqual(['DOT_SEGMENT', position]);
  });

  testTable(['10.1000/...', '10.1000/ab/.c', '10.1000/ab/c.', '10.1000/ab/.../c', '10.1000/ab/. /c'])(
    'not: %s',
    (text) => {
      expect(warningsOf(text).map(([code]) => code)).not.toContain('DOT_SEGMENT');
    },
  );
});

describe('NOT_NFC: software that normalizes turns it into another name', () => {
  testTable([
    ['a combining accent', '10.1000/xye\u0301z', 10],
    ['after an astral character', '10.1000/😀e\u0301', 10],
    ['marks in another order', '10.1000/q\u0307\u0323', 9],
    ['a singleton', '10.1000/\u212a', 8],
    ['a composition exclusion', '10.1000/a\u0958', 9],
    ['conjoining jamo', '10.1000/a\u1100\u1161', 9],
  ])('every row', (_, text, position) => {
    expect(warningsOf(text)).toContainEqual(['NOT_NFC', position]);
  });

  testTable(['10.1000/q\u0323\u0307', '10.1000/\ufb01', '10.1000/\u0301', '10.1000/가'])(
    'not: %s',
    (text) => {
      expect(warningsOf(text).map(([code]) => code)).not.toContain('NOT_NFC');
    },
  );
});

describe('LOOKS_PERCENT_ENCODED', () => {
  testTable([
    ['10.1000/%41', 8],
    ['10.1000/a%%zz%2f%2F', 13],
    ['10.1000/%C3', 8],
  ])('%s, at the first triplet', (text, position) => {
    expect(warningsOf(text)).toEqual([['LOOKS_PERCENT_ENCODED', position]]);
  });
});

describe('several', () => {
  test('come once a kind, in the order of the contract', () => {
    expect(warningsOf('10.1000/./e\u0301/%41/%42/e\u0301/../')).toEqual([
      ['RESERVED_SUFFIX', 9],
      ['TRAILING_SLASH', 26],
      ['DOT_SEGMENT', 8],
      ['NOT_NFC', 10],
      ['LOOKS_PERCENT_ENCODED', 13],
    ]);
  });

  test('are frozen, and each says something', () => {
    for (const warning of doiWarnings(doiName('10.1000/./e\u0301/%41/'), lookalikes)) {
      expect(warning.message).toMatch(/^.{20,}\.$/);
      expect(Object.isFrozen(warning)).toBe(true);
    }
  });
});
