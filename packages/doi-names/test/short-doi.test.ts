import { expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import { readShortDoi } from '../src/read-handle.ts';

testTable([
  ['10/AbC9', '10/AbC9'],
  [' 10/abcde\n', '10/abcde'],
  ['<10/abcde>', '10/abcde'],
  ['https://doi.org/abcde', '10/abcde'],
  ['https://doi.org/10/abcde', '10/abcde'],
  ['https://doi.org/10%2Fabcde', '10/abcde'],
  ['https://doi.org//abcde', '10/abcde'],
  ['https://doi.org/ra', '10/ra'],
  ['http://dx.doi.org/abcde?noredirect#x', '10/abcde'],
  ['//doi.org:80/abcde', '10/abcde'],
  ['https://doi-org.proxy.example.edu/abcde', '10/abcde'],
  ['doi.org/abcde', '10/abcde'],
  ['www.doi.org/abcde', '10/abcde'],
  ['https://hdl.handle.net/10/abcde', '10/abcde'],
  ['doi:10/abcde', '10/abcde'],
  ['hdl:10/abcde', '10/abcde'],
  ['info:doi/10/abcde', '10/abcde'],
  ['urn:doi:10:abcde', '10/abcde'],
])('a shortDOI is read, and is not a DOI name', (input, handle) => {
  expect(readShortDoi(input)).toBe(handle);
  expect(parseDoi(input).problem).toMatchObject({
    code: 'SHORT_DOI',
    message: expect.stringMatching(/shortDOI.*Query shortDoi\(input: "/),
    position: null,
  });
});

testTable(['10/b5-x', '10/', '10/abc/de', '10/abc%zz'])(
  'a shortDOI with other characters is not read',
  (input) => {
    expect(readShortDoi(input)).toBeNull();
    expect(parseDoi(input).problem?.code).toBe('SHORT_DOI');
  },
);

testTable([
  ...['', ' ', '10', '10.1000/182', 'doi:10.1000/182', 'ab', 'abcdefghijk', 'abc de'],
  ...['abcdé', '11/abcde', '10/\ud800', 'doi:abcde', 'https://hdl.handle.net/abcde'],
  ...['https://doi.org/', 'https://doi.org/ab-cde', 'https://doi.org/doi:abcde', 'https://example.org/abcde'],
])('other texts are not shortDOIs', (input) => {
  expect(readShortDoi(input)).toBeNull();
  expect(parseDoi(input).problem?.code).not.toBe('SHORT_DOI');
});

test('a code without "10/" is read only where a shortDOI is expected', () => {
  expect(readShortDoi('abcde')).toBe('10/abcde');
  expect(parseDoi('abcde').problem?.code).toBe('NOT_A_DOI');
});
