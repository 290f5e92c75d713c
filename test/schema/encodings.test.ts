// Every form of a name through the API. What the forms are is held in packages/doi-names/test; here, that each field has its own.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readVectors } from '../../checks/conformance/run/vectors.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const encodeCases = readVectors('encode').cases;
const proxyUrlRows: readonly { name: string; parameters: unknown; proxyUrl: string }[] = JSON.parse(
  readFileSync(new URL('../fixtures/vectors/proxy-url.json', import.meta.url), 'utf8'),
);

const FIELDS = `id name canonicalName display uri url urlMandatory: url(encoding: MANDATORY) dxUrl urn urnUrl
  infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints`;

/** The field of DOI that each entry of `encodings` stands for. */
const FIELD_OF_FORM: Readonly<Record<string, string>> = {
  NAME: 'name',
  DISPLAY: 'display',
  URI: 'uri',
  URL_RECOMMENDED: 'url',
  URL_MANDATORY: 'urlMandatory',
  DX_URL: 'dxUrl',
  URN: 'urn',
  URN_URL: 'urnUrl',
  INFO_URI: 'infoUri',
  HANDLE_URI: 'handleUri',
  API_URL: 'apiUrl',
  WHICH_RA_URL: 'whichRaUrl',
  WEB_FORM: 'webForm',
  HTML: 'html',
  MARKDOWN: 'markdown',
  UTF8_HEX: 'utf8Hex',
  CODE_POINTS: 'codePoints',
};

interface Listed {
  readonly encodings: readonly { form: string; label: string; value: string; sourceDocument: string }[];
}

describe('the fields', () => {
  test('give every name of the vectors in every form, without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const names = [...new Set(encodeCases.map(({ input }) => input.name))];
    const { data } = await query<{ dois: Readonly<Record<string, string | readonly string[]>>[] }>(
      `query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { ${FIELDS} } }`,
      { inputs: names },
    );
    const dois = new Map(names.map((name, index) => [name, data.dois[index]]));
    const written = encodeCases.map(({ input: { name, form } }) => ({
      name,
      form,
      text: [dois.get(name)?.[form] ?? []].flat().join(' '),
    }));
    expect(written).toEqual(encodeCases.map(({ input, expected }) => ({ ...input, ...expected })));
    expect(data.dois.map(({ id }) => id)).toEqual(data.dois.map(({ uri }) => uri));
    expect(calls).toEqual(NO_CALLS);
  });

  test('take a name apart: prefix, suffix, directory indicator and registrant code', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      '{ dois(inputs: ["10.1000/456#789", "10.978.8898392/a/b"]) { prefix suffix directoryIndicator registrantCode } }',
    );
    expect(data).toEqual({
      dois: [
        { prefix: '10.1000', suffix: '456#789', directoryIndicator: '10', registrantCode: '1000' },
        {
          prefix: '10.978.8898392',
          suffix: 'a/b',
          directoryIndicator: '10',
          registrantCode: '978.8898392',
        },
      ],
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('spell a name as it was given, and fold only Basic Latin in canonicalName', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      '{ doi(input: "https://doi.org/10.26321/Á.GUTIÉRREZ") { id name canonicalName } }',
    );
    expect(data).toEqual({
      doi: {
        id: 'doi:10.26321/%C3%81.GUTI%C3%89RREZ',
        name: '10.26321/Á.GUTIÉRREZ',
        canonicalName: '10.26321/Á.gutiÉrrez',
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('url(encoding:)', () => {
  test('is RECOMMENDED when left out, named or null, and encodes less as MANDATORY', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(`{ doi(input: "10.1000/<a>#b") {
      url null: url(encoding: null) recommended: url(encoding: RECOMMENDED) mandatory: url(encoding: MANDATORY)
    } }`);
    const recommended = 'https://doi.org/10.1000/%3Ca%3E%23b';
    expect(data).toEqual({
      doi: {
        url: recommended,
        null: recommended,
        recommended,
        mandatory: 'https://doi.org/10.1000/<a>%23b',
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('encodings', () => {
  test('lists every form once, each with the value of its own field, a label and its document', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query<{ doi: Listed & Readonly<Record<string, string | readonly string[]>> }>(
      `{ doi(input: "10.1000/a,b <c>&'(d)/é#%25") { encodings { form label value sourceDocument } ${FIELDS} } }`,
    );
    const { encodings, ...fields } = data.doi;
    expect(encodings.map(({ form }) => form)).toEqual(Object.keys(FIELD_OF_FORM));
    for (const { form, label, value, sourceDocument } of encodings) {
      expect({ form, value }).toEqual({ form, value: [fields[FIELD_OF_FORM[form] ?? '']].flat().join(' ') });
      expect(label).not.toBe('');
      expect(sourceDocument).not.toBe('');
    }
    expect(new Set(encodings.map(({ label }) => label)).size).toBe(encodings.length);
    expect(calls).toEqual(NO_CALLS);
  });

  test('gives the requested forms in their order, each once; an empty list for no forms', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(`{ doi(input: "10.1000/1") {
      some: encodings(forms: [URN, NAME, URN, DISPLAY]) { form value }
      none: encodings(forms: []) { form }
    } }`);
    expect(data).toEqual({
      doi: {
        some: [
          { form: 'URN', value: 'urn:doi:10.1000:1' },
          { form: 'NAME', value: '10.1000/1' },
          { form: 'DISPLAY', value: 'doi:10.1000/1' },
        ],
        none: [],
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('proxyUrl', () => {
  for (const { name, parameters, proxyUrl } of proxyUrlRows) {
    test(proxyUrl, async () => {
      const { query, calls } = await createFakeGateway();
      const result = await query(
        `query ($name: String!, $parameters: ProxyUrlInput) {
        doi(input: $name, form: NAME) { proxyUrl(parameters: $parameters) }
      }`,
        { name, parameters },
      );
      expect(result).toEqual({ data: { doi: { proxyUrl } } });
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('without parameters is the recommended URL; what is false, null or empty is not written', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(`{ doi(input: "10.1000/1") {
      bare: proxyUrl
      off: proxyUrl(parameters: { noRedirect: false, auth: null, indexes: [], types: null, nols: false })
    } }`);
    expect(data).toEqual({ doi: { bare: 'https://doi.org/10.1000/1', off: 'https://doi.org/10.1000/1' } });
    expect(calls).toEqual(NO_CALLS);
  });

  test('with half a character in a parameter is BAD_USER_INPUT, not a wrong URL', async () => {
    const { query, calls } = await createFakeGateway();
    for (const parameters of [
      { types: ['URL', '\ud800'] },
      { urlAppend: '\udc00' },
      { locatt: ['a:\ud800'] },
      { country: '\ud800' },
    ]) {
      const { errors } = await query(
        'query ($parameters: ProxyUrlInput) { doi(input: "10.1000/1") { id proxyUrl(parameters: $parameters) } }',
        { parameters },
      );
      expect(errors).toMatchObject([
        { path: ['doi', 'proxyUrl'], extensions: { code: 'BAD_USER_INPUT', retryable: false } },
      ]);
    }
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('warnings', () => {
  const rows = [
    { name: '10.1000/182', warnings: [] },
    { name: '10.1000/a/b', warnings: [{ code: 'RESERVED_SUFFIX', position: 9 }] },
    { name: '10.1000/ab/', warnings: [{ code: 'TRAILING_SLASH', position: 10 }] },
    { name: '10.1000/ab/./c', warnings: [{ code: 'DOT_SEGMENT', position: 11 }] },
    { name: '10.1000/abe\u0301', warnings: [{ code: 'NOT_NFC', position: 10 }] },
    { name: '10.1000/ab%2Fc', warnings: [{ code: 'LOOKS_PERCENT_ENCODED', position: 10 }] },
    {
      name: '10.1000/a/b/',
      warnings: [
        { code: 'RESERVED_SUFFIX', position: 9 },
        { code: 'TRAILING_SLASH', position: 11 },
      ],
    },
  ];
  for (const { name, warnings } of rows) {
    test(`${name} has the warnings [${warnings.map(({ code }) => code)}]`, async () => {
      const { query, calls } = await createFakeGateway();
      const { data } = await query(
        'query ($name: String!) { doi(input: $name, form: NAME) { warnings { code position message } } }',
        { name },
      );
      const told = warnings.map((warning) => ({ ...warning, message: expect.stringMatching(/\w/) }));
      expect(data).toEqual({ doi: { warnings: told } });
      expect(calls).toEqual(NO_CALLS);
    });
  }
});
