// 155 works of all types, as the APIs of Crossref and DataCite sent them.

import { describe, expect, test } from 'vitest';
import { writeBibtex } from '../../src/works/bibtex.ts';
import { CROSSREF_FIELDS, readCrossrefWork } from '../../src/works/crossref-work.ts';
import { DATACITE_FIELDS, readDataciteWork } from '../../src/works/datacite-work.ts';
import { cleanCsl } from '../../src/works/negotiated-csl.ts';
import { writeRis } from '../../src/works/ris.ts';
import { readWork } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';
import { cslErrors } from './csl-schema.ts';
import { type Json, RECORDED_WORKS } from './recorded-works.ts';

const ofAgency = (agency: string) => RECORDED_WORKS.filter((work) => work.agency === agency);

/** Variables of CSL with their fields of BibTeX and RIS, for all types of works. */
const FIELDS = [
  ['author', 'author', 'AU'],
  ['editor', 'editor', 'ED'],
  ['translator', 'translator', 'A4'],
  ['language', 'language', 'LA'],
  ['volume', 'volume', 'VL'],
  ['version', 'version', 'ET'],
  ['publisher-place', 'address', 'CY'],
] as const;

describe('each recorded work', () => {
  testTable(RECORDED_WORKS)('has valid CSL, with its DOI as id', ({ name, read: { csl } }) => {
    expect(cslErrors(csl)).toEqual([]);
    expect(csl['id']).toBe(csl['DOI']);
    expect(String(csl['id']).toLowerCase()).toBe(name.toLowerCase());
  });

  testTable(RECORDED_WORKS)(
    'is not changed by the cleaning of CSL from content negotiation',
    ({ name, read: { csl } }) => {
      expect(cleanCsl(csl, name)).toEqual(csl);
    },
  );

  testTable(RECORDED_WORKS)(
    'has its CSL variables in BibTeX and RIS, without abstract and keywords',
    ({ name, read: { csl } }) => {
      const [bibtex, ris] = [writeBibtex(csl, name), writeRis(csl, name)];
      for (const [variable, field, tag] of FIELDS) {
        const isKnown = csl[variable] !== undefined;
        expect([variable, bibtex.includes(`\n  ${field} = `)]).toEqual([variable, isKnown]);
        expect([variable, ris.includes(`\n${tag}  - `)]).toEqual([variable, isKnown]);
      }
      expect(bibtex).not.toMatch(/^ {2}(?:abstract|keywords?) = /m);
      expect(ris).not.toMatch(/^(?:AB|N2|KW) {2}- /m);
    },
  );

  testTable(RECORDED_WORKS)('has titles without damage', ({ read: { csl } }) => {
    const { title, titleHtml } = readWork(csl);
    expect(title ?? '').not.toMatch(/<\/?\w|&\w+;|\$\$/);
    expect(titleHtml ?? '').not.toMatch(/^<(?:i|b)>[^<]*<\/\w+>$/);
  });
});

describe('a recorded work of Crossref', () => {
  testTable(ofAgency('Crossref'))(
    'is the same in a list that selects members, except for its subtype',
    ({ name, sent, read }) => {
      const members = Object.entries(sent).filter(([member]) => CROSSREF_FIELDS.includes(member));
      const listed = readCrossrefWork(Object.fromEntries(members), name);
      expect(listed).toEqual(readCrossrefWork({ ...sent, subtype: null }, name));
      expect(listed.csl).toEqual(read.csl);
    },
  );

  test('has the BibTeX type of its kind', () => {
    const types = new Map(
      ofAgency('Crossref').map(({ name, sent, read }) => [
        `${sent['type']} ${sent['degree'] ?? ''}`.trim(),
        /^@(\w+)/.exec(writeBibtex(read.csl, name))?.[1],
      ]),
    );
    expect(Object.fromEntries(types)).toEqual({
      book: 'book',
      'book-chapter': 'incollection',
      component: 'misc',
      dataset: 'misc',
      'dissertation Master of Science in Computer Science (MSCS)': 'mastersthesis',
      'edited-book': 'book',
      journal: 'misc',
      'journal-article': 'article',
      monograph: 'book',
      'peer-review': 'misc',
      'posted-content': 'misc',
      'proceedings-article': 'inproceedings',
      'reference-entry': 'incollection',
      report: 'techreport',
      standard: 'misc',
    });
  });
});

describe('a recorded work of DataCite', () => {
  test('has the type of its kind', () => {
    const types = new Map(
      ofAgency('DataCite').map(({ name, sent, read: { csl } }) => {
        const { resourceTypeGeneral, resourceType } = (sent['types'] ?? {}) as Json;
        const kind = resourceTypeGeneral === 'Text' ? `Text, ${resourceType}` : String(resourceTypeGeneral);
        const entry = `${/^@(\w+)/.exec(writeBibtex(csl, name))?.[1]} ${writeRis(csl, name).slice(6).split('\n')[0]}`;
        return [kind, `${csl['type']} ${entry}`];
      }),
    );
    expect(Object.fromEntries(types)).toEqual({
      Audiovisual: 'motion_picture misc MPCT',
      Book: 'book book BOOK',
      Collection: 'collection misc GEN',
      Dataset: 'dataset misc DATA',
      Image: 'graphic misc ART',
      InteractiveResource: 'document misc GEN',
      Journal: 'periodical misc JFULL',
      JournalArticle: 'article-journal article JOUR',
      PhysicalObject: 'document misc GEN',
      Software: 'software misc COMP',
      'Text, Book': 'book book BOOK',
      'Text, Journal Article': 'article-journal article JOUR',
      'Text, Journal article': 'article-journal article JOUR',
      'Text, Taxonomic treatment': 'article-journal article JOUR',
      'Text, Thesis': 'thesis phdthesis THES',
      undefined: 'article misc UNPB',
    });
  });

  testTable(ofAgency('DataCite'))('is the same with the requested members only', ({ name, sent, read }) => {
    const members = Object.entries(sent).filter(([member]) => DATACITE_FIELDS.includes(member));
    const entry = { id: name, attributes: Object.fromEntries(members) };
    expect(readDataciteWork(entry, name)).toEqual(read);
  });
});
