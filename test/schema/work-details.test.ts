// The fields of metadata beyond a citation.

import { expect, test } from 'vitest';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeGateway } from './fake-gateway.ts';

const NAME = doiName('10.1000/a');
const { csl, history } = readCrossrefWork(
  {
    ...{ DOI: NAME, type: 'journal-article', ISSN: ['1687-7977', '1687-7969'], subject: ['Art'] },
    license: { URL: 'http://creativecommons.org/licenses/by/4.0/', start: { 'date-parts': [[2021, 3]] } },
    funder: { name: 'A funder', DOI: '10.13039/1', award: ['A1', 'A2'] },
    link: { URL: 'https://example.org/a.pdf', 'content-type': 'application/pdf' },
    author: { family: 'Carberry', affiliation: { name: 'Brown' } },
    chair: { name: 'An office' },
    abstract: '<jats:p>One</jats:p><jats:p>Two</jats:p>',
    ...{ accepted: { 'date-parts': [[2020, 1]] }, event: { name: 'A conference' } },
    ...{ 'references-count': 3, created: { 'date-time': '2020-01-02T03:04:05Z' } },
  },
  NAME,
);

const DETAILS = `{ doi(input: "10.1000/a") { metadata {
  kind agencyType resourceType subjects issn isbn version sizes formats referenceCount citationCount registeredAt
  licenses { url name spdx appliesTo from { text } }
  funding { funder funderId awardNumber awardTitle awardUrl }
  fullTexts { url contentType version intendedFor }
  abstract event dates { kind type start { text } end { text } }
  creators { name isOrganization ror affiliations { name ror } }
  contributors { role roleType name given family orcid isOrganization ror affiliations { name ror } }
} } }`;

const UNNAMED = { given: null, family: null, orcid: null, ror: null, affiliations: [] };

test('one look-up has all details of a work', async () => {
  const { query, calls } = await createFakeGateway({
    metadata: { [NAME]: csl },
    histories: { [NAME]: history },
  });
  const { data, errors } = await query(DETAILS);
  expect(errors).toBeUndefined();
  const funding = {
    funder: 'A funder',
    funderId: 'https://doi.org/10.13039/1',
    awardTitle: null,
    awardUrl: null,
  };
  const carberry = {
    ...{ name: 'Carberry', isOrganization: false, ror: null, affiliations: [{ name: 'Brown', ror: null }] },
  };
  const licence = { url: 'http://creativecommons.org/licenses/by/4.0/', name: null, spdx: 'CC-BY-4.0' };
  expect(data['doi']).toEqual({
    metadata: {
      ...{ kind: 'ARTICLE', agencyType: 'journal-article', resourceType: null, subjects: ['Art'] },
      ...{ issn: ['1687-7977', '1687-7969'], isbn: [], version: null, sizes: [], formats: [] },
      ...{ referenceCount: 3, citationCount: null, registeredAt: '2020-01-02T03:04:05.000Z' },
      ...{ abstract: 'One\n\nTwo', event: 'A conference' },
      dates: [{ kind: 'ACCEPTED', type: 'accepted', start: { text: '2020-01' }, end: null }],
      creators: [carberry],
      contributors: [
        { role: 'AUTHOR', roleType: 'author', ...UNNAMED, family: 'Carberry', ...carberry },
        { role: 'CHAIR', roleType: 'chair', ...UNNAMED, name: 'An office', isOrganization: true },
      ],
      licenses: [{ ...licence, appliesTo: null, from: { text: '2021-03' } }],
      funding: ['A1', 'A2'].map((awardNumber) => ({ ...funding, awardNumber })),
      fullTexts: [
        {
          url: 'https://example.org/a.pdf',
          contentType: 'application/pdf',
          version: null,
          intendedFor: null,
        },
      ],
    },
  });
  expect(calls).toEqual({ resolve: [], whichRa: [], describe: ['csl 10.1000/a'] });
});

test('metadata from content negotiation has the details of its CSL', async () => {
  const item = { type: 'thesis', genre: 'PhD', ISBN: '9780199567027', version: '2', keyword: 'a, b' };
  const own = {
    abstract: '<p>A',
    author: 'B',
    license: { URL: 'https://example.org/l' },
    funder: { name: 'F' },
  };
  const { query } = await createFakeGateway({ metadata: { [NAME]: { ...item, ...own } } });
  const { data } = await query(DETAILS);
  expect(data['doi']).toMatchObject({
    metadata: {
      ...{ kind: 'DISSERTATION', agencyType: 'thesis', resourceType: 'PhD', isbn: ['9780199567027'] },
      ...{ version: '2', subjects: ['a', 'b'], registeredAt: null },
      ...{ abstract: 'A', licenses: [{ url: 'https://example.org/l' }], funding: [{ funder: 'F' }] },
      contributors: [{ role: 'AUTHOR', roleType: 'author', name: 'B' }],
    },
  });
});
