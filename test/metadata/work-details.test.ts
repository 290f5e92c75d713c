// The details of a work beyond a citation, as Crossref and DataCite send them.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCrossrefDetails } from '../../src/metadata/crossref-details.ts';
import { readCslDetails } from '../../src/metadata/csl-details.ts';
import { readDataciteDetails } from '../../src/metadata/datacite-details.ts';
import { spdxOfAddress, spdxSpelling } from '../../src/metadata/spdx.ts';
import { kindOfCrossref, kindOfDatacite } from '../../src/metadata/work-kinds.ts';
import { WORK_LIMITS } from '../../src/metadata/work-limits.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

type Json = Readonly<Record<string, unknown>>;

const RECORDED = readFileSync(new URL('../fixtures/agency-works.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly agency: string; readonly item: Json })
  .map(({ agency, item }) => {
    const sent = agency === 'Crossref' ? item : (item['attributes'] as Json);
    const details = agency === 'Crossref' ? readCrossrefDetails(sent) : readDataciteDetails(sent);
    return { name: String(sent['DOI'] ?? sent['doi']).toLowerCase(), sent, details };
  });

const funder = (name: string, id: string | null, awardNumber: string | null) => ({
  ...{ funder: name, funderId: id && `https://doi.org/${id}`, awardNumber, awardTitle: null, awardUrl: null },
});
const ccBy4 = {
  url: 'https://creativecommons.org/licenses/by/4.0/legalcode',
  name: 'Creative Commons Attribution 4.0 International',
  ...{ spdx: 'CC-BY-4.0', appliesTo: null, from: null },
};
const openAccess = {
  ...{
    url: 'info:eu-repo/semantics/openAccess',
    name: 'Open Access',
    spdx: null,
    appliesTo: null,
    from: null,
  },
};

/** Written by hand from the recorded items. */
const BY_HAND: Readonly<Record<string, object>> = {
  '10.1155/2011/874702': {
    ...{ kind: 'ARTICLE', agencyType: 'journal-article', resourceType: null },
    subjects: ['Radiology, Nuclear Medicine and imaging'],
    licenses: [{ spdx: 'CC-BY-3.0', appliesTo: 'unspecified', from: { text: '2011-01-01' } }],
    funding: [funder('Genome Alberta', '10.13039/501100010787', null)],
    fullTexts: [
      { contentType: 'application/pdf', version: 'vor', intendedFor: 'text-mining' },
      { contentType: 'application/xml' },
      { contentType: 'unspecified', intendedFor: 'similarity-checking' },
    ],
    ...{ referenceCount: 22, citationCount: 6 },
  },
  '10.5194/cp-2020-95': {
    ...{ kind: 'PREPRINT', agencyType: 'posted-content', resourceType: 'preprint' },
    licenses: [{ spdx: 'CC-BY-4.0', appliesTo: 'vor', name: null }],
    funding: [
      funder('Division of Ocean Sciences', '10.13039/100000141', '1558990'),
      funder('Division of Ocean Sciences', '10.13039/100000141', '1736771'),
      funder('Australian Research Council', '10.13039/501100000923', 'FT180100606'),
      funder('Australian Research Council', '10.13039/501100000923', 'DP180100048'),
    ],
    ...{ referenceCount: 0, citationCount: 0 },
  },
  '10.1145/3027385.3027428': {
    ...{ kind: 'CONFERENCE_PAPER', agencyType: 'proceedings-article' },
    licenses: [{ spdx: null, from: { text: '2017-03-13' } }],
    funding: [funder('European Commission', null, '619424')],
    ...{ referenceCount: 25, citationCount: 11 },
  },
  '10.57099/11h5yt3819': {
    ...{ kind: 'OTHER', agencyType: 'posted-content', resourceType: 'other' },
    licenses: [
      { spdx: 'CC-BY-4.0', appliesTo: 'vor' },
      { spdx: 'CC-BY-4.0', appliesTo: 'tdm' },
    ],
    fullTexts: [{ contentType: 'text/html' }],
  },
  '10.5281/zenodo.264409': {
    ...{ kind: 'IMAGE', agencyType: 'Image', resourceType: 'Figure', licenses: [openAccess] },
    subjects: [
      ...['Biodiversity', 'Taxonomy', 'Animalia', 'Arthropoda', 'Arachnida', 'Prostigmata', 'Phytoptidae'],
      'Oziella',
    ],
    ...{ registeredAt: '2017-01-30T21:06:50.000Z', citationCount: 2, referenceCount: 2 },
  },
  '10.5281/zenodo.13182671': {
    ...{ kind: 'DATASET', agencyType: 'Dataset', resourceType: null, licenses: [ccBy4], subjects: [] },
    ...{ registeredAt: '2024-08-03T02:29:32.000Z', citationCount: 0, referenceCount: 0 },
  },
  '10.5281/zenodo.10576702': { kind: 'PERIODICAL', agencyType: 'Journal', licenses: [ccBy4], sizes: [] },
  '10.5281/zenodo.1200378': {
    ...{ kind: 'DATASET', resourceType: null },
    licenses: [{ url: 'https://creativecommons.org/licenses/by/4.0', spdx: 'CC-BY-4.0' }, openAccess],
  },
  '10.26050/wdcc/ar6.c6gmipicl': {
    ...{ kind: 'DATASET', resourceType: 'Digital', licenses: [ccBy4] },
    ...{ sizes: ['18810195387 Bytes'], formats: ['application/x-netcdf'], funding: [] },
  },
  '10.5281/zenodo.10792248': { kind: 'BOOK', licenses: [{ spdx: 'CC-BY-NC-SA-4.0' }] },
};

describe('recorded works', () => {
  test('have the details of a table that was written by hand', () => {
    for (const [name, expected] of Object.entries(BY_HAND)) {
      expect(RECORDED.find((work) => work.name === name)?.details, name).toMatchObject(expected);
    }
  });

  test('keep each type and each count of their agency', () => {
    for (const { name, sent, details } of RECORDED) {
      const types = (sent['types'] ?? {}) as Json;
      expect([name, details.agencyType]).toEqual([
        name,
        sent['type'] ?? types['resourceTypeGeneral'] ?? null,
      ]);
      const counts = [
        sent['references-count'] ?? sent['referenceCount'],
        sent['is-referenced-by-count'] ?? sent['citationCount'],
      ];
      expect([details.referenceCount, details.citationCount]).toEqual(counts.map((value) => value ?? null));
    }
  });

  test('lose no licence and no funder', () => {
    for (const { name, sent, details } of RECORDED) {
      const licenses = (sent['license'] ?? sent['rightsList'] ?? []) as readonly unknown[];
      expect([name, details.licenses.length]).toEqual([name, licenses.length]);
      const named = ((sent['funder'] ?? sent['fundingReferences'] ?? []) as readonly Json[]).length;
      expect(new Set(details.funding.map((each) => each.funder)).size, name).toBeLessThanOrEqual(named);
      expect(details.funding.length, name).toBeGreaterThanOrEqual(named);
    }
  });
});

describe('kinds', () => {
  test('`Text` of DataCite says nothing: `citeproc` counts, then the free words in any case', () => {
    const kind = (citeproc: string | null, resourceType: string | null, resourceTypeGeneral = 'Text') =>
      kindOfDatacite({ resourceTypeGeneral, citeproc, resourceType });
    expect(kind('article-journal', 'Something')).toBe('ARTICLE');
    expect(kind('article', 'JOURNAL ARTICLE')).toBe('ARTICLE');
    expect(kind('article', 'Doctoral Thesis')).toBe('DISSERTATION');
    expect(kind(null, 'conference paper')).toBe('CONFERENCE_PAPER');
    expect(kind('article', 'Research article')).toBe('ARTICLE');
    expect(kind('article', 'Technical Report')).toBe('REPORT');
    expect(kind('article', 'words')).toBe('OTHER');
    expect(kind('article-journal', 'Thesis', 'Dataset')).toBe('DATASET');
  });

  test('posted content of Crossref is a preprint, unless its subtype says otherwise', () => {
    expect(kindOfCrossref('posted-content', null)).toBe('PREPRINT');
    expect(kindOfCrossref('posted-content', 'other')).toBe('OTHER');
    expect(kindOfCrossref('journal-issue', null)).toBe('PERIODICAL');
    expect(kindOfCrossref('constructor', null)).toBe('OTHER');
  });

  test('CSL from content negotiation has its kind, type and subjects', () => {
    expect(readCslDetails({ type: 'article-journal', keyword: 'a, b; c' })).toMatchObject({
      ...{ kind: 'ARTICLE', agencyType: 'article-journal', subjects: ['a', 'b', 'c'] },
    });
  });
});

describe('licences', () => {
  test.each([
    ['http://creativecommons.org/licenses/by-nc/4.0/', 'CC-BY-NC-4.0'],
    ['https://creativecommons.org/licenses/by-nc-nd/3.0', 'CC-BY-NC-ND-3.0'],
    ['https://www.creativecommons.org/licenses/by-sa/4.0/deed.de', 'CC-BY-SA-4.0'],
    ['https://creativecommons.org/licenses/by/4.0/legalcode', 'CC-BY-4.0'],
    ['http://creativecommons.org/licenses/by/3.0/igo/', 'CC-BY-3.0-IGO'],
    ['http://creativecommons.org/licenses/by/3.0/xx/', null],
    ['https://creativecommons.org/publicdomain/zero/1.0/legalcode', 'CC0-1.0'],
    ['https://example.org/?creativecommons.org/licenses/by/4.0/', null],
  ])('%s has the SPDX identifier %s', (url, spdx) => {
    expect(spdxOfAddress(url)).toBe(spdx);
  });

  test('an SPDX identifier in any case gets the spelling of SPDX', () => {
    expect(['cc0-1.0', 'apache-2.0', 'mit', 'odbl-1.0'].map(spdxSpelling)).toEqual([
      ...['CC0-1.0', 'Apache-2.0', 'MIT', 'ODbL-1.0'],
    ]);
  });
});

describe('odd and hostile members', () => {
  test('texts for lists, lists for texts, and null are read', () => {
    expect(
      readDataciteDetails({ subjects: 'One', sizes: '3 MB', formats: null, rightsList: 'CC BY' }),
    ).toMatchObject({
      ...{ subjects: ['One'], sizes: ['3 MB'], formats: [], licenses: [{ name: 'CC BY' }] },
    });
    expect(readCrossrefDetails({ subject: 'One', funder: { name: ['F &amp; G'], award: 7 } })).toMatchObject({
      ...{ subjects: ['One'], funding: [{ funder: 'F & G', awardNumber: '7' }] },
    });
  });

  test('subjects that differ in case alone are one subject', () => {
    const subjects = ['Physics', 'PHYSICS', 'Art', 'Physics'].map((subject) => ({ subject }));
    expect(readDataciteDetails({ subjects }).subjects).toEqual(['Physics', 'Art']);
  });

  test('an address of a script is left out, and the other links stay', () => {
    const link = ['javascript:alert(1)', 'https://example.org/a.pdf'].map((URL) => ({ URL }));
    const { licenses, fullTexts } = readCrossrefDetails({ link, license: link });
    expect([licenses, fullTexts].map((all) => all.map(({ url }) => url))).toEqual([
      ...[['https://example.org/a.pdf'], ['https://example.org/a.pdf']],
    ]);
    expect(readDataciteDetails({ rightsList: { rights: 'R', rightsUri: 'javascript:1' } }).licenses).toEqual([
      { url: null, name: 'R', spdx: null, appliesTo: null, from: null },
    ]);
  });

  test('a link with the angle brackets of an old DOI name is written as an address', () => {
    const link = { URL: 'https://example.org/10.1002/1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2' };
    expect(readCrossrefDetails({ link }).fullTexts[0]?.url).toBe(
      'https://example.org/10.1002/1097-0258(19980815)17:15%3C1661::AID-SIM968%3E3.0.CO;2-2',
    );
  });

  test('a funder of Crossref without a DOI has its ROR', () => {
    const id = [{ id: 'https://ror.org/01cwqze88', 'id-type': 'ROR', 'asserted-by': 'publisher' }];
    expect(readCrossrefDetails({ funder: [{ name: 'NIH', id, award: ['R01'] }] }).funding).toMatchObject([
      { funder: 'NIH', funderId: 'https://ror.org/01cwqze88', awardNumber: 'R01' },
    ]);
  });

  test('no JSON makes a reader throw', () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
    );
    const keys = fc.constantFrom(
      'type',
      'types',
      'license',
      'rightsList',
      'funder',
      'fundingReferences',
      'link',
    );
    fc.assert(
      fc.property(fc.dictionary(keys, member), (item) => {
        for (const read of [readCrossrefDetails, readDataciteDetails, readCslDetails]) read(item as Json);
      }),
    );
  });

  test('100,000 subjects and 2,000 funders with 2,000 awards are cut before they are read', async () => {
    const subjects = Array.from({ length: 100_000 }, (_, at) => ({ subject: `<b>${at}</b>` }));
    const award = Array.from({ length: 2_000 }, (_, at) => `A${at}`);
    const funderWithAwards = Array.from({ length: 2_000 }, (_, at) => ({ name: `F${at}`, award }));
    const cpuMs = await cpuMsOf(() => {
      expect(readDataciteDetails({ subjects }).subjects).toHaveLength(WORK_LIMITS.listEntries);
      expect(readCrossrefDetails({ funder: funderWithAwards }).funding).toHaveLength(WORK_LIMITS.listEntries);
    });
    expect(cpuMs).toBeLessThan(500);
  });
});
