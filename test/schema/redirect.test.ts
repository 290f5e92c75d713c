// DOI.redirect and DOI.locations: where a name leads, and why there.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import type { RandomSource } from '../../src/handle/choose-location.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createFakeGateway, recordCall } from './fake-gateway.ts';

const value = (type: string, text: string, index = 1) => urlValue(text, { type, index });
const aliasTo = (target: string) => value('HS_ALIAS', target);
const locations = (inside: string, index = 2) =>
  value('10320/loc', `<locations>${inside}</locations>`, index);

/** Asks over these records. The draw takes the last candidate. */
async function ask(records: Readonly<Record<string, RecordBehaviour>>, selection: string) {
  const directory = createFakeDirectory({ records });
  const gateway = await createTestGateway({ directory, random: () => 0.999 });
  onTestFinished(gateway.close);
  const { data, errors = [] } = await gateway.query<{ doi: Readonly<Record<string, unknown>> }>(
    `{ doi(input: "10.1000/1") { ${selection} } }`,
  );
  const codes = errors.map(({ path, extensions }) => [path?.slice(1).join('.'), extensions['code']]);
  return { doi: data.doi, codes, calls: directory.calls.resolve };
}

describe("the handbook's example of several locations", () => {
  async function handbook(parameters: string, random: RandomSource = () => 0) {
    const gateway = await createTestGateway({ random });
    onTestFinished(gateway.close);
    const { data } = await gateway.query<{ doi: { redirect: Readonly<Record<string, unknown>> } }>(
      `{ doi(input: "10.123/456") { redirect${parameters} {
        url chosenBy statusCode via warnings { code } location { localId } candidates { localId }
      } } }`,
    );
    const { url, chosenBy, candidates, ...rest } = data.doi.redirect;
    expect(rest).toMatchObject({ statusCode: 302, via: [], warnings: [] });
    return [url, chosenBy, (candidates as { localId: string }[]).map(({ localId }) => localId).join('')];
  }

  const parameters = (inside: string) => `(parameters: { ${inside} })`;

  test.each([
    [parameters('locatt: ["id:1"]'), 'https://www1.example.com/', 'LOCATT', '1'],
    [parameters('locatt: ["id:0"]'), 'https://uk.example.com/', 'LOCATT', '0'],
    [parameters('country: "gb"'), 'https://uk.example.com/', 'COUNTRY', '0'],
    [parameters('country: "GB"'), 'https://uk.example.com/', 'COUNTRY', '0'],
    [parameters('country: "fr"'), 'https://www1.example.com/', 'WEIGHTED', '12'],
    [parameters('locatt: ["id:0", "id:1"]'), 'https://uk.example.com/', 'LOCATT', '0'],
    [parameters('types: ["url"]'), 'https://www.defaultexample.com', 'URL', ''],
    [parameters('indexes: [1000], country: "gb"'), 'https://uk.example.com/', 'COUNTRY', '0'],
    [parameters('urlAppend: "?a=1"'), 'https://www1.example.com/?a=1', 'WEIGHTED', '12'],
    ['', 'https://www1.example.com/', 'WEIGHTED', '12'],
  ])('%s leads to %s by %s', async (asked, url, chosenBy, candidates) => {
    expect(await handbook(asked)).toEqual([url, chosenBy, candidates]);
  });

  test('draws between the two of equal weight', async () => {
    expect(await handbook('', () => 0.49)).toEqual(['https://www1.example.com/', 'WEIGHTED', '12']);
    expect(await handbook('', () => 0.51)).toEqual(['https://www2.example.com/', 'WEIGHTED', '12']);
  });
});

describe('redirect', () => {
  test('lists the handles of the alias chain, and looks each up once', async () => {
    const records = {
      '10.1000/1': [aliasTo('10/abcde')],
      '10/abcde': [aliasTo('10.1000/END')],
      '10.1000/end': [
        urlValue('https://example.org/end'),
        locations('<location href_template="https://t.example/{hdl}"/>'),
      ],
    };
    const selection = 'redirect { via url } locations { href } alias { handle } exists';
    expect(await ask(records, selection)).toEqual({
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

  test('depends on the headers of the reader', async () => {
    const list = `<locations>
      <location http_role="browser" weight="0" href="https://b.example/"/>
      <location language="fr" weight="0" href="https://fr.example/"/>
      <location media-type="text/turtle" weight="0" href="https://t.example/"/>
      <location href="https://e.example/"/></locations>`;
    const records = { '10.1000/1': [urlValue(list, { type: '10320/loc' })] };
    const urlFor = async (parameters: string) =>
      (await ask(records, `redirect${parameters} { url }`)).doi['redirect'];
    expect(await urlFor('')).toEqual({ url: 'https://e.example/' });
    expect(await urlFor('(parameters: { acceptLanguage: "de, fr;q=0.5" })')).toEqual({
      url: 'https://fr.example/',
    });
    expect(await urlFor('(parameters: { userAgent: "Mozilla/5.0" })')).toEqual({ url: 'https://b.example/' });
    expect(await urlFor('(parameters: { accept: "text/turtle" })')).toEqual({ url: 'https://t.example/' });
  });

  test('with ignoreAliases leads where the URL of the alias itself leads', async () => {
    const records = {
      '10.1000/1': [aliasTo('10.1000/2'), urlValue('https://example.org/own', { index: 2 })],
    };
    expect(await ask(records, 'redirect(parameters: { ignoreAliases: true }) { url chosenBy via }')).toEqual({
      doi: { redirect: { url: 'https://example.org/own', chosenBy: 'URL', via: [] } },
      codes: [],
      calls: [recordCall('10.1000/1')],
    });
  });

  test('with ignoreAliases is as ever where there is no alias', async () => {
    const records = { '10.1000/1': [urlValue('https://example.org/own')] };
    const { doi } = await ask(records, 'redirect(parameters: { ignoreAliases: true }) { url chosenBy }');
    expect(doi).toEqual({ redirect: { url: 'https://example.org/own', chosenBy: 'URL' } });
  });

  const several = [
    urlValue('https://example.org/1'),
    value('URL', 'https://example.org/2', 2),
    value('URL.PDF', 'https://example.org/3', 3),
    value('EMAIL', 'x@example.org', 4),
    locations('<location href="https://example.org/5"/>', 5),
  ];

  test.each([
    ['types: ["URL"]', 'https://example.org/1'],
    ['types: ["url.pdf"]', 'https://example.org/3'],
    ['types: ["URL."]', 'https://example.org/1'],
    ['types: ["10320/LOC"]', 'https://example.org/5'],
    ['types: ["EMAIL"]', null],
    ['types: [""]', null],
    ['indexes: [2]', 'https://example.org/2'],
    ['indexes: [3, 2]', 'https://example.org/2'],
    ['indexes: [3], types: ["EMAIL"]', 'https://example.org/3'],
    ['indexes: [-1]', null],
    ['indexes: [], types: []', 'https://example.org/5'],
  ])('decides among %s alone: %s', async (parameters, url) => {
    const { doi } = await ask({ '10.1000/1': several }, `redirect(parameters: { ${parameters} }) { url }`);
    expect(doi).toEqual({ redirect: { url } });
  });

  test('is decided of the last record by types and indexes, which never hide an alias', async () => {
    const records = { '10.1000/1': [aliasTo('10.1000/2')], '10.1000/2': several };
    const { doi } = await ask(records, 'redirect(parameters: { types: ["URL.PDF"] }) { url via }');
    expect(doi).toEqual({ redirect: { url: 'https://example.org/3', via: ['10.1000/2'] } });
  });

  test('warns of what it passed over', async () => {
    const values = [
      value('10320/loc', '<locations><location href="javascript:alert(1)">'),
      value('URL', 'https://example.org', 2),
    ];
    const { doi, codes } = await ask(
      { '10.1000/1': values },
      'redirect(parameters: { urlAppend: ".evil.example" }) { url chosenBy warnings { code message } }',
    );
    const message = expect.stringMatching(/\w.*\.$/);
    expect(doi).toEqual({
      redirect: {
        url: 'https://example.org',
        chosenBy: 'URL',
        warnings: [
          { code: 'UNREADABLE_LOCATIONS', message },
          { code: 'UNSAFE_TARGET', message },
          { code: 'UNSAFE_TARGET', message },
        ],
      },
    });
    expect(codes).toEqual([]);
  });

  test.each([
    ['with an empty record', [], []],
    ['of a name that is not found', 100, []],
    ['without values', 200, []],
  ])('%s leads nowhere, which is no error', async (_, behaviour, found) => {
    const selection =
      'redirect { url chosenBy via statusCode location { href } candidates { href } } locations { href }';
    expect(await ask({ '10.1000/1': behaviour }, selection)).toMatchObject({
      doi: {
        redirect: { url: null, chosenBy: 'NONE', via: [], statusCode: null, location: null, candidates: [] },
        locations: found,
      },
      codes: [],
    });
  });
});

test('locations are listed with all that their record says, those for programs included', async () => {
  const inside =
    '<location id="0" href="javascript:x" weight="0.5" country="GB" label="Ä &amp; B"/><location http_role="conneg" href_template="https://e.org/{hdl}"/>';
  const selection = 'locations { localId href weight country httpRole label attributes { name value } }';
  const { doi } = await ask({ '10.1000/1': [locations(inside)] }, selection);
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

const DERIVED = 'redirect { url } locations { href } alias { handle } suggestions { name } exists';

describe('with a record that cannot be had', () => {
  test.each([
    ["the directory's own error", 2, 'UPSTREAM_UNAVAILABLE'],
    ['a response code that nobody knows', 999, 'UPSTREAM_UNAVAILABLE'],
    ['a failure', new GatewayError('UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT'],
  ])('everything that derives from it is null with an error: %s', async (_, behaviour, code) => {
    const { doi, codes, calls } = await ask({ '10.1000/1': behaviour }, `${DERIVED} record { status } name`);
    const failed = behaviour instanceof Error;
    expect(doi).toEqual({
      redirect: null,
      locations: null,
      alias: null,
      suggestions: null,
      exists: null,
      record: failed ? null : { status: 'ERROR' },
      name: '10.1000/1',
    });
    const fields = ['redirect', 'locations', 'alias', 'suggestions', 'exists', ...(failed ? ['record'] : [])];
    expect(codes.sort()).toEqual(fields.sort().map((field) => [field, code]));
    expect(calls).toEqual([recordCall('10.1000/1')]);
  });

  test.each([
    ['a loop', [aliasTo('10.1000/1')], 'ALIAS_LOOP'],
    ['a failure', 2, 'UPSTREAM_UNAVAILABLE'],
  ])('behind an alias, its redirect and locations are: %s', async (_, behaviour, code) => {
    const records = { '10.1000/1': [aliasTo('10.1000/2')], '10.1000/2': behaviour };
    const { doi, codes } = await ask(records, DERIVED);
    expect(doi).toEqual({
      redirect: null,
      locations: null,
      alias: { handle: '10.1000/2' },
      suggestions: [],
      exists: true,
    });
    expect(codes.sort()).toEqual([
      ['locations', code],
      ['redirect', code],
    ]);
  });

  test('one name costs the others nothing', async () => {
    const { query } = await createFakeGateway({
      records: { '10.1000/1': 2, '10.1000/2': [urlValue('https://example.org/2')] },
    });
    const { data, errors } = await query('{ dois(inputs: ["10.1000/1", "10.1000/2"]) { redirect { url } } }');
    expect(data).toEqual({ dois: [{ redirect: null }, { redirect: { url: 'https://example.org/2' } }] });
    expect(errors?.map(({ path }) => path)).toEqual([['dois', 0, 'redirect']]);
  });
});
