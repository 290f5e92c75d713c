// parseDoi and parseDois: a problem of an input is data, never an error. packages/doi-names/test has the rules.

import { expect, test } from 'vitest';
import { readVectors } from '../../checks/conformance/run/vectors.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const rows = readVectors('parse').cases.map(({ input, expected, details }) => ({
  input: input.text,
  form: input.form ?? null,
  name: expected.name,
  detected: details?.form,
  problem: details?.problem,
}));

interface Parsed {
  readonly input: string;
  readonly form: string | null;
  readonly doi: { readonly name: string } | null;
  readonly problem: { readonly code: string } | null;
}

test('parseDois reads every input of the vectors without an error and without a look-up', async () => {
  const { query, calls } = await createFakeGateway();
  for (const form of new Set(rows.map((row) => row.form))) {
    const ofForm = rows.filter((row) => row.form === form);
    const { data, errors } = await query<{ parseDois: Parsed[] }>(
      `query ($inputs: [String!]!, $form: DOIForm) {
        parseDois(inputs: $inputs, form: $form) { input form doi { name } problem { code } }
      }`,
      { inputs: ofForm.map(({ input }) => input), form },
    );
    expect(errors).toBeUndefined();
    const expected = ofForm.map(({ input, name, problem, detected }, index) => ({
      input,
      form: detected ?? data.parseDois[index]?.form,
      doi: name === null ? null : { name },
      problem: problem === undefined ? null : { code: problem },
    }));
    expect(data.parseDois).toEqual(expected);
  }
  expect(calls).toEqual(NO_CALLS);
});

test('parseDois has one item for each input, in order, with the input as it was sent', async () => {
  const { query } = await createFakeGateway();
  const inputs = [
    ...['10.1000/b', 'nonsense', '10.1000/b', '', 'nonsense', 'doi:10.1000/B'],
    ...['  <doi:10.1000/1>\t', '10.1000/\ud800', '\u0000', '10.1000/\u{1F600}'],
  ];
  const QUERY = 'query ($inputs: [String!]!) { parseDois(inputs: $inputs) { input doi { name } } }';
  const { data } = await query<{ parseDois: Parsed[] }>(QUERY, { inputs });
  expect(data.parseDois.map(({ input }) => input)).toEqual(inputs);
  expect(data.parseDois.map(({ doi }) => doi?.name ?? null)).toEqual([
    ...['10.1000/b', null, '10.1000/b', null, null, '10.1000/B'],
    ...['10.1000/1', null, null, '10.1000/\u{1F600}'],
  ]);
  expect(await query(QUERY, { inputs: [] })).toEqual({ data: { parseDois: [] } });
});

test('parseDoi with a form reads only this form, and null means any form', async () => {
  const { query } = await createFakeGateway();
  const { data } = await query(`{
    uri: parseDoi(input: "doi:10.1000/456%23789", form: URI) { form doi { name } problem { code } }
    url: parseDoi(input: "doi:10.1000/456%23789", form: URL) { form doi { name } problem { code } }
    name: parseDoi(input: "10.1000/456%23789", form: NAME) { form doi { name } problem { code } }
    null: parseDoi(input: "10.1000/1", form: null) { form doi { name } problem { code } }
  }`);
  expect(data).toEqual({
    uri: { form: 'URI', doi: { name: '10.1000/456#789' }, problem: null },
    url: { form: null, doi: null, problem: { code: 'NOT_IN_FORM' } },
    name: { form: 'NAME', doi: { name: '10.1000/456%23789' }, problem: null },
    null: { form: 'WEB_FORM', doi: { name: '10.1000/1' }, problem: null },
  });
});

test.each([
  ['https://doi.org/10.1000/ab%zz', 'URL', 'INVALID_PERCENT_ENCODING', 26, /%25.*form: NAME/],
  ['10.1000/', null, 'MISSING_SUFFIX', null, /suffix/],
])('the problem of %j has a code, a position and advice', async (input, form, code, position, advice) => {
  const { query } = await createFakeGateway();
  const result = await query(
    'query ($input: String!) { parseDoi(input: $input) { form doi { id } problem { code message position } } }',
    { input },
  );
  const problem = { code, message: expect.stringMatching(advice), position };
  expect(result).toMatchObject({ data: { parseDoi: { ...(form && { form }), doi: null, problem } } });
});

test.each([
  [
    'https://doi.org/10.1000/1?type=URL&noredirect&locatt=a%3Ab&type=&x=%C3%A9+f#top%20',
    '10.1000/1',
    [
      ['type', 'URL'],
      ['noredirect', null],
      ['locatt', 'a:b'],
      ['type', ''],
      ['x', 'é+f'],
    ],
    'top%20',
  ],
  ['doi:10.1000/1?a=b#c', '10.1000/1?a=b#c', [], null],
])(
  'only a URL has parameters, decoded and in order, and a raw fragment: %s',
  async (input, name, pairs, fragment) => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      'query ($input: String!) { parseDoi(input: $input) { doi { name } proxyParameters { name value } fragment } }',
      { input },
    );
    const proxyParameters = pairs.map(([parameter, value]) => ({ name: parameter, value }));
    expect(data).toEqual({ parseDoi: { doi: { name }, proxyParameters, fragment } });
    expect(calls).toEqual(NO_CALLS);
  },
);
