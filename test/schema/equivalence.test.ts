// Whether inputs name the same DOI, in pairs and in lists. packages/doi-names/test has the rules.

import { describe, expect, test } from 'vitest';
import { readVectors } from '../../checks/conformance/run/vectors.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const rows = readVectors('equivalence').cases.map(({ input, expected, details }) => ({
  ...input,
  ...expected,
  relation: details?.relation,
}));

describe('doiEquivalence', () => {
  test('has the relation that the vectors list for each pair, in both orders and without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const compare = `query ($a: String!, $b: String!) {
      doiEquivalence(a: $a, b: $b) { equivalent relation explanation }
      reversed: doiEquivalence(a: $b, b: $a) { equivalent relation }
    }`;
    for (const { a, b, equivalent, relation } of rows) {
      expect(await query(compare, { a, b }), `${a} and ${b}`).toEqual({
        data: {
          doiEquivalence: { equivalent, relation, explanation: expect.stringMatching(/\w.*\.$/) },
          reversed: { equivalent, relation },
        },
      });
    }
    expect(calls).toEqual(NO_CALLS);
  });

  test('has both inputs, as parseDoi reads them', async () => {
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

  test.each([
    ['nonsense', '10.1000/1', 'NOT_A_DOI', null],
    ['10.1000/1', '10.1000/', null, 'MISSING_SUFFIX'],
    ['', '10/abcde', 'EMPTY', 'SHORT_DOI'],
  ])('has no verdict on %j and %j, and says which side is no DOI', async (a, b, codeOfA, codeOfB) => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      `query ($a: String!, $b: String!) { doiEquivalence(a: $a, b: $b) {
        equivalent equivalentInNiso2000 relation a { problem { code } } b { problem { code } }
      } }`,
      { a, b },
    );
    const sideWith = (code: string | null) => ({ problem: code === null ? null : { code } });
    expect(data).toEqual({
      doiEquivalence: {
        equivalent: null,
        equivalentInNiso2000: null,
        relation: 'INVALID',
        a: sideWith(codeOfA),
        b: sideWith(codeOfB),
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('also has the verdict of Z39.84-2000, which compares code point by code point', async () => {
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

  test('reads both inputs in the given form', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query(`{
      decoded: doiEquivalence(a: "10.1000/%41", b: "10.1000/A") { relation }
      literal: doiEquivalence(a: "10.1000/%41", b: "10.1000/A", form: NAME) { relation }
      reversed: doiEquivalence(a: "10.1000/A", b: "10.1000/%41", form: NAME) { relation }
    }`);
    expect(data).toEqual({
      decoded: { relation: 'IDENTICAL' },
      literal: { relation: 'DOUBLE_ENCODING' },
      reversed: { relation: 'DOUBLE_ENCODING' },
    });
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

  test('lists classes and members in the order of the inputs, and unreadable inputs apart', async () => {
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

  test('is empty for no inputs, and reads inputs in the given form', async () => {
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
