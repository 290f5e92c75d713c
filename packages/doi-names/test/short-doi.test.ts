// What is read as a shortDOI, and what is not.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import { readShortDoi } from '../src/read-handle.ts';

describe('a shortDOI', () => {
  testTable([
    ['10/abcde', '10/abcde'],
    ['abcde', '10/abcde'],
    ['10/AbC9', '10/AbC9'],
    [' 10/abcde\n', '10/abcde'],
    ['<10/abcde>', '10/abcde'],
    ['https://doi.org/abcde', '10/abcde'],
    ['https://doi.org/10/abcde', '10/abcde'],
    ['https://doi.org/10%2Fabcde', '10/abcde'],
    ['http://dx.doi.org/abcde?noredirect#x', '10/abcde'],
    ['doi.org/abcde', '10/abcde'],
    ['www.doi.org/abcde', '10/abcde'],
    ['https://hdl.handle.net/10/abcde', '10/abcde'],
    ['doi:10/abcde', '10/abcde'],
    ['hdl:10/abcde', '10/abcde'],
    ['urn:doi:10:abcde', '10/abcde'],
  ])('is read from %j', (input, handle) => {
    expect(readShortDoi(input)).toBe(handle);
  });

  testTable([
    '',
    ' ',
    '10/',
    '10',
    '10/abc-de',
    '10/abc/de',
    '10.1000/182',
    'doi:10.1000/182',
    'doi:abcde',
    'ab',
    'abcdefghijk',
    'abc de',
    'abcdé',
    '11/abcde',
    'https://hdl.handle.net/abcde',
    'https://example.org/abcde',
    'https://doi.org/',
    '10/abc%zz',
    '10/\ud800',
  ])('is not %j', (input) => {
    expect(readShortDoi(input)).toBeNull();
  });

  test('is all that parseDoi tells to be one, where its code is letters and digits', () => {
    for (const input of ['10/abcde', 'https://doi.org/abcde', 'doi:10/abcde', 'www.doi.org/abcde']) {
      expect(parseDoi(input).problem).toMatchObject({
        code: 'SHORT_DOI',
        message: expect.stringContaining('Query shortDoi(input: "'),
      });
      expect(readShortDoi(input)).not.toBeNull();
    }
  });
});
