// The details of a work beyond a citation, as Crossref and DataCite send them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCrossrefDetails } from '../../src/works/crossref-details.ts';
import { readCslDetails } from '../../src/works/csl-details.ts';
import { readDataciteDetails } from '../../src/works/datacite-details.ts';
import { spdxOfAddress, spdxSpelling } from '../../src/works/spdx.ts';
import { kindOfCrossref, kindOfDatacite } from '../../src/works/work-kinds.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { type Json, RECORDED_WORKS } from './recorded-works.ts';

describe('recorded works', () => {
  test('keep each type and each count of their agency', () => {
    for (const { name, sent, read } of RECORDED_WORKS) {
      const details = read.history.details ?? expect.fail('no details');
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
    for (const { name, sent, read } of RECORDED_WORKS) {
      const details = read.history.details ?? expect.fail('no details');
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
