// Composes and asks with Apollo's own composer and gateway, says what it did, and ends with 1 where an answer
// is not as it should be: `node test/apollo-composition/run.mjs`
import assert from 'node:assert/strict';
import { compose, SETS } from './compose.mjs';
import { startDoiGateway } from './doi-gateway.mjs';
import { createFederatedGateway } from './federated.mjs';

const done = (what) => console.log(`ok: ${what}`);

const reviewsOf = (canonicalName) => [{ text: `Of ${canonicalName}.` }];
const REVIEWS = { entities: { DOI: ({ canonicalName }) => ({ reviews: reviewsOf(canonicalName) }) } };
const CONTACTS = { entities: { RegistrationAgency: ({ name }) => ({ contact: `${name}@example.org` }) } };
const worksOf = (refs) => ({
  query: { works: refs.map((ref, id) => ({ id, title: `Work ${id}`, doi: { ref } })) },
});

async function join(url) {
  const federated = await createFederatedGateway(url, {
    'catalog-by-ref': worksOf(['https://doi.org/10.1021/JACS.5c01100']),
    'catalog-by-name': { query: { books: [{ isbn: '1', doi: { name: '10.1021/JACS.5C01100' } }] } },
    'catalog-by-id': { query: { articles: [{ number: 1, doi: { id: 'doi:10.1021/jacs.5c01100' } }] } },
    reviews: REVIEWS,
    'agency-contacts': CONTACTS,
  });
  const doi = 'doi { name record { status } registrationAgency { title contact } reviews { text } }';
  const answer = await federated.query(`{ works { ${doi} } books { ${doi} } articles { ${doi} } }`);
  const joined = (name) => ({
    doi: {
      name,
      record: { status: 'SUCCESS' },
      registrationAgency: { title: 'Crossref', contact: 'Crossref@example.org' },
      reviews: [{ text: 'Of 10.1021/jacs.5c01100.' }],
    },
  });
  assert.deepEqual(answer, {
    data: {
      works: [joined('10.1021/JACS.5c01100')],
      books: [joined('10.1021/JACS.5C01100')],
      articles: [joined('10.1021/jacs.5c01100')],
    },
  });
  assert.equal(federated.schema.getType('DOI').getFields().ref, undefined);
  await federated.stop();
  done('three catalogs, reviews and contacts joined by four keys and an agency; clients see no ref');
}

async function many(url) {
  const refs = Array.from({ length: 1000 }, (_, index) => `https://doi.org/10.5555/many-${index}`);
  const federated = await createFederatedGateway(url, { 'catalog-by-ref': worksOf(refs) });
  const { data, errors } = await federated.query(
    '{ works { doi { name record { status } registrationAgency { name } redirect { chosenBy } } } }',
  );
  assert.equal(errors, undefined);
  assert.deepEqual(
    data.works.map(({ doi }) => `https://doi.org/${doi.name}`),
    refs,
  );
  assert.equal(federated.requests.length, 1);
  assert.equal(federated.requests[0].variables.representations.length, 1000);
  await federated.stop();
  done('1,000 works with record, agency and redirect in one request');
}

async function failures(url) {
  const refs = Array.from({ length: 500 }, (_, index) => `10.5555/many-${index}`);
  refs[77] = '10.5555/';
  refs[123] = '10.5555/loop1';
  refs[200] = null;
  const { query } = worksOf(refs);
  query.works[200].doi = null;
  const federated = await createFederatedGateway(url, { 'catalog-by-ref': { query } });
  const { data, errors } = await federated.query('{ works { doi { name redirect { chosenBy } } } }');
  assert.deepEqual(
    data.works,
    refs.map((name, index) => {
      if (index === 77 || index === 200) return { doi: null };
      return { doi: { name, redirect: index === 123 ? null : { chosenBy: 'NONE' } } };
    }),
  );
  const told = errors.map(({ path, extensions: { code, reason } }) => ({
    path: path.join('.'),
    code,
    reason,
  }));
  assert.deepEqual(told, [
    { path: 'works.77.doi', code: 'BAD_REPRESENTATION', reason: 'MISSING_SUFFIX' },
    { path: 'works.123.doi.redirect', code: 'ALIAS_LOOP', reason: undefined },
  ]);
  await federated.stop();
  done('a bad ref and a failing look-up among 500 works: two errors, each at its own path');
}

for (const [what, others] of Object.entries(SETS)) {
  compose(others);
  done(`composed with ${what}`);
}
const doiGateway = await startDoiGateway();
try {
  await join(doiGateway.url);
  await many(doiGateway.url);
  await failures(doiGateway.url);
} finally {
  await doiGateway.stop();
}
