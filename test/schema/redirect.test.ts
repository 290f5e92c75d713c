// DOI.redirect and DOI.locations: the target of a name, and why it was chosen. test/handle has the rules of the choice.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import type { RandomSource } from '../../src/handle/choose-location.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { recordCall } from './fake-gateway.ts';

const value = (type: string, text: string, index = 1) => urlValue(text, { type, index });
const aliasTo = (target: string) => value('HS_ALIAS', target);
const locations = (inside: string, index = 2) =>
  value('10320/loc', `<locations>${inside}</locations>`, index);

/** The selected fields of 10.1000/1. The draw takes the last candidate. */
async function resultOf(records: Readonly<Record<string, RecordBehaviour>>, selection: string) {
  const directory = createFakeDirectory({ records });
  const gateway = await createTestGateway({ directory, random: () => 0.999 });
  onTestFinished(gateway.close);
  const { data, errors = [] } = await gateway.query<{ doi: Readonly<Record<string, unknown>> }>(
    `{ doi(input: "10.1000/1") { ${selection} } }`,
  );
  const codes = errors.map(({ path, extensions }) => [path?.slice(1).join('.'), extensions['code']]);
  return { doi: data.doi, codes, calls: directory.calls.resolve };
}

describe('the example of the handbook with several locations', () => {
  async function redirectOf(parameters: string, random: RandomSource = () => 0) {
    const gateway = await createTestGateway({ random });
    onTestFinished(gateway.close);
    const { data } = await gateway.query<{ doi: { redirect: Readonly<Record<string, unknown>> } }>(
      `{ doi(input: "10.123/456") { redirect(parameters: { ${parameters} }) {
        url chosenBy statusCode via warnings { code } location { localId } candidates { localId }
      } } }`,
    );
    const { url, chosenBy, candidates, ...rest } = data.doi.redirect;
    expect(rest).toMatchObject({ statusCode: 302, via: [], warnings: [] });
    return [url, chosenBy, (candidates as { localId: string }[]).map(({ localId }) => localId).join('')];
  }

  test.each([
    ['locatt: ["id:1"]', 'https://www1.example.com/', 'LOCATT', '1'],
    ['country: "GB"', 'https://uk.example.com/', 'COUNTRY', '0'],
    ['country: "fr"', 'https://www1.example.com/', 'WEIGHTED', '12'],
    ['locatt: ["id:0", "id:1"]', 'https://uk.example.com/', 'LOCATT', '0'],
    ['types: ["url"]', 'https://www.defaultexample.com', 'URL', ''],
    ['indexes: [1000], country: "gb"', 'https://uk.example.com/', 'COUNTRY', '0'],
    ['urlAppend: "?a=1"', 'https://www1.example.com/?a=1', 'WEIGHTED', '12'],
  ])('redirects with %s to %s, chosen by %s', async (parameters, url, chosenBy, candidates) => {
    expect(await redirectOf(parameters)).toEqual([url, chosenBy, candidates]);
  });

  test('has a draw between the two locations of equal weight', async () => {
    expect(await redirectOf('', () => 0.49)).toEqual(['https://www1.example.com/', 'WEIGHTED', '12']);
    expect(await redirectOf('', () => 0.51)).toEqual(['https://www2.example.com/', 'WEIGHTED', '12']);
  });
});

describe('redirect', () => {
  test('lists the handles of the alias chain, and needs one look-up for each', async () => {
    const records = {
      '10.1000/1': [aliasTo('10/abcde')],
      '10/abcde': [aliasTo('10.1000/END')],
      '10.1000/end': [
        urlValue('https://example.org/end'),
        locations('<location href_template="https://t.example/{hdl}"/>'),
      ],
    };
    const selection = 'redirect { via url } locations { href } alias { handle } exists';
    expect(await resultOf(records, selection)).toEqual({
      doi: {
        redirect: { via: ['10/abcde', '10.1000/END'], url: 'https://t.example/10.1000%2FEND' },
        locations: [{ href: 'https://t.example/10.1000%2FEND' }],
        alias: { handle: '10/abcde' },
        exists: true,
      },
      codes: [],
      calls: [recordCall('10.1000/1'), recordCall('10/abcde'), recordCall('10.1000/END')],
    });
  });

  test.each([
    ['', 'https://e.example/'],
    ['acceptLanguage: "de, fr;q=0.5"', 'https://fr.example/'],
    ['userAgent: "Mozilla/5.0"', 'https://b.example/'],
    ['accept: "text/turtle"', 'https://t.example/'],
  ])('depends on the headers of the reader: %s leads to %s', async (parameters, url) => {
    const inside = `<location http_role="browser" weight="0" href="https://b.example/"/>
      <location language="fr" weight="0" href="https://fr.example/"/>
      <location media-type="text/turtle" weight="0" href="https://t.example/"/>
      <location href="https://e.example/"/>`;
    const records = { '10.1000/1': [locations(inside)] };
    const { doi } = await resultOf(records, `redirect(parameters: { ${parameters} }) { url }`);
    expect(doi).toEqual({ redirect: { url } });
  });

  test.each([
    ['with an alias', [aliasTo('10.1000/2'), value('URL', 'https://example.org/own', 2)]],
    ['without an alias', [urlValue('https://example.org/own')]],
  ])('with ignoreAliases leads to the URL of a record %s', async (_, record) => {
    const selection = 'redirect(parameters: { ignoreAliases: true }) { url chosenBy via }';
    expect(await resultOf({ '10.1000/1': record }, selection)).toEqual({
      doi: { redirect: { url: 'https://example.org/own', chosenBy: 'URL', via: [] } },
      codes: [],
      calls: [recordCall('10.1000/1')],
    });
  });

  // The filters apply to the last record, and never hide an alias.
  test.each([
    ['types: ["URL"]', 'https://example.org/1'],
    ['types: ["url.pdf"]', 'https://example.org/3'],
    ['types: ["10320/LOC"]', 'https://example.org/5'],
    ['types: ["EMAIL"]', null],
    ['indexes: [3, 2]', 'https://example.org/2'],
    ['indexes: [3], types: ["EMAIL"]', 'https://example.org/3'],
    ['indexes: [-1]', null],
    ['indexes: [], types: []', 'https://example.org/5'],
  ])('chooses only among the values with %s: %s', async (parameters, url) => {
    const record = [
      urlValue('https://example.org/1'),
      value('URL', 'https://example.org/2', 2),
      value('URL.PDF', 'https://example.org/3', 3),
      value('EMAIL', 'x@example.org', 4),
      locations('<location href="https://example.org/5"/>', 5),
    ];
    const records = { '10.1000/1': [aliasTo('10.1000/2')], '10.1000/2': record };
    const { doi } = await resultOf(records, `redirect(parameters: { ${parameters} }) { url via }`);
    expect(doi).toEqual({ redirect: { url, via: ['10.1000/2'] } });
  });

  test('warns of each unusable target', async () => {
    const record = [
      value('10320/loc', '<locations><location href="javascript:alert(1)">'),
      value('URL', 'https://example.org', 2),
    ];
    const { doi, codes } = await resultOf(
      { '10.1000/1': record },
      'redirect(parameters: { urlAppend: ".evil.example" }) { url chosenBy warnings { code message } }',
    );
    const message = expect.stringMatching(/\w.*\.$/);
    const warnings = ['UNREADABLE_LOCATIONS', 'UNSAFE_TARGET', 'UNSAFE_TARGET'].map((code) => ({
      code,
      message,
    }));
    expect(doi).toEqual({ redirect: { url: 'https://example.org', chosenBy: 'URL', warnings } });
    expect(codes).toEqual([]);
  });

  test.each([
    ['an empty record', []],
    ['an absent name', 100],
    ['a record without values', 200],
  ])('of %s leads to no URL, without an error', async (_, behaviour) => {
    const selection =
      'redirect { url chosenBy via statusCode location { href } candidates { href } } locations { href }';
    expect(await resultOf({ '10.1000/1': behaviour }, selection)).toMatchObject({
      doi: {
        redirect: { url: null, chosenBy: 'NONE', via: [], statusCode: null, location: null, candidates: [] },
        locations: [],
      },
      codes: [],
    });
  });
});

test('locations lists all locations of the record with their attributes', async () => {
  const inside =
    '<location id="0" href="javascript:x" weight="0.5" country="GB" label="Ä &amp; B"/><location http_role="conneg" href_template="https://e.org/{hdl}"/>';
  const selection = 'locations { localId href weight country httpRole label attributes { name value } }';
  const { doi } = await resultOf({ '10.1000/1': [locations(inside)] }, selection);
  expect(doi).toMatchObject({
    locations: [
      { localId: '0', href: 'javascript:x', weight: 0.5, country: 'GB', httpRole: null, label: 'Ä & B' },
      {
        localId: null,
        href: 'https://e.org/10.1000%2F1',
        weight: 1,
        country: null,
        httpRole: 'conneg',
        label: null,
        attributes: [
          { name: 'http_role', value: 'conneg' },
          { name: 'href_template', value: 'https://e.org/{hdl}' },
        ],
      },
    ],
  });
});

describe('without a usable record', () => {
  const DERIVED = 'redirect { url } locations { href } alias { handle } suggestions { name } exists';
  const ALL_NULL = { alias: null, exists: null, locations: null, redirect: null, suggestions: null };

  test.each([
    ['has the status ERROR', 2, 'UPSTREAM_UNAVAILABLE'],
    ['has an unknown response code', 999, 'UPSTREAM_UNAVAILABLE'],
    ['fails', new GatewayError('UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT'],
  ])('every field that derives from a record is null with an error if it %s', async (_, behaviour, code) => {
    const { doi, codes, calls } = await resultOf({ '10.1000/1': behaviour }, `${DERIVED} name`);
    expect(doi).toEqual({ ...ALL_NULL, name: '10.1000/1' });
    expect(codes.toSorted()).toEqual(Object.keys(ALL_NULL).map((field) => [field, code]));
    expect(calls).toEqual([recordCall('10.1000/1')]);
  });

  test.each([
    ['is a loop', [aliasTo('10.1000/1')], 'ALIAS_LOOP'],
    ['has the status ERROR', 2, 'UPSTREAM_UNAVAILABLE'],
  ])('only redirect and locations are null if the record behind an alias %s', async (_, behaviour, code) => {
    const records = { '10.1000/1': [aliasTo('10.1000/2')], '10.1000/2': behaviour };
    const { doi, codes } = await resultOf(records, DERIVED);
    expect(doi).toEqual({
      ...ALL_NULL,
      alias: { handle: '10.1000/2' },
      suggestions: [],
      exists: true,
    });
    expect(codes.toSorted()).toEqual([
      ['locations', code],
      ['redirect', code],
    ]);
  });
});
