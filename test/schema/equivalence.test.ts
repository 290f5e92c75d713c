// Whether inputs name the same DOI, in pairs and in sets.

import { describe, expect, test } from 'vitest';
import { readVectors } from '../../checks/conformance/run/vectors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { asked, createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const rows = readVectors('equivalence').cases.map(({ input, expected, details }) => ({
  ...input,
  ...expected,
  relation: details?.relation,
}));

describe('doiEquivalence', () => {
  for (const { a, b, equivalent, relation } of rows) {
    test(`${a} and ${b}: ${relation}`, async () => {
      const { query, calls } = await createFakeGateway();
      const compare = `query ($a: String!, $b: String!) {
      doiEquivalence(a: $a, b: $b) { equivalent relation explanation }
      turned: doiEquivalence(a: $b, b: $a) { equivalent relation }
    }`;
      expect(await query(compare, { a, b })).toEqual({
        data: {
          doiEquivalence: { equivalent, relation, explanation: expect.stringMatching(/\w.*\.$/) },
          turned: { equivalent, relation },
        },
      });
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('gives both inputs as they were read', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } =
      await query(`{ doiEquivalence(a: "10.123/ABC", b: "https://doi.org/10.123/AbC?type=URL") {
      a { input form doi { name canonicalName } }
      b { input form doi { name canonicalName } proxyParameters { name value } }
      equivalent
    } }`);
    expect(data).toEqual({
      doiEquivalence: {
        a: {
          input: '10.123/ABC',
          form: 'WEB_FORM',
          doi: { name: '10.123/ABC', canonicalName: '10.123/abc' },
        },
        b: {
          input: 'https://doi.org/10.123/AbC?type=URL',
          form: 'URL',
          doi: { name: '10.123/AbC', canonicalName: '10.123/abc' },
          proxyParameters: [{ name: 'type', value: 'URL' }],
        },
        equivalent: true,
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  const invalid = [
    { a: 'nonsense', b: '10.1000/1', problems: ['NOT_A_DOI', null] },
    { a: '10.1000/1', b: '10.1000/', problems: [null, 'MISSING_SUFFIX'] },
    { a: '', b: '10/abcde', problems: ['EMPTY', 'SHORT_DOI'] },
  ];
  for (const { a, b, problems } of invalid) {
    test(`has no verdict on "${a}" and "${b}", and says which is no DOI`, async () => {
      const { query, calls } = await createFakeGateway();
      const result = await query(
        `query ($a: String!, $b: String!) { doiEquivalence(a: $a, b: $b) {
        equivalent equivalentInNiso2000 relation a { problem { code } } b { problem { code } }
      } }`,
        { a, b },
      );
      const [problemOfA, problemOfB] = problems.map((code) => ({ problem: code === null ? null : { code } }));
      expect(result).toEqual({
        data: {
          doiEquivalence: {
            equivalent: null,
            equivalentInNiso2000: null,
            relation: 'INVALID',
            a: problemOfA,
            b: problemOfB,
          },
        },
      });
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('shows the verdict of 2000 beside that of today: equal code point by code point', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query(`{
      same: doiEquivalence(a: "10.1000/a", b: "doi:10.1000/a") { equivalent equivalentInNiso2000 }
      case: doiEquivalence(a: "10.1000/a", b: "10.1000/A") { equivalent equivalentInNiso2000 }
      other: doiEquivalence(a: "10.1000/a", b: "10.1000/b") { equivalent equivalentInNiso2000 }
    }`);
    expect(data).toEqual({
      same: { equivalent: true, equivalentInNiso2000: true },
      case: { equivalent: true, equivalentInNiso2000: false },
      other: { equivalent: false, equivalentInNiso2000: false },
    });
  });

  test('reads both inputs in the form that is given', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query(`{
      decoded: doiEquivalence(a: "10.1000/%41", b: "10.1000/A") { relation }
      literal: doiEquivalence(a: "10.1000/%41", b: "10.1000/A", form: NAME) { relation }
    }`);
    expect(data).toEqual({ decoded: { relation: 'IDENTICAL' }, literal: { relation: 'DOUBLE_ENCODING' } });
  });
});

describe('doiEquivalenceClasses', () => {
  const INPUTS = [
    '10.1000/a',
    'doi:10.1000/b',
    'nonsense',
    'https://doi.org/10.1000/A',
    '10.1000/a',
    '10.1000/B',
    '',
  ];

  test('sorts inputs into classes by first member, members in input order, and keeps what is unreadable', async () => {
    const { query, calls } = await createFakeGateway();
    const result = await query(
      `query ($inputs: [String!]!) { doiEquivalenceClasses(inputs: $inputs) {
        classes { doi { name } members { index input } } unreadable { index input problem { code } }
      } }`,
      { inputs: INPUTS },
    );
    expect(result).toEqual({
      data: {
        doiEquivalenceClasses: {
          classes: [
            {
              doi: { name: '10.1000/a' },
              members: [
                { index: 0, input: '10.1000/a' },
                { index: 3, input: 'https://doi.org/10.1000/A' },
                { index: 4, input: '10.1000/a' },
              ],
            },
            {
              doi: { name: '10.1000/b' },
              members: [
                { index: 1, input: 'doi:10.1000/b' },
                { index: 5, input: '10.1000/B' },
              ],
            },
          ],
          unreadable: [
            { index: 2, input: 'nonsense', problem: { code: 'NOT_A_DOI' } },
            { index: 6, input: '', problem: { code: 'EMPTY' } },
          ],
        },
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('looks up once for each class', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/a': [urlValue('https://example.org/')] },
    });
    const { data } = await query(
      `query ($inputs: [String!]!) { doiEquivalenceClasses(inputs: $inputs) {
        classes { doi { exists record { handle } } }
      } }`,
      { inputs: INPUTS },
    );
    expect(data).toEqual({
      doiEquivalenceClasses: {
        classes: [
          { doi: { exists: true, record: { handle: '10.1000/a' } } },
          { doi: { exists: false, record: { handle: '10.1000/b' } } },
        ],
      },
    });
    expect(calls).toEqual({ resolve: [asked('10.1000/a'), asked('10.1000/b')], whichRa: [] });
  });

  test('keeps apart what is only nearly the same: normalization, other letters, a slash at the end', async () => {
    const { query } = await createFakeGateway();
    const inputs = [
      '10.1000/\u00e9',
      '10.1000/e\u0301',
      '10.1000/\u00c9',
      '10.1000/k',
      '10.1000/\u212a',
      '10.1000/k/',
    ];
    const { data } = await query<{ doiEquivalenceClasses: { classes: { members: { index: number }[] }[] } }>(
      'query ($inputs: [String!]!) { doiEquivalenceClasses(inputs: $inputs) { classes { members { index } } } }',
      { inputs },
    );
    expect(data.doiEquivalenceClasses.classes).toEqual(inputs.map((_, index) => ({ members: [{ index }] })));
  });

  test('of no inputs are empty; inputs are read in the given form', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query(`{
      none: doiEquivalenceClasses(inputs: []) { classes { doi { id } } unreadable { index } }
      literal: doiEquivalenceClasses(inputs: ["10.1000/%41", "10.1000/A", "doi:10.1000/A"], form: NAME) {
        classes { members { index } } unreadable { index problem { code } }
      }
    }`);
    expect(data).toEqual({
      none: { classes: [], unreadable: [] },
      literal: {
        classes: [{ members: [{ index: 0 }] }, { members: [{ index: 1 }] }],
        unreadable: [{ index: 2, problem: { code: 'NOT_A_DOI' } }],
      },
    });
  });
});
