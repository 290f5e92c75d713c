// Catalogs, reviews and agencies that know nothing of each other, joined through the gateway by a federated one.

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

test('three catalogs join by ref, name and id, and each sees its own spelling', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-ref': BY_REF, 'catalog-by-name': BY_NAME, 'catalog-by-id': BY_ID },
  });

  const doi = 'doi { name canonicalName urn record { handle values { text } } registrationAgency { title } }';
  const answer = await gateway.query(
    `{ works { title ${doi} } books { isbn ${doi} } articles { number ${doi} } }`,
  );

  const joined = (name: string) => ({
    name,
    canonicalName: '10.123/abc',
    urn: `urn:doi:${name.replace('/', ':')}`,
    record: { handle: name, values: [{ text: 'https://example.org/abc' }] },
    registrationAgency: { title: 'Crossref' },
  });
  expect(answer).toEqual({
    data: {
      works: [{ title: 'A work', doi: joined('10.123/Abc') }],
      books: [{ isbn: '2', doi: joined('10.123/ABC') }],
      articles: [{ number: 3, doi: joined('10.123/aBc') }],
    },
  });
});

test('each key reaches the gateway as its catalog stored it', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: {
      'catalog-by-ref': BY_REF,
      'catalog-by-name': BY_NAME,
      'catalog-by-id': BY_ID,
      reviews: REVIEWS,
    },
  });

  await gateway.query(
    '{ works { doi { url } } books { doi { url } } articles { doi { url } } latestReview { doi { url } } }',
  );

  const sent = gateway.requests['doi']?.flatMap(({ variables }) => variables['representations']);
  expect(sent).toHaveLength(4);
  expect(sent).toEqual(
    expect.arrayContaining([
      { __typename: 'DOI', ref: 'https://doi.org/10.123/Abc' },
      { __typename: 'DOI', name: '10.123/ABC' },
      { __typename: 'DOI', id: 'doi:10.123/aBc' },
      { __typename: 'DOI', canonicalName: '10.123/abc' },
    ]),
  );
});

test('a catalog that has no canonical names reaches reviews that have nothing else', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-ref': BY_REF, reviews: REVIEWS },
  });

  const answer = await gateway.query('{ works { title doi { reviews { text doi { name uri } } } } }');

  const review = { text: 'Of 10.123/abc.', doi: { name: '10.123/abc', uri: 'doi:10.123/abc' } };
  expect(answer).toEqual({ data: { works: [{ title: 'A work', doi: { reviews: [review] } }] } });
});

test('a DOI asked of the gateway itself has its reviews', async () => {
  const gateway = await createFederatedGateway({ others: { reviews: REVIEWS } });
  expect(await gateway.query('{ doi(input: "doi:10.123/ABC") { name reviews { text } } }')).toEqual({
    data: { doi: { name: '10.123/ABC', reviews: [{ text: 'Of 10.123/abc.' }] } },
  });
});

test('an agency is joined to what another subgraph knows of it', async () => {
  const gateway = await createFederatedGateway({
    directory: createDirectory(),
    others: { 'catalog-by-name': BY_NAME, 'agency-contacts': CONTACTS },
  });

  const answer = await gateway.query('{ books { doi { registrationAgency { name title contact } } } }');

  const agency = { name: 'Crossref', title: 'Crossref', contact: 'Crossref@example.org' };
  expect(answer).toEqual({ data: { books: [{ doi: { registrationAgency: agency } }] } });
});

test('a catalog that computes the shared fields itself is not overruled', async () => {
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

test('clients of the federated gateway see no ref', async () => {
  const gateway = await createFederatedGateway({ others: { 'catalog-by-ref': BY_REF } });

  const { data } = await gateway.query<{ __type: { fields: { name: string }[] } }>(
    '{ __type(name: "DOI") { fields { name } } }',
  );
  const fields = data.__type.fields.map(({ name }) => name);
  expect(fields).toEqual(expect.arrayContaining(['id', 'name', 'canonicalName', 'record']));
  expect(fields).not.toContain('ref');
  const { errors } = await gateway.query('{ works { doi { ref } } }');
  expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
});
