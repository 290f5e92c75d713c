// The locations that a prefix adds to the records of its names.

import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../src/handle/client-preferences.ts';
import {
  type PrefixLocations,
  prefixHandleOf,
  prefixLocationsOf,
  readNamespace,
} from '../../src/handle/prefix-locations.ts';
import { candidatesOf, chooseRedirect, type RedirectRequest } from '../../src/handle/redirect.ts';
import { testTable } from '../support/test-table.ts';
import { recordWith, textValue } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

const namespaceOf = (...values: readonly Members[]) => readNamespace(recordWith(values).values);
const namespace = (xml: string) => namespaceOf(textValue('HS_NAMESPACE', 1, xml));

testTable<[string, string | null]>([
  ['10.5555/x', '0.NA/10.5555'],
  ['10.5555.1/x/y', '0.NA/10.5555.1'],
  ['2381/12345', '0.NA/2381'],
  ['10.5555', null],
  ['0.NA/10.5555', null],
  ['/x', null],
])('the handle of a prefix is below 0.NA', (name, handle) => {
  expect(prefixHandleOf(name as Parameters<typeof prefixHandleOf>[0])).toBe(handle);
});

describe('a namespace', () => {
  test('lists the handles of its locs elements at any depth, each once', () => {
    const xml =
      '<a:any xmlns:a="x"><b><locs> 10.SERV/B </locs></b><locs>10.serv/a</locs><locs>10.SERV/A</locs><locs/></a:any>';
    expect(namespace(xml)).toEqual({ isInactive: false, handles: ['10.SERV/B', '10.SERV/A'], warnings: [] });
  });

  test('is the HS_NAMESPACE value with the lowest index', () => {
    const values = [
      textValue('HS_NAMESPACE', 9, '<n><locs>10.SERV/LATER</locs></n>'),
      textValue('hs_namespace', 2, '<n><locs>10.SERV/FIRST</locs></n>'),
      textValue('URL', 1, '<n><locs>10.SERV/URL</locs></n>'),
    ];
    expect(namespaceOf(...values).handles).toEqual(['10.SERV/FIRST']);
  });

  testTable<[string, boolean]>([
    ['<n><status>inactive</status></n>', true],
    ['<n><locs>10.SERV/A</locs><status> inactive\n</status></n>', true],
    ['<n><status>active</status></n>', false],
    ['<n><status>active</status><status>inactive</status></n>', false],
    ['<n><m><status>inactive</status></m></n>', false],
    ['<n status="inactive"/>', false],
  ])('is inactive if its first status says so', (xml, isInactive) => {
    expect(namespace(xml).isInactive).toBe(isInactive);
  });

  testTable<[string, string, number]>([
    [
      '10,000 handles',
      `<n>${Array.from({ length: 10_000 }, (_, n) => `<locs>10.SERV/${n}</locs>`).join('')}</n>`,
      8,
    ],
    ['more than 262,144 characters', `<n><locs>10.SERV/A</locs>${' '.repeat(1_000_000)}</n>`, 0],
    ['a document type with entities', '<!DOCTYPE n [<!ENTITY a "b">]><n><locs>&a;</locs></n>', 0],
    ['an element that is not closed', '<n><locs>10.SERV/A</locs><b></n>', 1],
    ['17 levels', `<n><locs>10.SERV/A</locs>${'<a>'.repeat(16)}`, 1],
    ['text that is not XML', 'x', 0],
  ])('with a fault is read up to the fault, with a warning', (_, xml, handles) => {
    const read = namespace(xml);
    expect(read.handles.length).toBe(handles);
    expect(read.warnings).toMatchObject([{ code: 'UNREADABLE_LOCATIONS' }]);
  });
});

describe('a record with locations of its prefix', () => {
  const PAGE = 'https://example.org/page';
  const url = textValue('URL', 1, PAGE);
  const shared = (inside: string, list = ''): PrefixLocations =>
    prefixLocationsOf({ isInactive: false, handles: [], warnings: [] }, [
      recordWith([textValue('10320/loc', 1, `<locations ${list}>${inside}</locations>`)]),
    ]);
  const CONNEG = shared(
    '<location weight="0" http_role="conneg" href_template="https://data.example/{hdl}"/>',
  );
  const DATA = { preferences: readPreferences({ accept: 'application/x-bibtex' }) };
  const PERSON = { preferences: readPreferences({ accept: 'text/html' }) };
  const redirectOf = (values: readonly Members[], prefix: PrefixLocations, request: RedirectRequest = {}) =>
    chooseRedirect(recordWith(values), prefix, request, () => 0);

  testTable<[string, readonly Members[], PrefixLocations, RedirectRequest, string | null, string]>([
    ['a client that requests data', [url], CONNEG, DATA, 'https://data.example/10.5555%2Fx', 'LOCATT'],
    ['a person', [url], CONNEG, PERSON, PAGE, 'URL'],
    [
      'a person who requests the role for data',
      [url],
      CONNEG,
      { ...PERSON, locatt: ['http_role:conneg'] },
      PAGE,
      'URL',
    ],
    ['a record without a target', [textValue('EMAIL', 1, 'a@b.c')], CONNEG, DATA, null, 'NONE'],
    [
      'a location for people',
      [url],
      shared('<location weight="2" href="https://m.example/"/>'),
      {},
      'https://m.example/',
      'WEIGHTED',
    ],
    [
      'a score',
      [url],
      shared('<location score="1" weight="0" href="https://m.example/"/>'),
      {},
      'https://m.example/',
      'SCORE',
    ],
    ['a hostile target', [url], shared('<location score="1" href="javascript:alert(1)"/>'), {}, PAGE, 'URL'],
  ])(
    'redirects to a location of the prefix or to its URL',
    (_, values, prefix, request, target, chosenBy) => {
      expect(redirectOf(values, prefix, request)).toMatchObject({ url: target, chosenBy });
    },
  );

  test('redirects to a location of the prefix if its own list is unreadable', () => {
    const unreadable = textValue('10320/loc', 1, 'x');
    expect(redirectOf([unreadable], CONNEG, DATA)).toMatchObject({ url: 'https://data.example/10.5555%2Fx' });
  });

  test('prefers the status of its own list to the status of the prefix', () => {
    const other = shared(
      '<location weight="0" http_role="conneg" href="https://d.example/"/>',
      'http_sc="303"',
    );
    const own = (list: string) => textValue('10320/loc', 2, `<locations ${list}/>`);
    expect(redirectOf([url], other, DATA).statusCode).toBe(303);
    expect(redirectOf([url, own('http_sc="307"')], other, DATA).statusCode).toBe(307);
    expect(redirectOf([url], CONNEG, DATA).statusCode).toBe(302);
  });

  test('uses a subtype of URL only without a plain URL', () => {
    const withoutWeight = shared('<location weight="0" href="https://m.example/"/>');
    expect(redirectOf([url, textValue('URL.PDF', 2, 'https://pdf.example/')], withoutWeight)).toMatchObject({
      url: PAGE,
    });
    expect(redirectOf([textValue('URL.PDF', 2, 'https://pdf.example/')], withoutWeight)).toMatchObject({
      url: 'https://pdf.example/',
    });
  });

  test('lists its own locations, then the locations of the prefix, then its URLs', () => {
    const own = textValue('10320/loc', 2, '<locations><location href="https://own.example/"/></locations>');
    const listed = candidatesOf(recordWith([url, own]), CONNEG);
    expect(listed.locations.map(({ href }) => href)).toEqual([
      'https://own.example/',
      'https://data.example/10.5555%2Fx',
    ]);
    expect(listed.urls).toEqual([PAGE]);
  });
});
