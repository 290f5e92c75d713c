// A federated gateway joins catalogs, reviews and agencies of independent subgraphs through our gateway.

import { expect, test } from 'vitest';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createFederatedGateway } from './federated-gateway.ts';

/** One DOI, as three catalogs stored it. */
const BY_REF = {
  query: { works: [{ id: '1', title: 'A work', doi: { ref: 'https://doi.org/10.123/Abc' } }] },
};
const BY_NAME = { query: { books: [{ isbn: '2', doi: { name: '10.123/ABC' } }] } };
const BY_ID = { query: { articles: [{ number: 3, doi: { id: 'doi:10.123/aBc' } }] } };

const reviewsOf = (canonicalName: unknown) => [{ text: `Of ${canonicalName}.`, doi: { canonicalName } }];
const REVIEWS = {
  query: { latestReview: { text: 'The latest.', doi: { canonicalName: '10.123/abc' } } },
  entities: {
    DOI: ({ canonicalName }: { canonicalName?: unknown }) => ({ reviews: reviewsOf(canonicalName) }),
  },
};

const CONTACTS = {
  entities: { RegistrationAgency: ({ name }: { name?: unknown }) => ({ contact: `${name}@example.org` }) },
};

const createDirectory = () =>
  createFakeDirectory({
    records: { '10.123/abc': [urlValue('https://example.org/abc')] },
    agencies: { '10.123/abc': { status: 'FOUND', agency: 'Crossref' } },
  });

test('three catalogs join by ref, name and id, and each gets the spelling that it sent', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-ref': BY_REF, 'catalog-by-name': BY_NAME, 'catalog-by-id': BY_ID },
  });

  const doi = 'doi { name canonicalName urn record { handle values { text } } registrationAgency { title } }';
  const result = await gateway.query(
    `{ works { title ${doi} } books { isbn ${doi} } articles { number ${doi} } }`,
  );

  const joined = (name: string) => ({
    name,
    canonicalName: '10.123/abc',
    urn: `urn:doi:${name.replace('/', ':')}`,
    record: { handle: name, values: [{ text: 'https://example.org/abc' }] },
    registrationAgency: { title: 'Crossref' },
  });
  expect(result).toEqual({
    data: {
      works: [{ title: 'A work', doi: joined('10.123/Abc') }],
      books: [{ isbn: '2', doi: joined('10.123/ABC') }],
      articles: [{ number: 3, doi: joined('10.123/aBc') }],
    },
  });
});

test('a catalog without canonical names joins reviews that have only canonical names', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-ref': BY_REF, reviews: REVIEWS },
  });

  const result = await gateway.query('{ works { title doi { reviews { text doi { name uri } } } } }');

  const review = { text: 'Of 10.123/abc.', doi: { name: '10.123/abc', uri: 'doi:10.123/abc' } };
  expect(result).toEqual({ data: { works: [{ title: 'A work', doi: { reviews: [review] } }] } });
});

test('a DOI of the root field `doi` has its reviews', async () => {
  const gateway = await createFederatedGateway({ others: { reviews: REVIEWS } });
  expect(await gateway.query('{ doi(input: "doi:10.123/ABC") { name reviews { text } } }')).toEqual({
    data: { doi: { name: '10.123/ABC', reviews: [{ text: 'Of 10.123/abc.' }] } },
  });
});

test('an agency has the fields of another subgraph', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-name': BY_NAME, 'agency-contacts': CONTACTS },
  });

  const result = await gateway.query('{ books { doi { registrationAgency { name title contact } } } }');

  const agency = { name: 'Crossref', title: 'Crossref', contact: 'Crossref@example.org' };
  expect(result).toEqual({ data: { books: [{ doi: { registrationAgency: agency } }] } });
});

test('the shared fields of a catalog cost no request to our gateway', async () => {
  const shared = {
    name: '10.123/ABC',
    canonicalName: '10.123/abc',
    prefix: '10.123',
    suffix: 'ABC',
    uri: 'doi:10.123/ABC',
    display: 'doi:10.123/ABC',
    urn: 'urn:doi:10.123:ABC',
  };
  const gateway = await createFederatedGateway({
    others: { 'shared-fields': { query: { items: [{ doi: shared }] } } },
  });

  const all = Object.keys(shared).join(' ');
  expect(await gateway.query(`{ items { doi { ${all} } } }`)).toEqual({ data: { items: [{ doi: shared }] } });
  expect(gateway.requests['doi']).toEqual([]);
});
