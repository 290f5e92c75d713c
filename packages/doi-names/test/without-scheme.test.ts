// The scheme that a path of the REST face may have before its name.

import { describe, expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { withoutScheme } from '../src/recognise.ts';

describe('a scheme is taken off', () => {
  testTable(['doi:', 'hdl:', 'info:doi/', 'info:hdl/', 'DOI:', 'Hdl:', 'INFO:HDL/'])(
    'every row',
    (scheme) => {
      expect(withoutScheme(`${scheme}10.1000/a:b%2Fc`)).toBe('10.1000/a:b%2Fc');
    },
  );

  testTable(['urn:doi:', 'urn:hdl:', 'URN:DOI:'])(
    '%s, and the first colon before any slash divides',
    (scheme) => {
      expect(withoutScheme(`${scheme}10.1000:a:b/c`)).toBe('10.1000/a:b/c');
      expect(withoutScheme(`${scheme}10.1000/a:b`)).toBe('10.1000/a:b');
      expect(withoutScheme(`${scheme}10.1000%3Aa`)).toBe('10.1000%3Aa');
      expect(withoutScheme(scheme)).toBe('');
    },
  );
});

describe('everything else stays', () => {
  testTable(['10.1000/1', '', 'doi', 'urn:10.1000:1', 'info:10.1000/1', 'xdoi:10.1000/1', '%64oi:10.1000/1'])(
    '%j',
    (path) => {
      expect(withoutScheme(path)).toBe(path);
    },
  );

  testTable([
    ['doi: 10.1000/1', ' 10.1000/1'],
    ['doi:doi:10.1000/1', 'doi:10.1000/1'],
    ['doi:https://doi.org/10.1000/1', 'https://doi.org/10.1000/1'],
    ['info:hdl/(10.1000/1)', '(10.1000/1)'],
    ['doi:10.1000/1?a#b', '10.1000/1?a#b'],
  ])('also of %j behind its scheme', (path, name) => {
    expect(withoutScheme(path)).toBe(name);
  });
});
