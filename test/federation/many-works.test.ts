// The cost of a federated query over many works, and the effect of one failed look-up.

import { expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFederatedGateway } from './federated-gateway.ts';

const NAMES = Array.from({ length: 1000 }, (_, index) => `10.123/Work.${index}`);

const canonical = (name: string): string => name.toLowerCase();

/** A directory with all names, of which some behave differently. */
function createDirectory(different: Readonly<Record<string, RecordBehaviour>> = {}) {
  return createFakeDirectory({
    records: {
      ...Object.fromEntries(
        NAMES.map((name) => [canonical(name), [urlValue(`https://example.org/${name}`)]]),
      ),
      ...different,
    },
    agencies: Object.fromEntries(
      NAMES.map((name) => [canonical(name), { status: 'FOUND', agency: 'DataCite' } as const]),
    ),
  });
}

const catalogOf = (refs: readonly string[]) => ({
  'catalog-by-ref': { query: { works: refs.map((ref, id) => ({ id, title: `Work ${id}`, doi: { ref } })) } },
});

const DOI_FIELDS =
  'doi { name record { status values { text } } registrationAgency { name } redirect { url } }';

const whole = (name: string, id: number) => ({
  title: `Work ${id}`,
  doi: {
    name,
    record: { status: 'SUCCESS', values: [{ text: `https://example.org/${NAMES[id]}` }] },
    registrationAgency: { name: 'DataCite' },
    redirect: { url: `https://example.org/${NAMES[id]}` },
  },
});

test('1,000 works cost one request, one look-up of each record and one Which RA batch', async () => {
  const directory = createDirectory();
  const gateway = await createFederatedGateway({
    directory,
    others: catalogOf(NAMES.map((name) => `https://doi.org/${name}`)),
  });

  expect(await gateway.query(`{ works { title ${DOI_FIELDS} } }`)).toEqual({
    data: { works: NAMES.map(whole) },
  });
  expect(gateway.requests['doi']).toHaveLength(1);
  expect(directory.calls.resolve).toHaveLength(NAMES.length);
  expect(directory.calls.whichRa.map((names) => names.toSorted())).toEqual([NAMES.toSorted()]);
});

test('a failed look-up does not affect the 499 other works', async () => {
  const names = NAMES.slice(0, 500);
  const gateway = await createFederatedGateway({
    directory: createDirectory({ '10.123/work.123': new GatewayError('UPSTREAM_TIMEOUT') }),
    others: catalogOf(names),
  });

  const { data, errors } = await gateway.query(`{ works { title doi { name record { status } } } }`);

  expect(data).toEqual({
    works: names.map((name, index) => ({
      title: `Work ${index}`,
      doi: { name, record: index === 123 ? null : { status: 'SUCCESS' } },
    })),
  });
  const extensions = { code: 'UPSTREAM_TIMEOUT', retryable: true };
  const { result } = gateway.requests['doi']?.[0] ?? {};
  expect(result?.errors).toMatchObject([{ path: ['_entities', 123, 'record'], extensions }]);
  // @graphql-tools puts the index of the first work of a batch here (ardatan/graphql-tools#2951); Apollo's
  // gateway puts the right index, as test/routers shows.
  expect(errors).toMatchObject([{ path: ['works', expect.any(Number), 'doi', 'record'], extensions }]);
});

test('a federated gateway that batches sends two paths in one request, and each DOI costs one look-up', async () => {
  const directory = createDirectory();
  const others = {
    ...catalogOf(['10.123/Work.1', '10.123/Work.2']),
    'catalog-by-name': { query: { books: [{ isbn: '1', doi: { name: '10.123/WORK.1' } }] } },
  };
  const gateway = await createFederatedGateway({ directory, others, batch: true });

  const { data, errors } = await gateway.query(
    '{ works { doi { name exists } } books { doi { name exists } } }',
  );

  expect(errors).toBeUndefined();
  expect(data).toEqual({
    works: [
      { doi: { name: '10.123/Work.1', exists: true } },
      { doi: { name: '10.123/Work.2', exists: true } },
    ],
    books: [{ doi: { name: '10.123/WORK.1', exists: true } }],
  });
  expect(gateway.requests['doi']).toHaveLength(1);
  expect(gateway.requests['doi']?.[0]?.query.match(/_entities\(/g)).toHaveLength(2);
  const lookedUp = directory.calls.resolve.map(({ name }) => canonical(name));
  expect(lookedUp).toHaveLength(2);
  expect(new Set(lookedUp)).toEqual(new Set(['10.123/work.1', '10.123/work.2']));
});

test('the client of a federated gateway gets LIMIT_EXCEEDED for a query over the limit', async () => {
  const gateway = await createFederatedGateway({
    limits: { complexity: 1_000 },
    others: catalogOf(NAMES.slice(0, 50)),
  });

  const { data, errors = [] } = await gateway.query('{ works { title doi { name exists } } }');

  expect(data).toMatchObject({
    works: NAMES.slice(0, 50).map((_, id) => ({ title: `Work ${id}`, doi: null })),
  });
  expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(new Set(['LIMIT_EXCEEDED']));
});
