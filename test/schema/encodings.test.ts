// Each field of DOI has its own form of the name. packages/doi-names/test has the rules of the forms.

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

/** The field of DOI with the same text as each entry of `encodings`. */
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
  test('have the form that the vectors list for each name, without a look-up', async () => {
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

  test('have the prefix, suffix, directory indicator and registrant code of a name', async () => {
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

  test('keep the spelling of a name, and canonicalName folds only Basic Latin', async () => {
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
  test('is RECOMMENDED by default and for null, and MANDATORY encodes less', async () => {
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
  test('lists every form once, with the text of its field, a label and a source document', async () => {
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

  test('has the requested forms in their order, each once', async () => {
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
  const QUERY = `query ($name: String!, $parameters: ProxyUrlInput) {
    doi(input: $name, form: NAME) { id proxyUrl(parameters: $parameters) }
  }`;

  test('has the parameters as the vectors list them', async () => {
    const { query, calls } = await createFakeGateway();
    for (const { name, parameters, proxyUrl } of proxyUrlRows)
      expect(await query(QUERY, { name, parameters })).toMatchObject({ data: { doi: { proxyUrl } } });
    expect(calls).toEqual(NO_CALLS);
  });

  test.each([null, { noRedirect: false, auth: null, indexes: [], types: null, nols: false }])(
    'with the parameters %j is the recommended URL',
    async (parameters) => {
      const { query } = await createFakeGateway();
      const { data } = await query(QUERY, { name: '10.1000/1', parameters });
      expect(data).toMatchObject({ doi: { proxyUrl: 'https://doi.org/10.1000/1' } });
    },
  );

  test.each([
    { types: ['URL', '\ud800'] },
    { urlAppend: '\udc00' },
    { locatt: ['a:\ud800'] },
    { country: '\ud800' },
  ])('with an unpaired surrogate in a parameter is BAD_USER_INPUT: %j', async (parameters) => {
    const { query, calls } = await createFakeGateway();
    const { errors } = await query(QUERY, { name: '10.1000/1', parameters });
    expect(errors).toMatchObject([
      { path: ['doi', 'proxyUrl'], extensions: { code: 'BAD_USER_INPUT', retryable: false } },
    ]);
    expect(calls).toEqual(NO_CALLS);
  });
});
