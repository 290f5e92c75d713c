// check_references finds the works of references without a DOI, or with a wrong DOI.

import { describe, expect, it } from 'vitest';
import { agencyWorks } from '../../support/agencies/agency-works.ts';
import { PUMPS, REFERENCE, searchingGateway, UNKNOWN } from './searching-gateway.ts';

const works = agencyWorks({ count: 2, agency: 'Crossref' });
const [other] = works as [(typeof works)[number]];
const LIST = (...references: readonly string[]) =>
  `References\n\n${references.map((reference, at) => `${at + 1}. ${reference}\n`).join('')}`;

describe('check_references', () => {
  it('names the works of references without a DOI, and the details that differ', async () => {
    const { call, apis } = await searchingGateway();
    const text = LIST(REFERENCE, REFERENCE.replace('2012', '1987'), UNKNOWN);
    const { structured, text: shown } = await call('check_references', { text });
    expect(structured['counts']).toMatchObject({ withoutDoi: 3 });
    expect(structured['matches']).toMatchObject([
      { outcome: 'FOUND', doi: '10.5555/pumps', title: PUMPS.title[0] },
      {
        outcome: 'DIFFERS',
        doi: '10.5555/pumps',
        differs: [{ detail: 'year', inReference: '1987', inWork: '2012' }],
      },
      { outcome: 'NOT_FOUND' },
    ]);
    expect(shown).toContain(`: FOUND 10.5555/pumps “${PUMPS.title[0]}”\n`);
    expect(shown).toContain('NOT_FOUND does not mean invented');
    expect(apis.breaches).toEqual([]);
  });

  it('names the right DOI beside an absent DOI, and beside the DOI of another work', async () => {
    const { call } = await searchingGateway({ works });
    for (const [doi, titles] of [
      ['10.5555/invented-by-a-model', false],
      [other.name, true],
    ] as const) {
      const text = LIST(`${REFERENCE} https://doi.org/${encodeURIComponent(doi)}`);
      const { structured } = await call('check_references', { text, titles });
      expect(structured['matches'], doi).toMatchObject([{ outcome: 'FOUND', doi: '10.5555/pumps' }]);
    }
  });

  it('searches records in words, without field names and braces, and without a wrong DOI', async () => {
    const words = `Berger, A. (2012). ${PUMPS.title[0]}. Journal of Mountain Engineering, 57, 978–991.`;
    const wrong = '10.5555/invented-by-a-model';
    const bibtex = (fields: string) => `@article{berger2012,
  author = {Berger, {\\'A}da},
  title = {{${PUMPS.title[0]}}},${fields}
  journal = "Journal of Mountain Engineering",
  year = {2012},
  volume = {57},
  pages = {978--991}
}
`;
    const ris = (fields: string) => `TY  - JOUR
AU  - Berger, Ada
TI  - ${PUMPS.title[0]}${fields}
JO  - Journal of Mountain Engineering
PY  - 2012
VL  - 57
SP  - 978
EP  - 991
ER  - 
`;
    for (const record of [
      bibtex(''),
      bibtex(`\n  doi = {${wrong}}, url = {https://doi.org/${wrong}},`),
      ris(''),
      ris(`\nDO  - ${wrong}`),
    ]) {
      const { call, searches } = await searchingGateway();
      const { structured } = await call('check_references', { text: record });
      const [first] = structured['matches'] as readonly unknown[];
      expect(first, record).toMatchObject({ outcome: 'FOUND', doi: '10.5555/pumps' });
      expect(
        searches().map((search) => search.words),
        record,
      ).toEqual([words]);
    }
  });

  it('counts references that it could not search, and never says that they are not found', async () => {
    const { call } = await searchingGateway({ misbehaves: () => 'RATE_LIMITED' });
    const { structured, text, isError } = await call('check_references', { text: LIST(REFERENCE, UNKNOWN) });
    expect(isError).toBe(false);
    expect(structured['counts']).toMatchObject({ withoutDoi: 2, notSearched: 2 });
    expect(structured['matches']).toBeUndefined();
    expect(text).toMatch(
      /NOT SEARCHED: 2, at \d+, \d+: could not be searched: .* Call again in \d+ seconds\./,
    );
    expect(text).not.toContain('NOT_FOUND');
  });

  it('searches as many references as fit into 20 kB, and counts the other references', async () => {
    const pages = Array.from({ length: 60 }, (_, at) => `${at}–99`);
    for (const text of [
      LIST(...pages.map((page) => `${UNKNOWN.slice(0, -1)}, pp. ${page}.`)),
      pages.map((page) => `@book{b,\n  title = {A history of ferries on lakes, ${page}}\n}\n`).join(''),
    ]) {
      const { call, searches } = await searchingGateway();
      const { structured, bytes } = await call('check_references', { text });
      const matches = (structured['matches'] ?? []) as readonly unknown[];
      const { notSearched = 0 } = structured['counts'] as { readonly notSearched?: number };
      expect(matches.length, text).toBeGreaterThan(0);
      expect(matches.length + notSearched, text).toBe(60);
      expect(searches().length, text).toBeLessThanOrEqual(50);
      expect(bytes, text).toBeLessThan(20_000);
    }
  });

  it('reads at most 25 records of a call, also if they have too few words', async () => {
    const untitled = Array.from(
      { length: 25 },
      (_, at) => `@misc{n${at},\n  note = {A note without a title}\n}\n`,
    );
    const { call, searches } = await searchingGateway();
    const text = `${untitled.join('')}@article{b,\n  title = {${PUMPS.title[0]}}\n}\n`;
    const { structured } = await call('check_references', { text });
    expect([structured['counts'], searches()]).toMatchObject([{ withoutDoi: 26, notSearched: 1 }, []]);
  });

  it('searches no prose around a wrong DOI', async () => {
    const { call, searches } = await searchingGateway();
    const text = 'As Berger (2012) says, pumps are reliable (doi:10.5555/invented), also here.';
    const { structured } = await call('check_references', { text });
    expect([structured['counts'], structured['matches'], searches()]).toMatchObject([
      { absent: 1 },
      undefined,
      [],
    ]);
  });

  it('does not search if the call or the gateway switches the search off', async () => {
    for (const [match, env] of [
      [false, {}],
      [true, { MATCHING: 'no' }],
    ] as const) {
      const { call, searches } = await searchingGateway({}, env);
      const { structured, isError } = await call('check_references', { text: LIST(REFERENCE), match });
      expect([isError, structured['matches'], searches()]).toEqual([false, undefined, []]);
    }
  });
});
