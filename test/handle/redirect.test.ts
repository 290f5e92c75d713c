// A record redirects to one of its locations, or else to one of its URLs. Without both, the record has no redirect.

import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../src/handle/client-preferences.ts';
import { NO_PREFIX_LOCATIONS } from '../../src/handle/prefix-locations.ts';
import { chooseRedirect, INDEPENDENT, NO_REDIRECT, type RedirectRequest } from '../../src/handle/redirect.ts';
import { testTable } from '../support/test-table.ts';
import { recordWith, textValue } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

const url = (index: number, value: string) => textValue('URL', index, value);
const loc = (index: number, ...locations: readonly string[]) =>
  textValue(
    '10320/loc',
    index,
    `<locations>${locations.map((at) => `<location ${at}/>`).join('')}</locations>`,
  );

function redirectOf(values: readonly Members[], request: RedirectRequest = {}) {
  return chooseRedirect(recordWith(values), NO_PREFIX_LOCATIONS, request, () => 0);
}

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';
const at = (href: string) => `href="${href}"`;
const unsafe = { code: 'UNSAFE_TARGET', message: expect.stringMatching(/\w.*\.$/) };
const unreadable = { code: 'UNREADABLE_LOCATIONS', message: expect.stringMatching(/\w.*\.$/) };

describe('a record redirects', () => {
  testTable<[string, readonly Members[], string, string]>([
    ['to its location before its URL', [url(1, A), loc(2, at(B))], B, 'ONLY_LOCATION'],
    ['to its URL without a location', [url(1, A), loc(2)], A, 'URL'],
    ['to the URL of the lowest index', [url(3, A), url(1, B), url(2, C)], B, 'URL'],
    ['to a URL before its subtypes', [textValue('URL.PDF', 1, A), url(9, B)], B, 'URL'],
    [
      'to the subtype of URL with the lowest index',
      [textValue('url.pdf', 2, A), textValue('Url.Html', 1, B)],
      B,
      'URL',
    ],
    ['to the next URL after an empty URL', [url(1, ''), url(2, B)], B, 'URL'],
    ['to a subtype after empty URLs', [url(1, ''), textValue('URL.X', 2, B)], B, 'URL'],
    ['to the list of the lowest index', [loc(5, at(A)), loc(2, at(B))], B, 'ONLY_LOCATION'],
    [
      'to a list under a type of another case',
      [textValue('10320/LOC', 1, `<locations><location ${at(B)}/></locations>`)],
      B,
      'ONLY_LOCATION',
    ],
    [
      'to a location for programs if the location has a weight',
      [url(1, A), loc(2, `http_role="conneg" ${at(B)}`)],
      B,
      'ONLY_LOCATION',
    ],
  ])('to a location, then a plain URL, then a subtype', (_, values, target, chosenBy) => {
    expect(redirectOf(values)).toMatchObject({ url: target, chosenBy, statusCode: 302, warnings: [] });
  });

  test('to a plain URL without a location and candidates', () => {
    expect(redirectOf([url(1, A)])).toEqual({
      url: A,
      chosenBy: 'URL',
      location: null,
      candidates: [],
      statusCode: 302,
      warnings: [],
      isDrawn: false,
      dependsOn: INDEPENDENT,
    });
  });

  test('with the status of its location', () => {
    const { statusCode, location, candidates } = redirectOf([loc(1, `http_sc="307" id="x" ${at(A)}`)]);
    expect({ statusCode, location }).toMatchObject({ statusCode: 307, location: { href: A } });
    expect(candidates).toEqual([location]);
  });

  testTable<[string, readonly Members[]]>([
    ['a mail address', [textValue('EMAIL', 1, 'x@example.org')]],
    ['a type that only begins like URL', [textValue('URLS', 1, A), textValue('URL_PDF', 2, A)]],
    ['an empty URL', [url(1, '')]],
    ['a URL that is not text', [{ data: { format: 'base64', value: 'aHR0cDovL3gvx+A=' } }]],
    ['nothing', []],
  ])('nowhere without a URL', (_, values) => {
    expect(redirectOf(values)).toEqual(NO_REDIRECT);
  });
});

describe('a target that is not an http, https or ftp URL', () => {
  testTable([
    'javascript:alert(1)',
    'data:text/html,x',
    '/10.1000/1',
    '//evil.example/',
    'example.org',
    'mailto:x@y.z',
  ])('is skipped with a warning', (target) => {
    expect(redirectOf([url(1, target)])).toEqual({ ...NO_REDIRECT, warnings: [unsafe] });
    expect(redirectOf([url(1, target), url(2, B)])).toMatchObject({ url: B, warnings: [unsafe] });
    expect(redirectOf([loc(1, at(target)), url(2, B)])).toMatchObject({
      url: B,
      chosenBy: 'URL',
      warnings: [unsafe],
    });
    expect(redirectOf([loc(1, at(target), at(B), at(C))])).toMatchObject({
      url: B,
      chosenBy: 'WEIGHTED',
      candidates: [{ href: B }, { href: C }],
      warnings: [unsafe],
    });
  });

  test('is quoted in the warning, with a maximum length', () => {
    const { warnings } = redirectOf([url(1, `javascript:${'x'.repeat(1_000_000)}`)]);
    expect(warnings[0]?.message).toContain('javascript:xxx');
    expect(warnings[0]?.message.length).toBeLessThan(300);
  });

  test('cannot be chosen by attribute or country', () => {
    const values = [
      loc(1, `id="0" country="gb" ${at('javascript:alert(1)')}`, `id="1" ${at(B)}`, `id="2" ${at(C)}`),
    ];
    expect(redirectOf(values, { locatt: ['id:0'], country: 'gb' })).toMatchObject({ url: B });
  });
});

describe('an unreadable list of locations', () => {
  const broken = (index: number) => textValue('10320/loc', index, 'no XML');

  test('is skipped with a warning, and the next list is used', () => {
    expect(redirectOf([broken(1), loc(2, at(B)), loc(3, at(C))])).toMatchObject({
      url: B,
      warnings: [unreadable],
    });
  });

  test('is skipped with a warning for each list, and the URL is used', () => {
    const bytes = { type: '10320/loc', index: 3, data: { format: 'base64', value: '/w==' } };
    expect(redirectOf([broken(2), bytes, url(1, A)])).toMatchObject({
      url: A,
      warnings: [unreadable, unreadable],
    });
  });

  test('has the locations before its fault', () => {
    const half = textValue('10320/loc', 1, `<locations><location ${at(A)}></locations>`);
    expect(redirectOf([half, loc(2, at(B))])).toMatchObject({ url: A, warnings: [unreadable] });
  });
});

describe('locations for content negotiation', () => {
  const values = [url(1, A), loc(2, `id="0" ${at(B)}`, `id="1" http_role="conneg" weight="0" ${at(C)}`)];

  const DATA = { preferences: readPreferences({ accept: 'application/ld+json' }) };
  const PERSON = { preferences: readPreferences({ accept: 'text/html' }) };

  test('are chosen for clients that request data, but not for a person who requests their role', () => {
    expect(redirectOf(values, DATA)).toMatchObject({ url: C, chosenBy: 'LOCATT' });
    expect(redirectOf(values, PERSON)).toMatchObject({ url: B, chosenBy: 'ONLY_LOCATION' });
    expect(redirectOf(values, { ...PERSON, locatt: ['http_role:conneg'] })).toMatchObject({ url: B });
    expect(redirectOf(values, { ...PERSON, locatt: ['id:1'] })).toMatchObject({ url: C, chosenBy: 'LOCATT' });
  });

  test('have no effect for a client that requests data if the record has no such location', () => {
    expect(redirectOf([loc(2, at(B))], DATA)).toMatchObject({ url: B });
    expect(redirectOf([url(1, A)], DATA)).toMatchObject({ url: A });
  });

  const dependsOn = (chooseBy: string, attributes: string) => {
    const xml = `<locations chooseby="${chooseBy}"><location ${at(B)}/><location ${attributes} ${at(C)}/></locations>`;
    const found = Object.entries(redirectOf([textValue('10320/loc', 1, xml)]).dependsOn).filter(
      ([, depends]) => depends,
    );
    return found.map(([part]) => part);
  };

  testTable<[string, string, readonly string[]]>([
    ['locatt', '', []],
    ['locatt', 'http_role="conneg"', ['accept']],
    ['country', 'http_role="conneg"', ['accept']],
    ['locatt', 'http_role="no_conneg"', ['accept', 'userAgent']],
    ['locatt', 'http_role="browser"', ['accept', 'userAgent']],
    ['locatt', 'ctype="text/html"', ['accept', 'userAgent']],
    ['locatt', 'media-type="text/turtle"', ['accept']],
    ['locatt', 'language="fr"', ['language']],
    ['country,weighted', 'http_role="browser" ctype="a/b" language="fr" country="gb"', ['country']],
  ])(
    'make the redirect depend on the headers that its methods and attributes need',
    (chooseBy, attributes, parts) => {
      expect(dependsOn(chooseBy, attributes)).toEqual(parts);
    },
  );
});

describe('the appended text', () => {
  test('follows the chosen URL, and does not change the location', () => {
    expect(redirectOf([loc(1, at(A))], { urlAppend: '?x=a b' })).toMatchObject({
      url: `${A}?x=a%20b`,
      location: { href: A },
    });
  });

  test('is left out with a warning if the text would change the host', () => {
    expect(redirectOf([url(1, 'https://a.example')], { urlAppend: '.evil.example/' })).toMatchObject({
      url: 'https://a.example',
      warnings: [unsafe],
    });
  });

  test('is ignored if the record has no URL', () => {
    expect(redirectOf([], { urlAppend: 'https://evil.example/' })).toEqual(NO_REDIRECT);
    expect(redirectOf([url(1, '')], { urlAppend: 'https://evil.example/' })).toEqual(NO_REDIRECT);
  });
});
