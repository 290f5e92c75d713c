// The laws at the head of the contract, over names of every kind.

import fc from 'fast-check';
import { isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { schema } from '../../src/schema/index.ts';
import { doiNames, nearbyDoiNames } from '../support/doi-names.ts';
import { type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const names = fc.array(doiNames(), { minLength: 1, maxLength: 20 });
const ASKS_THE_DIRECTORY = [
  'alias',
  'bibtex',
  'citation',
  'exists',
  'locations',
  'metadata',
  'record',
  'redirect',
  'references',
  'registrationAgency',
  'relations',
  'ris',
  'suggestions',
  'updates',
  'whichRa',
];

/** The fields of DOI that are functions of the name, with what to select of those that are objects. */
const COMPUTED_FIELDS = fieldsOf('DOI').filter(({ type }) => isNonNullType(type));
const SELECTED: Readonly<Record<string, string>> = {
  characters: '{ codePoint character utf8Hex scripts category }',
  encodings: '{ form label value sourceDocument }',
  warnings: '{ code message position }',
};
const COMPUTED = COMPUTED_FIELDS.map(({ name }) => `${name} ${SELECTED[name] ?? ''}`).join(' ');

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

describe('law 1: every field of DOI is a function of its id', () => {
  test('an id read back gives the same name, the same id, and every computed field the same', async () => {
    const { query, calls } = await createFakeGateway();
    const rows = `dois(inputs: $inputs, form: $form) { ${COMPUTED} }`;
    const ask = (inputs: readonly string[], form: string | null) =>
      query<{ dois: Row[] }>(`query ($inputs: [String!]!, $form: DOIForm) { ${rows} }`, { inputs, form });
    await fc.assert(
      fc.asyncProperty(names, async (spelled) => {
        const asNames = await ask(spelled, 'NAME');
        expect(asNames.errors).toBeUndefined();
        expect(asNames.data.dois.map(({ name }) => name)).toEqual(spelled);
        const ids = asNames.data.dois.map(({ id }) => id);
        expect(await ask(ids, null)).toEqual(asNames);
        expect(await ask(ids, 'URI')).toEqual(asNames);
      }),
    );
    expect(calls).toEqual(NO_CALLS);
  });

  test('doi(input:) reads an id like dois(inputs:) does', async () => {
    const { query, calls } = await createFakeGateway();
    await fc.assert(
      fc.asyncProperty(doiNames(), async (name) => {
        const first = await query<{ doi: Row }>(
          'query ($name: String!) { doi(input: $name, form: NAME) { id name } }',
          {
            name,
          },
        );
        const again = await query('query ($id: String!) { doi(input: $id) { id name } }', {
          id: first.data.doi.id,
        });
        expect(again).toEqual(first);
        expect(again.data).toMatchObject({ doi: { name } });
      }),
    );
    expect(calls).toEqual(NO_CALLS);
  });

  test('two names have one id only if they are the same, code point by code point', async () => {
    const { query } = await createFakeGateway();
    await fc.assert(
      fc.asyncProperty(nearbyDoiNames(), nearbyDoiNames(), async (a, b) => {
        const { data } = await query<{ dois: Row[] }>(
          'query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { id name } }',
          { inputs: [a, b] },
        );
        expect(data.dois[0]?.id === data.dois[1]?.id).toBe(a === b);
      }),
    );
  });

  test('equivalent names share their canonicalName, and no other names do', async () => {
    const { query, calls } = await createFakeGateway();
    await fc.assert(
      fc.asyncProperty(nearbyDoiNames(), nearbyDoiNames(), async (a, b) => {
        const { data, errors } = await query<{
          dois: { canonicalName: string }[];
          doiEquivalence: { equivalent: boolean };
        }>(
          `query ($a: String!, $b: String!) {
            dois(inputs: [$a, $b], form: NAME) { canonicalName }
            doiEquivalence(a: $a, b: $b, form: NAME) { equivalent }
          }`,
          { a, b },
        );
        expect(errors).toBeUndefined();
        const [first, second] = data.dois;
        expect(first?.canonicalName === second?.canonicalName).toBe(data.doiEquivalence.equivalent);
      }),
    );
    expect(calls).toEqual(NO_CALLS);
  });

  test('the case of Basic Latin letters never changes the canonicalName', async () => {
    const { query } = await createFakeGateway();
    const upper = (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    await fc.assert(
      fc.asyncProperty(doiNames(), async (name) => {
        const inputs = [name, upper(name), lower(name)];
        const { data } = await query<{ dois: { name: string; canonicalName: string }[] }>(
          'query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { name canonicalName } }',
          { inputs },
        );
        expect(data.dois).toEqual(inputs.map((input) => ({ name: input, canonicalName: lower(name) })));
      }),
    );
  });
});

describe('law 2: computed fields are non-null, and fields with a look-up are null only for a reason', () => {
  test('only fields with a look-up are nullable, and the look-alike, which most names do not have', () => {
    const nullable = fieldsOf('DOI').filter(({ type }) => !isNonNullType(type));
    const names = nullable.map(({ name }) => name).filter((name) => name !== 'asciiLookalike');
    expect(names.sort()).toEqual(ASKS_THE_DIRECTORY);
  });

  test('no computed field is ever null, nor any item of those that are lists', async () => {
    const { query, calls } = await createFakeGateway();
    await fc.assert(
      fc.asyncProperty(names, async (inputs) => {
        const { data, errors } = await query<{ dois: Row[] }>(
          `query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { ${COMPUTED} } }`,
          { inputs },
        );
        expect(errors).toBeUndefined();
        for (const row of data.dois) {
          expect(Object.keys(row)).toEqual(COMPUTED_FIELDS.map(({ name }) => name));
          expect(Object.values(row).flat()).not.toContain(null);
        }
      }),
    );
    expect(calls).toEqual(NO_CALLS);
  });

  test('whatever the directory does, a null has an error at its path, or whichRa says why', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(recordBehaviours, agencyBehaviours), { minLength: 1, maxLength: 8 }),
        async (behaviours) => {
          const inputs = behaviours.map((_, index) => `10.1000/${index}`);
          const { query } = await createFakeGateway({
            records: Object.fromEntries(behaviours.map(([record], index) => [inputs[index], record])),
            agencies: Object.fromEntries(behaviours.map(([, agency], index) => [inputs[index], agency])),
          });
          const { data, errors = [] } = await query<{ dois: Answered[] }>(
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

describe('law 3: every root field is nullable, and one bad name never costs another', () => {
  test('only the entry for federated gateways is non-null', () => {
    const required = fieldsOf('Query').filter(({ type }) => isNonNullType(type));
    expect(required.map(({ name }) => name).sort()).toEqual(['_entities', '_service']);
  });

  test('the lists in which one item can fail have nullable items', () => {
    const lists = fieldsOf('Query').filter(({ type }) => isListType(type) && !isNonNullType(type.ofType));
    expect(lists.map(({ name }) => name).sort()).toEqual(['dois', 'findDois', 'matchReferences']);
  });

  test('names are answered the same with and without bad ones between them', async () => {
    const bad = fc.constantFrom(
      '',
      '10.1000/',
      '10/abcde',
      'nonsense',
      '10.1000/%',
      '10.1000/\u0007',
      '10.1000/\ud800',
    );
    const { query, calls } = await createFakeGateway();
    const ask = (inputs: readonly string[]) =>
      query<{ dois: unknown[] }>(
        'query ($inputs: [String!]!) { dois(inputs: $inputs) { id name warnings { code } record { status handle } exists } }',
        { inputs },
      );
    const good = doiNames().map((name) => encodeURI(`doi:${name}`).replaceAll('#', '%23'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(good, bad), { minLength: 1, maxLength: 20 }), async (inputs) => {
        const mixed = await ask(inputs);
        const badPlaces = inputs.flatMap((input, index) => (input.startsWith('doi:') ? [] : [index]));
        expect((mixed.errors ?? []).map(({ path }) => path)).toEqual(
          badPlaces.map((index) => ['dois', index]),
        );
        expect(badPlaces.map((index) => mixed.data.dois[index])).toEqual(badPlaces.map(() => null));

        const alone = await ask(inputs.filter((_, index) => !badPlaces.includes(index)));
        expect(alone.errors).toBeUndefined();
        expect(mixed.data.dois.filter((_, index) => !badPlaces.includes(index))).toEqual(alone.data.dois);
      }),
    );
    expect(calls.resolve.length).toBeGreaterThan(0);
    expect(calls.whichRa).toEqual([]);
  });

  test('parseDoi never fails, whatever it is given', async () => {
    const { query, calls } = await createFakeGateway();
    const unit = fc.oneof(
      fc.constantFrom(...['10.', '/', '%', 'doi:', 'urn:doi:', 'https://doi.org/', '<', '>', '?', '#', ' ']),
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    );
    const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
    const form = fc.constantFrom(null, 'NAME', 'WEB_FORM', 'URI', 'URL', 'URN', 'INFO_URI', 'HANDLE_URI');
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), form, async (inputs, asked) => {
        const { data, errors } = await query<{ parseDois: Parsed[] }>(
          'query ($inputs: [String!]!, $form: DOIForm) { parseDois(inputs: $inputs, form: $form) { input doi { id } problem { code } } }',
          { inputs, form: asked },
        );
        expect(errors).toBeUndefined();
        expect(data.parseDois.map(({ input }) => input)).toEqual(inputs);
        for (const { doi, problem } of data.parseDois) expect(doi === null).toBe(problem !== null);
      }),
    );
    expect(calls).toEqual(NO_CALLS);
  });
});

interface Parsed {
  readonly input: string;
  readonly doi: unknown;
  readonly problem: unknown;
}

interface Answered extends Readonly<Record<string, unknown>> {
  readonly whichRa: { readonly status: string } | null;
}

/** The null table's one reason: there is no agency because whichRa says so. */
function isExplained(field: string, { whichRa }: Answered): boolean {
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
