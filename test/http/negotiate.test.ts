// The type and the coding of a response, chosen by the headers of its request.

import { expect, test } from 'vitest';
import {
  acceptedData,
  locationQuery,
  preferredEncoding,
  preferredType,
} from '../../src/http/response/negotiate.ts';
import { createHttpRequest } from '../support/http-request.ts';
import { testTable } from '../support/test-table.ts';

const OFFERED = ['application/json', 'text/html'] as const;

const requestWith = (name: string, value?: string) =>
  createHttpRequest('/', { headers: value === undefined ? {} : { [name]: value } });
const typeFor = (accept?: string) => preferredType(requestWith('accept', accept), OFFERED);
const encodingFor = (accepted?: string) => preferredEncoding(requestWith('accept-encoding', accepted));
const dataFor = (accept?: string) =>
  acceptedData(requestWith('accept', accept))?.map(({ type }) => type) ?? null;

testTable([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'text/html'],
  ['TEXT/HTML', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/json, text/html;q=0.5', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json;charset="UTF-8";q=0.5, text/html;charset=utf-8', 'text/html'],
  ['application/json; charset=iso-8859-1', null],
  ['text/html;q=0.4, application/json;q=0.3', 'text/html'],
  ['text/html;q=0', null],
  ['image/png', null],
  ['', null],
  ['nonsense', null],
])('the type for Accept %s is %s, in a first and in a second call', (accept, type) => {
  expect([typeFor(accept), typeFor(accept)]).toEqual([type, type]);
});

test('the type depends on the offered types, also if the header was read before', () => {
  const request = requestWith('accept', 'text/html, application/json;q=0.5');
  expect(preferredType(request, OFFERED)).toBe('text/html');
  expect(preferredType(request, ['application/json'])).toBe('application/json');
  expect(preferredType(request, ['image/png'])).toBeNull();
});

testTable([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip, br;q=0.5', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['*', 'br'],
  ['zstd', 'identity'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*;q=0, identity', 'identity'],
  ['identity;q=0, *;q=0', 'identity'],
])('the coding for Accept-Encoding %s is %s, in a first and in a second call', (accepted, encoding) => {
  expect([encodingFor(accepted), encodingFor(accepted)]).toEqual([encoding, encoding]);
});

testTable([
  undefined,
  '*/*',
  // Chrome, Edge and Opera; Firefox; Safari; Internet Explorer 11; images, audio and video in pages
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8',
  'text/html, application/xhtml+xml, image/jxr, */*',
  'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  'video/webm,video/ogg,video/*;q=0.9,application/ogg;q=0.7,audio/*;q=0.6,*/*;q=0.5',
  // axios; Java's HttpURLConnection; Android's WebView; lynx; w3m
  'application/json, text/plain, */*',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01',
  'text/html, text/*;q=0.5, image/*, application/*, video/*, audio/*',
  'application/pdf',
  'text/xhtml',
  'image/png;q=1.5, application/json',
  'application/x-bibtex, text/html',
  'application/*, application/json;q=0.9',
  'application/json;q=0',
  'application/json;q=0.8, */*',
  'application/xhtml+xml',
  ';;;,,,',
  'text/*',
  'nonsense',
  '',
])('a client with the Accept header %s counts as a person', (accept) => {
  expect(dataFor(accept)).toBeNull();
});

testTable<[string, readonly string[]]>([
  ['application/json', ['application/json']],
  ['Application/X-BibTeX; charset=utf-8', ['application/x-bibtex']],
  ['text/x-bibliography; style = apa; locale = en-US', ['text/x-bibliography']],
  ['text/turtle;q=0.5, a/b;q=0.9, c/d;q=0.9', ['a/b', 'c/d', 'text/turtle']],
  ['text/turtle;q=1, */*;q=0.1, a/b;q=0.05', ['text/turtle']],
  ['text/html;q=0.9, application/ld+json', ['application/ld+json', 'text/html']],
  ['text/html, application/json;q=2', ['application/json', 'text/html']],
  ['text/html;q=0.5, application/json;q=x', ['application/json', 'text/html']],
  ['a/b;q=0.5, c/d;q=0', ['a/b']],
  ['a/b;x="c,d/e";q=0.5', ['a/b']],
  [
    'application/vnd.datacite.datacite+json, application/vnd.crossref.unixref+xml, application/vnd.citationstyles.csl+json',
    [
      'application/vnd.datacite.datacite+json',
      'application/vnd.crossref.unixref+xml',
      'application/vnd.citationstyles.csl+json',
    ],
  ],
])('a client with the Accept header %s counts as a program with the types %j', (accept, types) => {
  expect([dataFor(accept), dataFor(accept)]).toEqual([types, types]);
});

test('an accepted type has its parameters', () => {
  const accept = 'text/x-bibliography; Style = apa;locale="de-DE"; q=0.7';
  const [first] = acceptedData(requestWith('accept', accept)) ?? [];
  expect([...(first?.parameters ?? [])]).toEqual([
    ['style', 'apa'],
    ['locale', 'de-DE'],
    ['q', '0.7'],
  ]);
});

testTable([
  'text/html,'.repeat(1_500),
  'a/b;q=0.1,'.repeat(1_500),
  `text/html;${'a=b;'.repeat(3_700)}`,
  '*/*,'.repeat(3_700),
  'br,'.repeat(5_000),
  ','.repeat(900),
  'a,'.repeat(400),
  '"'.repeat(15_000),
  `text/html${' '.repeat(15_000)}`,
])('a header that is too long is ignored: %s', (header) => {
  expect(typeFor(header)).toBe('application/json');
  expect(dataFor(header)).toBeNull();
  expect(encodingFor(header)).toBe('identity');
});

testTable([
  ['', ''],
  ['a=b&c=%20?d', '?a=b&c=%20?d'],
  ['a=é b', '?a=%C3%A9%20b'],
  ['\u{1f600}', '?%F0%9F%98%80'],
  ['\ud83d', '?%EF%BF%BD'],
  ['x\r\nSet-Cookie: a=b\u0000\u007f', '?x%0D%0ASet-Cookie:%20a=b%00%7F'],
  ['"<>\\', '?"<>\\'],
])('the query %j in a Location header is %s', (query, sent) => {
  expect(locationQuery(query)).toBe(sent);
});
