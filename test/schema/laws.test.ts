// The laws at the head of the contract, over names of every kind.

import fc from 'fast-check';
import { isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { schema } from '../../src/schema/index.ts';
import { doiNames } from '../support/doi-names.ts';
import { type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const FIELDS_WITH_A_LOOK_UP = [
  ...['alias', 'bibtex', 'citation', 'exists', 'locations', 'metadata', 'record', 'redirect', 'references'],
  ...['registrationAgency', 'relations', 'ris', 'suggestions', 'updates', 'whichRa'],
];

/** The fields of DOI that are functions of the name. */
const COMPUTED_FIELDS = fieldsOf('DOI').filter(({ type }) => isNonNullType(type));
const SELECTIONS: Readonly<Record<string, string>> = {
  characters: '{ codePoint character utf8Hex scripts category }',
  encodings: '{ form label value sourceDocument }',
  warnings: '{ code message position }',
};
const COMPUTED = COMPUTED_FIELDS.map(({ name }) => `${name} ${SELECTIONS[name] ?? ''}`).join(' ');

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

test('law 1: every computed field is a function of the id, and never null', async () => {
  const { query, calls } = await createFakeGateway();
  const rowsOf = (inputs: readonly string[], form: string | null) =>
    query<{ dois: Row[] }>(
      `query ($inputs: [String!]!, $form: DOIForm) { dois(inputs: $inputs, form: $form) { ${COMPUTED} } }`,
      { inputs, form },
    );
  const names = fc.array(doiNames(), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(names, async (spelled) => {
      const byName = await rowsOf(spelled, 'NAME');
      expect(byName.errors).toBeUndefined();
      expect(byName.data.dois.map(({ name }) => name)).toEqual(spelled);
      for (const row of byName.data.dois) {
        expect(Object.keys(row)).toEqual(COMPUTED_FIELDS.map(({ name }) => name));
        expect(Object.values(row).flat()).not.toContain(null);
      }
      const ids = byName.data.dois.map(({ id }) => id);
      expect(await rowsOf(ids, null)).toEqual(byName);
      expect(await rowsOf(ids, 'URI')).toEqual(byName);
    }),
  );
  expect(calls).toEqual(NO_CALLS);
});

describe('law 2: a field with a look-up is null only for a reason', () => {
  test('only fields with a look-up and asciiLookalike are nullable', () => {
    const nullable = fieldsOf('DOI').filter(({ type }) => !isNonNullType(type));
    const names = nullable.map(({ name }) => name).filter((name) => name !== 'asciiLookalike');
    expect(names.sort()).toEqual(FIELDS_WITH_A_LOOK_UP);
  });

  test('each null has an error at its path, or whichRa has the reason', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(recordBehaviours, agencyBehaviours), { minLength: 1, maxLength: 8 }),
        async (behaviours) => {
          const inputs = behaviours.map((_, index) => `10.1000/${index}`);
          const { query } = await createFakeGateway({
            records: Object.fromEntries(behaviours.map(([record], index) => [inputs[index], record])),
            agencies: Object.fromEntries(behaviours.map(([, agency], index) => [inputs[index], agency])),
          });
          const { data, errors = [] } = await query<{ dois: LookedUp[] }>(
            `query ($inputs: [String!]!) {
              dois(inputs: $inputs) { record { status } exists whichRa { status } registrationAgency { name } }
            }`,
            { inputs },
          );
          const nulls = data.dois.flatMap((doi, index) =>
            Object.entries(doi)
              .filter(([field, value]) => value === null && !isExplained(field, doi))
              .map(([field]) => `dois.${index}.${field}`),
          );
          expect(errors.map(({ path }) => path?.join('.')).sort()).toEqual(nulls.sort());
        },
      ),
    );
  });
});

describe('law 3: a bad name does not change the result of another name', () => {
  test('only the fields for federated gateways are non-null at the root', () => {
    const required = fieldsOf('Query').filter(({ type }) => isNonNullType(type));
    expect(required.map(({ name }) => name).sort()).toEqual(['_entities', '_service']);
  });

  test('a list has nullable items if one item can fail', () => {
    const lists = fieldsOf('Query').filter(({ type }) => isListType(type) && !isNonNullType(type.ofType));
    expect(lists.map(({ name }) => name).sort()).toEqual(['dois', 'findDois', 'matchReferences']);
  });

  test('names have the same results with and without bad names between them', async () => {
    const bad = fc.constantFrom(
      ...['', '10.1000/', '10/abcde', 'nonsense', '10.1000/%', '10.1000/\u0007', '10.1000/\ud800'],
    );
    const { query, calls } = await createFakeGateway();
    const resultOf = (inputs: readonly string[]) =>
      query<{ dois: unknown[] }>(
        'query ($inputs: [String!]!) { dois(inputs: $inputs) { id name warnings { code } record { status handle } exists } }',
        { inputs },
      );
    const good = doiNames().map((name) => encodeURI(`doi:${name}`).replaceAll('#', '%23'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(good, bad), { minLength: 1, maxLength: 20 }), async (inputs) => {
        const mixed = await resultOf(inputs);
        const badIndexes = inputs.flatMap((input, index) => (input.startsWith('doi:') ? [] : [index]));
        expect((mixed.errors ?? []).map(({ path }) => path)).toEqual(
          badIndexes.map((index) => ['dois', index]),
        );
        expect(badIndexes.map((index) => mixed.data.dois[index])).toEqual(badIndexes.map(() => null));

        const alone = await resultOf(inputs.filter((_, index) => !badIndexes.includes(index)));
        expect(alone.errors).toBeUndefined();
        expect(mixed.data.dois.filter((_, index) => !badIndexes.includes(index))).toEqual(alone.data.dois);
      }),
    );
    expect(calls.resolve.length).toBeGreaterThan(0);
    expect(calls.whichRa).toEqual([]);
  });
});

interface LookedUp extends Readonly<Record<string, unknown>> {
  readonly whichRa: { readonly status: string } | null;
}

/** The only null without an error: a name without an agency. */
function isExplained(field: string, { whichRa }: LookedUp): boolean {
  return field === 'registrationAgency' && whichRa !== null && whichRa.status !== 'FOUND';
}

const failures = fc.constantFrom(
  new GatewayError('UPSTREAM_TIMEOUT'),
  new GatewayError('UPSTREAM_BAD_RESPONSE'),
  new Error('unexpected'),
);
const recordBehaviours: fc.Arbitrary<RecordBehaviour> = fc.oneof(
  fc.constant([urlValue('https://example.org/')]),
  fc.constantFrom(100, 200, 2, 4, 999),
  failures,
);
const agencyBehaviours: fc.Arbitrary<WhichRaVerdict | Error> = fc.oneof(
  fc.constant<WhichRaVerdict>({ status: 'FOUND', agency: 'Crossref' }),
  fc.constantFrom<WhichRaVerdict[]>(
    { status: 'INVALID_DOI', agency: null },
    { status: 'DOES_NOT_EXIST', agency: null },
    { status: 'UNKNOWN', agency: null },
  ),
  failures,
);

function fieldsOf(typeName: string) {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
  return Object.values(type.getFields());
}
