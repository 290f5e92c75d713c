// Kinds, licences, funding and subjects of works.

import { describe, expect, test } from 'vitest';
import { readCrossrefDetails } from '../../src/works/crossref-details.ts';
import { readCslDetails } from '../../src/works/csl-details.ts';
import { readDataciteDetails } from '../../src/works/datacite-details.ts';
import { spdxOfAddress, spdxSpelling } from '../../src/works/spdx.ts';
import { kindOfCrossref, kindOfDatacite } from '../../src/works/work-kinds.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';
import { testTable } from '../support/test-table.ts';

describe('the kind of a work', () => {
  test('comes from `citeproc`, or else from the free words, if DataCite says `Text`', () => {
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

  test('is PREPRINT for posted content of Crossref without another subtype', () => {
    expect(kindOfCrossref('posted-content', null)).toBe('PREPRINT');
    expect(kindOfCrossref('posted-content', 'other')).toBe('OTHER');
    expect(kindOfCrossref('journal-issue', null)).toBe('PERIODICAL');
    expect(kindOfCrossref('constructor', null)).toBe('OTHER');
  });

  test('comes from the type of CSL from content negotiation', () => {
    expect(readCslDetails({ type: 'article-journal', keyword: 'a, b; c' })).toMatchObject({
      ...{ kind: 'ARTICLE', agencyType: 'article-journal', subjects: ['a', 'b', 'c'] },
    });
  });
});

describe('a licence', () => {
  testTable([
    ['http://creativecommons.org/licenses/by-nc/4.0/', 'CC-BY-NC-4.0'],
    ['https://creativecommons.org/licenses/by-nc-nd/3.0', 'CC-BY-NC-ND-3.0'],
    ['https://www.creativecommons.org/licenses/by-sa/4.0/deed.de', 'CC-BY-SA-4.0'],
    ['https://creativecommons.org/licenses/by/4.0/legalcode', 'CC-BY-4.0'],
    ['http://creativecommons.org/licenses/by/3.0/igo/', 'CC-BY-3.0-IGO'],
    ['http://creativecommons.org/licenses/by/3.0/xx/', null],
    ['https://creativecommons.org/publicdomain/zero/1.0/legalcode', 'CC0-1.0'],
    ['https://example.org/?creativecommons.org/licenses/by/4.0/', null],
  ])('has the SPDX identifier of its address', (url, spdx) => {
    expect(spdxOfAddress(url)).toBe(spdx);
  });

  test('has its SPDX identifier in the spelling of SPDX', () => {
    expect(['cc0-1.0', 'apache-2.0', 'mit', 'odbl-1.0'].map(spdxSpelling)).toEqual([
      ...['CC0-1.0', 'Apache-2.0', 'MIT', 'ODbL-1.0'],
    ]);
  });
});

describe('the details of a work', () => {
  test('are read from lists and from single values', () => {
    expect(
      readDataciteDetails({ subjects: 'One', sizes: '3 MB', formats: null, rightsList: 'CC BY' }),
    ).toMatchObject({
      ...{ subjects: ['One'], sizes: ['3 MB'], formats: [], licenses: [{ name: 'CC BY' }] },
    });
    expect(readCrossrefDetails({ subject: 'One', funder: { name: ['F &amp; G'], award: 7 } })).toMatchObject({
      ...{ subjects: ['One'], funding: [{ funder: 'F & G', awardNumber: '7' }] },
    });
  });

  test('have one subject for subjects that differ only in letter case', () => {
    const subjects = ['Physics', 'PHYSICS', 'Art', 'Physics'].map((subject) => ({ subject }));
    expect(readDataciteDetails({ subjects }).subjects).toEqual(['Physics', 'Art']);
  });

  test('have no address of a script', () => {
    const link = ['javascript:alert(1)', 'https://example.org/a.pdf'].map((URL) => ({ URL }));
    const { licenses, fullTexts } = readCrossrefDetails({ link, license: link });
    expect([licenses, fullTexts].map((all) => all.map(({ url }) => url))).toEqual([
      ...[['https://example.org/a.pdf'], ['https://example.org/a.pdf']],
    ]);
    expect(readDataciteDetails({ rightsList: { rights: 'R', rightsUri: 'javascript:1' } }).licenses).toEqual([
      { url: null, name: 'R', spdx: null, appliesTo: null, from: null },
    ]);
  });

  test('have links with encoded angle brackets', () => {
    const link = { URL: 'https://example.org/10.1002/1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2' };
    expect(readCrossrefDetails({ link }).fullTexts[0]?.url).toBe(
      'https://example.org/10.1002/1097-0258(19980815)17:15%3C1661::AID-SIM968%3E3.0.CO;2-2',
    );
  });

  test('have the ROR of a funder of Crossref without a DOI', () => {
    const id = [{ id: 'https://ror.org/01cwqze88', 'id-type': 'ROR', 'asserted-by': 'publisher' }];
    expect(readCrossrefDetails({ funder: [{ name: 'NIH', id, award: ['R01'] }] }).funding).toMatchObject([
      { funder: 'NIH', funderId: 'https://ror.org/01cwqze88', awardNumber: 'R01' },
    ]);
  });

  test('have lists of a maximum length', () => {
    const subjects = Array.from({ length: 3_000 }, (_, at) => ({ subject: `<b>${at}</b>` }));
    const award = Array.from({ length: 100 }, (_, at) => `A${at}`);
    const funder = Array.from({ length: 100 }, (_, at) => ({ name: `F${at}`, award }));
    expect(readDataciteDetails({ subjects }).subjects).toHaveLength(WORK_LIMITS.listEntries);
    expect(readCrossrefDetails({ funder }).funding).toHaveLength(WORK_LIMITS.listEntries);
  });
});
