// Where a record leads: its locations, else its URLs, else nowhere.

import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../src/handle/client-preferences.ts';
import { NO_PREFIX_LOCATIONS } from '../../src/handle/prefix-locations.ts';
import { createRecord } from '../../src/handle/record.ts';
import { readLocations, urlsOf } from '../../src/handle/record-locations.ts';
import { chooseRedirect, INDEPENDENT, NO_REDIRECT, type RedirectRequest } from '../../src/handle/redirect.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';
import { unfrozenIn, wireValue } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

const typed = (type: string, index: number, value: string): Members => ({
  index,
  type,
  data: { format: 'string', value },
});
const url = (index: number, value: string) => typed('URL', index, value);
const loc = (index: number, ...locations: readonly string[]) =>
  typed('10320/loc', index, `<locations>${locations.map((at) => `<location ${at}/>`).join('')}</locations>`);

function recordOf(values: readonly Members[]) {
  const handle = doiName('10.5555/x');
  return createRecord({ responseCode: 1, handle, values: decodeValues(values.map(wireValue)), fetchedAt: 0 });
}

function lead(values: readonly Members[], request: RedirectRequest = {}) {
  return chooseRedirect(recordOf(values), NO_PREFIX_LOCATIONS, request, () => 0);
}

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';
const at = (href: string) => `href="${href}"`;
const unsafe = { code: 'UNSAFE_TARGET', message: expect.stringMatching(/\w.*\.$/) };
const unreadable = { code: 'UNREADABLE_LOCATIONS', message: expect.stringMatching(/\w.*\.$/) };

describe('a record leads', () => {
  testTable<[string, readonly Members[], string, string]>([
    ['to its location before its URL', [url(1, A), loc(2, at(B))], B, 'ONLY_LOCATION'],
    ['to its URL without a location', [url(1, A), loc(2)], A, 'URL'],
    ['to the URL of the lowest index', [url(3, A), url(1, B), url(2, C)], B, 'URL'],
    ['to a URL before its subtypes', [typed('URL.PDF', 1, A), url(9, B)], B, 'URL'],
    ['to a subtype of URL else, by index', [typed('url.pdf', 2, A), typed('Url.Html', 1, B)], B, 'URL'],
    ['past an empty URL', [url(1, ''), url(2, B)], B, 'URL'],
    ['past empty URLs to a subtype', [url(1, ''), typed('URL.X', 2, B)], B, 'URL'],
    ['to the list of the lowest index', [loc(5, at(A)), loc(2, at(B))], B, 'ONLY_LOCATION'],
    [
      'to a list under a type of another case',
      [typed('10320/LOC', 1, `<locations><location ${at(B)}/></locations>`)],
      B,
      'ONLY_LOCATION',
    ],
    [
      'to a location for programs if it has weight',
      [url(1, A), loc(2, `http_role="conneg" ${at(B)}`)],
      B,
      'ONLY_LOCATION',
    ],
  ])('every row', (_, values, target, chosenBy) => {
    expect(lead(values)).toMatchObject({ url: target, chosenBy, statusCode: 302, warnings: [] });
  });

  test('by way of a plain URL without location or candidates', () => {
    expect(lead([url(1, A)])).toEqual({
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

  test('with the status of its location, as a copy of it', () => {
    const { statusCode, location, candidates } = lead([loc(1, `http_sc="307" id="x" ${at(A)}`)]);
    expect({ statusCode, location }).toMatchObject({ statusCode: 307, location: { href: A } });
    expect(candidates).toEqual([location]);
  });

  testTable<[string, readonly Members[]]>([
    ['an address of mail', [typed('EMAIL', 1, 'x@example.org')]],
    ['a type that only begins like URL', [typed('URLS', 1, A), typed('URL_PDF', 2, A)]],
    ['an empty URL', [url(1, '')]],
    ['a URL that is not text', [{ data: { format: 'base64', value: 'aHR0cDovL3gvx+A=' } }]],
    ['nothing', []],
  ])('nowhere with %s', (_, values) => {
    expect(lead(values)).toEqual(NO_REDIRECT);
  });
});

describe('what is no http, https or ftp URL', () => {
  testTable([
    'javascript:alert(1)',
    'data:text/html,x',
    '/10.1000/1',
    '//evil.example/',
    'example.org',
    'mailto:x@y.z',
  ])('is passed over with a warning: %s', (target) => {
    expect(lead([url(1, target)])).toEqual({ ...NO_REDIRECT, warnings: [unsafe] });
    expect(lead([url(1, target), url(2, B)])).toMatchObject({ url: B, warnings: [unsafe] });
    expect(lead([loc(1, at(target)), url(2, B)])).toMatchObject({
      url: B,
      chosenBy: 'URL',
      warnings: [unsafe],
    });
    expect(lead([loc(1, at(target), at(B), at(C))])).toMatchObject({
      url: B,
      chosenBy: 'WEIGHTED',
      candidates: [{ href: B }, { href: C }],
      warnings: [unsafe],
    });
  });

  test('is shown in the warning, but not at any length', () => {
    const { warnings } = lead([url(1, `javascript:${'x'.repeat(1_000_000)}`)]);
    expect(warnings[0]?.message).toContain('javascript:xxx');
    expect(warnings[0]?.message.length).toBeLessThan(300);
  });

  test('cannot be chosen by attribute or country either', () => {
    const values = [
      loc(1, `id="0" country="gb" ${at('javascript:alert(1)')}`, `id="1" ${at(B)}`, `id="2" ${at(C)}`),
    ];
    expect(lead(values, { locatt: ['id:0'], country: 'gb' })).toMatchObject({ url: B });
  });
});

describe('a list that cannot be read', () => {
  const broken = (index: number) => typed('10320/loc', index, 'no XML');

  test('gives way to the next that can, with a warning', () => {
    expect(lead([broken(1), loc(2, at(B)), loc(3, at(C))])).toMatchObject({ url: B, warnings: [unreadable] });
  });

  test('gives way to the URL, with a warning for each', () => {
    const bytes = { type: '10320/loc', index: 3, data: { format: 'base64', value: '/w==' } };
    expect(lead([broken(2), bytes, url(1, A)])).toMatchObject({ url: A, warnings: [unreadable, unreadable] });
  });

  test('to its end counts as far as it was read', () => {
    const half = typed('10320/loc', 1, `<locations><location ${at(A)}></locations>`);
    expect(lead([half, loc(2, at(B))])).toMatchObject({ url: A, warnings: [unreadable] });
  });
});

describe('locations for content negotiation', () => {
  const values = [url(1, A), loc(2, `id="0" ${at(B)}`, `id="1" http_role="conneg" weight="0" ${at(C)}`)];

  const DATA = { preferences: readPreferences({ accept: 'application/ld+json' }) };
  const PERSON = { preferences: readPreferences({ accept: 'text/html' }) };

  test('are for clients that request data, with any weight, and not for a person who requests this role', () => {
    expect(lead(values, DATA)).toMatchObject({ url: C, chosenBy: 'LOCATT' });
    expect(lead(values, PERSON)).toMatchObject({ url: B, chosenBy: 'ONLY_LOCATION' });
    expect(lead(values, { ...PERSON, locatt: ['http_role:conneg'] })).toMatchObject({ url: B });
    expect(lead(values, { ...PERSON, locatt: ['id:1'] })).toMatchObject({ url: C, chosenBy: 'LOCATT' });
  });

  test('change nothing for a client that requests data if the record has no such location', () => {
    expect(lead([loc(2, at(B))], DATA)).toMatchObject({ url: B });
    expect(lead([url(1, A)], DATA)).toMatchObject({ url: A });
  });

  const dependsOn = (chooseBy: string, attributes: string) => {
    const xml = `<locations chooseby="${chooseBy}"><location ${at(B)}/><location ${attributes} ${at(C)}/></locations>`;
    const found = Object.entries(lead([typed('10320/loc', 1, xml)]).dependsOn).filter(
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
  ])('chosen by %s, a location with %s makes the choice depend on %j', (chooseBy, attributes, parts) => {
    expect(dependsOn(chooseBy, attributes)).toEqual(parts);
  });
});

describe('what is to be appended', () => {
  test('goes behind the chosen URL, and leaves the location as it is', () => {
    expect(lead([loc(1, at(A))], { urlAppend: '?x=a b' })).toMatchObject({
      url: `${A}?x=a%20b`,
      location: { href: A },
    });
  });

  test('is left out with a warning where it would lead to another host', () => {
    expect(lead([url(1, 'https://a.example')], { urlAppend: '.evil.example/' })).toMatchObject({
      url: 'https://a.example',
      warnings: [unsafe],
    });
  });

  test('to nothing is nothing', () => {
    expect(lead([], { urlAppend: 'https://evil.example/' })).toEqual(NO_REDIRECT);
    expect(lead([url(1, '')], { urlAppend: 'https://evil.example/' })).toEqual(NO_REDIRECT);
  });
});

describe('the locations of a record are read once', () => {
  const template = 'href_template="https://t.example/{hdl}"';

  test('however often they are asked for', () => {
    const { values, handle } = recordOf([loc(1, at(A), template)]);
    expect(readLocations(values, handle)).toBe(readLocations(values, handle));
  });

  test('also where the values are filtered each time', () => {
    const { values, handle } = recordOf([url(1, A), loc(2, at(B))]);
    const { list } = readLocations(values, handle);
    expect(list.locations).toMatchObject([{ href: B }]);
    expect(readLocations([...values], handle).list).toBe(list);
  });

  test('and cannot be changed by anyone who asks', () => {
    for (const values of [[loc(1, at(A), template)], [loc(1), typed('10320/loc', 2, 'no XML')], []]) {
      const record = recordOf(values);
      expect(unfrozenIn(readLocations(record.values, record.handle))).toEqual([]);
    }
  });

  test('and templates are filled in for each name that is asked for', () => {
    const { values } = recordOf([loc(1, at(A), template)]);
    const hrefs = (name: string) =>
      readLocations(values, doiName(name)).list.locations.map(({ href }) => href);
    for (const name of ['10.5555/X', '10.5555/x', '10.5555/X']) {
      expect(hrefs(name)).toEqual([A, `https://t.example/${encodeURIComponent(name)}`]);
    }
  });

  test('and what cannot be redirected to is warned of each time', () => {
    const record = recordOf([loc(1, at('javascript:alert(1)'), at(B))]);
    for (const _ of [1, 2]) {
      expect(chooseRedirect(record, NO_PREFIX_LOCATIONS, {}, () => 0)).toMatchObject({
        url: B,
        warnings: [unsafe],
      });
    }
  });
});

test('URLs and their subtypes are listed by index, case and other data aside', () => {
  const { values } = recordOf([
    url(3, A),
    typed('url', 1, B),
    typed('URL.PDF', 5, C),
    typed('Url.', 4, A),
    typed('URLS', 6, C),
    typed('UR', 7, C),
    { index: 2, type: 'URL', data: { format: 'base64', value: 'aHR0cDovL3gv' } },
  ]);
  expect(urlsOf(values)).toEqual({ plain: [B, A], subtypes: [A, C] });
});
