// parseDoi and parseDois: what is wrong with an input is data, never an error.

import { describe, expect, test } from 'vitest';
import { readVectors } from '../../checks/conformance/run/vectors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const rows = readVectors('parse').cases.map(({ input, expected, details }) => ({
  input: input.text,
  form: input.form ?? null,
  name: expected.name,
  detected: details?.form,
  error: details?.problem,
}));

interface Parsed {
  readonly input: string;
  readonly form: string | null;
  readonly doi: { readonly name: string } | null;
  readonly problem: { readonly code: string } | null;
}

describe('parseDois', () => {
  test('reads every input of the vectors, also with problems, without an error and without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const forms = [...new Set(rows.map(({ form }) => form))];
    for (const form of forms) {
      const ofForm = rows.filter((row) => row.form === form);
      const { data, errors } = await query<{ parseDois: Parsed[] }>(
        `query ($inputs: [String!]!, $form: DOIForm) {
          parseDois(inputs: $inputs, form: $form) { input form doi { name } problem { code } }
        }`,
        { inputs: ofForm.map(({ input }) => input), form },
      );
      expect(errors).toBeUndefined();
      const expected = ofForm.map(({ input, name, error, detected }, index) => ({
        input,
        form: detected ?? data.parseDois[index]?.form,
        doi: name === null ? null : { name },
        problem: error === undefined ? null : { code: error },
      }));
      expect(data.parseDois).toEqual(expected);
    }
    expect(calls).toEqual(NO_CALLS);
  });

  test('keeps order and duplicates', async () => {
    const { query, calls } = await createFakeGateway();
    const inputs = ['10.1000/b', 'nonsense', '10.1000/a', '10.1000/b', 'nonsense', 'doi:10.1000/B'];
    const { data } = await query<{ parseDois: Parsed[] }>(
      'query ($inputs: [String!]!) { parseDois(inputs: $inputs) { input doi { name } } }',
      { inputs },
    );
    expect(data.parseDois.map(({ input }) => input)).toEqual(inputs);
    expect(data.parseDois.map(({ doi }) => doi?.name ?? null)).toEqual([
      '10.1000/b',
      null,
      '10.1000/a',
      '10.1000/b',
      null,
      '10.1000/B',
    ]);
    expect(calls).toEqual(NO_CALLS);
  });

  test('of no inputs is no answers', async () => {
    const { query, calls } = await createFakeGateway();
    expect(await query('{ parseDois(inputs: []) { input } }')).toEqual({ data: { parseDois: [] } });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('parseDoi', () => {
  test('names the form that was found', async () => {
    const { query, calls } = await createFakeGateway();
    const forms = {
      WEB_FORM: '10.123/456',
      URI: 'doi:10.123/456',
      URL: 'https://doi.org/10.123/456',
      URN: 'https://doi.org/urn:doi:10.123:456',
      INFO_URI: 'info:doi/10.123/456',
      HANDLE_URI: 'https://hdl.handle.net/10.123/456',
    };
    const { data } = await query<{ parseDois: Parsed[] }>(
      'query ($inputs: [String!]!) { parseDois(inputs: $inputs) { form doi { name } problem { code } } }',
      { inputs: Object.values(forms) },
    );
    expect(data.parseDois).toEqual(
      Object.keys(forms).map((form) => ({ form, doi: { name: '10.123/456' }, problem: null })),
    );
    expect(calls).toEqual(NO_CALLS);
  });

  test('reads a given form alone, and says NOT_IN_FORM of what is written otherwise', async () => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query(`{
      uri: parseDoi(input: "doi:10.1000/456%23789", form: URI) { form doi { name } problem { code } }
      url: parseDoi(input: "doi:10.1000/456%23789", form: URL) { form doi { name } problem { code } }
      name: parseDoi(input: "10.1000/456%23789", form: NAME) { form doi { name } problem { code } }
      literal: parseDoi(input: "doi:10.1000/1", form: NAME) { form doi { name } problem { code } }
      null: parseDoi(input: "10.1000/1", form: null) { form doi { name } problem { code } }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      uri: { form: 'URI', doi: { name: '10.1000/456#789' }, problem: null },
      url: { form: null, doi: null, problem: { code: 'NOT_IN_FORM' } },
      name: { form: 'NAME', doi: { name: '10.1000/456%23789' }, problem: null },
      literal: { form: 'NAME', doi: null, problem: { code: 'NOT_A_DOI' } },
      null: { form: 'WEB_FORM', doi: { name: '10.1000/1' }, problem: null },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('says what is wrong, where, and what to do', async () => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query(
      'query ($input: String!) { parseDoi(input: $input) { form doi { id } problem { code message position } } }',
      { input: 'https://doi.org/10.1000/ab%zz' },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      parseDoi: {
        form: 'URL',
        doi: null,
        problem: {
          code: 'INVALID_PERCENT_ENCODING',
          message: expect.stringMatching(/%25.*form: NAME/),
          position: 26,
        },
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('has no position where nothing particular is at fault', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query('{ parseDoi(input: "10.1000/") { problem { code position } } }');
    expect(data).toEqual({ parseDoi: { problem: { code: 'MISSING_SUFFIX', position: null } } });
  });

  test('gives back the query of a proxy URL in order, decoded, null for a bare flag, and its raw fragment', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      'query ($input: String!) { parseDoi(input: $input) { doi { name } proxyParameters { name value } fragment } }',
      { input: 'https://doi.org/10.1000/1?type=URL&noredirect&locatt=a%3Ab&type=&x=%C3%A9+f#top%20' },
    );
    expect(data).toEqual({
      parseDoi: {
        doi: { name: '10.1000/1' },
        proxyParameters: [
          { name: 'type', value: 'URL' },
          { name: 'noredirect', value: null },
          { name: 'locatt', value: 'a:b' },
          { name: 'type', value: '' },
          { name: 'x', value: 'é+f' },
        ],
        fragment: 'top%20',
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('has neither parameters nor a fragment for anything but a proxy URL', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query(
      '{ parseDoi(input: "doi:10.1000/1?a=b#c") { doi { name } proxyParameters { name } fragment } }',
    );
    expect(data).toEqual({
      parseDoi: { doi: { name: '10.1000/1?a=b#c' }, proxyParameters: [], fragment: null },
    });
  });

  test('gives an input back as it came, spaces, half characters and all', async () => {
    const { query, calls } = await createFakeGateway();
    const inputs = ['  <doi:10.1000/1>\t', '10.1000/\ud800', '', '\u0000', '10.1000/\u{1F600}'];
    const { data, errors } = await query<{ parseDois: Parsed[] }>(
      'query ($inputs: [String!]!) { parseDois(inputs: $inputs) { input problem { code } } }',
      { inputs },
    );
    expect(errors).toBeUndefined();
    expect(data.parseDois.map(({ input }) => input)).toEqual(inputs);
    expect(data.parseDois.map(({ problem }) => problem?.code ?? null)).toEqual([
      null,
      'UNPAIRED_SURROGATE',
      'EMPTY',
      'NON_GRAPHIC_CHARACTER',
      null,
    ]);
    expect(calls).toEqual(NO_CALLS);
  });

  test('looks up only selected fields, once for all spellings', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/a': [urlValue('https://example.org/')] },
    });
    const { data } = await query(
      '{ parseDois(inputs: ["10.1000/a", "nonsense", "doi:10.1000/A"]) { doi { record { handle status } } } }',
    );
    expect(data).toEqual({
      parseDois: [
        { doi: { record: { handle: '10.1000/a', status: 'SUCCESS' } } },
        { doi: null },
        { doi: { record: { handle: '10.1000/A', status: 'SUCCESS' } } },
      ],
    });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/a')], whichRa: [] });
  });
});
