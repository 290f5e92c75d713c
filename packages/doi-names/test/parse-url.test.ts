// The host, path, query and fragment of the URL of a proxy.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

const codeOf = (input: string) => parseDoi(input).problem?.code;
const nameIn = (input: string) => parseDoi(input).name;

testTable([
  ['HTTP://DX.DOI.ORG/10.1000/1', 'URL'],
  ['www.doi.org/10.1000/1', 'URL'],
  ['doi.org:8080/10.1000/1', 'URL'],
  ['//dx.doi.org:80/10.1000/1', 'URL'],
  ['https://doi.org/api/handles/10.1000/1', 'URL'],
  ['https://doi.org/doiRA/10.1000/1', 'URL'],
  ['https://doi.org/ra/10.1000/1', 'URL'],
  ['https://doi.org/DOI:10.1000/1', 'URL'],
  ['https://doi.org/info:doi/10.1000/1', 'URL'],
  ['https://doi.org/api/handles/doi:10.1000/1', 'URL'],
  ['https://doi.org/doiRA/info:doi/10.1000/1', 'URL'],
  ['https://doi.org///doi:10.1000/1', 'URL'],
  ['https://doi.org//api///handles//10.1000/1', 'URL'],
  ['https://doi.org/DOIRA//10.1000/1', 'URL'],
  ['DOI: http://dx.doi.org/10.1000/1', 'URL'],
  ['doi:doi.org/10.1000/1', 'URL'],
  ['doi: //doi.org/10.1000/1', 'URL'],
  // Hosts of the proxies of libraries.
  ['http://dx-doi-org.proxy.example.ac.uk:2048/10.1000/1', 'URL'],
  ['HTTPS://WWW-DOI-ORG.LIB.EXAMPLE/10.1000/1', 'URL'],
  ['doi.org.proxy.example.edu/10.1000/1', 'URL'],
  ['//dx.doi.org.proxy-1.example.edu//10.1000/1?x=1#y', 'URL'],
  ['https://www.doi.org.example/doi:10.1000/1', 'URL'],
  ['https://hdl-handle-net.proxy.example.edu/10.1000/1', 'HANDLE_URI'],
  ['hdl.handle.net:8000/10.1000/1', 'HANDLE_URI'],
  ['https://hdl.handle.net/api/handles/10.1000/1', 'HANDLE_URI'],
  ['https://hdl.handle.net/hdl:10.1000/1', 'HANDLE_URI'],
  ['https://doi.org/api/handles//INFO:HDL/10.1000/1', 'HANDLE_URI'],
  ['doi:https://hdl.handle.net/10.1000/1', 'HANDLE_URI'],
  ['https://doi.org/api/handles/HDL:10.1000/1', 'HANDLE_URI'],
  ['https://doi.org/urn:hdl:10.1000:1', 'URN'],
  ['https://doi.org/doiRA/urn:doi:10.1000:1', 'URN'],
  // "doi:" and "info:doi/" say that the name is a DOI name.
  ['https://hdl.handle.net/doi:10.1000/1', 'URL'],
  ['https://hdl.handle.net/info:doi/10.1000/1', 'URL'],
])('host and path decide the form', (input, form) => {
  expect(parseDoi(input)).toMatchObject({ name: '10.1000/1', form, problem: null });
});

testTable([
  'https://doi.orgx/10.1000/1',
  'https://doi.org./10.1000/1',
  'https://user@doi.org/10.1000/1',
  'https://doi.org:port/10.1000/1',
  'https://doi.org:80:80/10.1000/1',
  'ftp://doi.org/10.1000/1',
  'https:/doi.org/10.1000/1',
  '///doi.org/10.1000/1',
  'https://doi.org',
  'https://doi.org/?10.1000/1',
  'https://doi.org#10.1000/1',
  'https://doi.org/doi:/10.1000/1',
  // Hosts that only resemble the proxy of a library.
  'https://doi-org/10.1000/1',
  'https://doi-org../10.1000/1',
  'https://dx.doi-org.example.edu/10.1000/1',
  'https://dx-doi.org.example.edu/10.1000/1',
  'https://evil.doi.org.example.edu/10.1000/1',
  'https://doi-organic.example.edu/10.1000/1',
  'https://user@doi-org.example.edu/10.1000/1',
  'https://doi.org@evil.example/10.1000/1',
  'https://doi.org:80@evil.example/10.1000/1',
  'https://doi.org.example.edu.:443/10.1000/1',
  `https://doi.org.${'a'.repeat(64)}.edu/10.1000/1`,
  'https://login.example.edu/login?url=https://doi.org/10.1000/1',
])('a URL with another host, or without a name as its path, is NOT_A_DOI', (input) => {
  expect(codeOf(input)).toBe('NOT_A_DOI');
});

testTable([
  '10.1000/../x',
  '10.1000/./x',
  '10.1000/a/..',
  '10.1000//x',
  '10.1000/a/../../..',
  '10.1000/a\\b c',
])('dot segments, double slashes, backslashes and spaces of a name stay', (name) => {
  for (const path of ['', '/', 'api/handles/']) expect(nameIn(`https://doi.org/${path}${name}`)).toBe(name);
});

describe('the query of a URL', () => {
  testTable<[query: string, parameters: [name: string, value: string | null][]]>([
    [
      'type=URL&noredirect&type=EMAIL&urlappend=%3Fa%3Db%26c&empty=&%6cocatt=a=b',
      [
        ['type', 'URL'],
        ['noredirect', null],
        ['type', 'EMAIL'],
        ['urlappend', '?a=b&c'],
        ['empty', ''],
        ['locatt', 'a=b'],
      ],
    ],
    [
      'a+b=c+d&x=100%&y=%zz',
      [
        ['a+b', 'c+d'],
        ['x', '100%'],
        ['y', '%zz'],
      ],
    ],
    [
      '&a&&=b&',
      [
        ['a', null],
        ['', 'b'],
      ],
    ],
    ['a=b?c#d', [['a', 'b?c']]],
    ['', []],
    ['#?a=b', []],
  ])('is a list of decoded parameters in their order', (query, parameters) => {
    const expected = parameters.map(([name, value]) => ({ name, value }));
    expect(parseDoi(`https://doi.org/10.1000/1?${query}`).proxyParameters).toEqual(expected);
  });

  testTable([
    ['10.1000/1#a%20b?c#d', 'a%20b?c#d'],
    ['10.1000/1#', ''],
    ['10.1000/1', null],
    ['10.1000/1?a=b?c#d', 'd'],
    ['10.1000/1#?a=b', '?a=b'],
  ])('ends at the first "#", which begins the raw fragment', (path, fragment) => {
    expect(parseDoi(`https://doi.org/${path}`)).toMatchObject({ name: '10.1000/1', fragment });
  });

  testTable(['urn:doi:10.1000:1', 'hdl:10.1000/1', 'doi:10.1000/1', 'api/handles/10.1000/1', 'abcde'])(
    'is read for every path, even if the path has no DOI name',
    (path) => {
      expect(parseDoi(`https://doi.org/${path}?cert#top`)).toMatchObject({
        name: path === 'abcde' ? null : '10.1000/1',
        proxyParameters: [{ name: 'cert', value: null }],
        fragment: 'top',
      });
    },
  );
});

describe('a Which RA URL', () => {
  testTable(['doiRA', 'ra', 'doira'])(
    'has only one name, and the commas of the name must be encoded',
    (path) => {
      expect(nameIn(`https://doi.org/${path}/10.1000/a%2Cb`)).toBe('10.1000/a,b');
      const input = `https://doi.org/${path}/10.1000/a,10.1000/b`;
      expect(parseDoi(input).problem).toMatchObject({ code: 'NOT_A_DOI', position: input.indexOf(',') });
      expect(codeOf(`https://doi.org/${path}/urn:doi:10.1000:a,10.1000/b`)).toBe('NOT_A_DOI');
    },
  );

  test('is the only URL in which a comma divides names', () => {
    expect(nameIn('https://doi.org/10.1000/a,b')).toBe('10.1000/a,b');
    expect(nameIn('https://doi.org/api/handles/10.1000/a,b')).toBe('10.1000/a,b');
    expect(nameIn('https://doi.org/doiRA/10.1000/a?type=a,b#c,d')).toBe('10.1000/a');
  });
});
