import { describe, expect, it } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { writeBibtex } from '../../src/works/bibtex.ts';
import { CROSSREF_FIELDS, readCrossrefLanguage, readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readWork } from '../../src/works/work.ts';
import { doiName } from '../support/doi-names.ts';

const NAME = doiName('10.5555/work');
const cslOf = (item: object) => readCrossrefWork({ DOI: NAME, ...item }, NAME).csl;
const workOf = (item: object) => readWork(cslOf(item));
const on = (...parts: readonly unknown[]) => ({ 'date-parts': [parts] });
const namesOf = (...author: readonly object[]) => workOf({ author }).creators.map(({ name }) => name);

/** An invented work, as `/works/{doi}` returns a work. */
const ITEM = {
  DOI: '10.5555/WORK',
  URL: 'https://doi.org/10.5555/work',
  type: 'journal-article',
  title: ['On <i>x</i> &amp; y', 'Sur x'],
  author: [
    { given: 'Josiah', family: 'Carberry', suffix: 'Jr.', ORCID: 'http://orcid.org/0000-0002-1825-0097' },
    { name: 'The Consortium', sequence: 'additional', affiliation: [] },
  ],
  editor: [{ given: 'E.', family: 'Ditor' }],
  issued: { 'date-parts': [[2008, 8, 13]] },
  'container-title': ['Journal of Psychoceramics', 'J. Psych.'],
  'short-container-title': ['J. Psych.'],
  publisher: 'Brown &amp; Co',
  volume: '5',
  issue: '11',
  page: '1-3',
  ISSN: ['0264-3561', '0264-3562'],
  language: 'en',
  subtype: 'x',
  abstract: '<jats:p>A</jats:p>',
  reference: [{ key: 'a', DOI: '10.5555/cited' }],
  relation: { 'is-preprint-of': [{ id: '10.5555/published', 'id-type': 'doi', 'asserted-by': 'subject' }] },
  'update-to': [{ DOI: '10.5555/earlier', type: 'correction' }],
  'updated-by': [{ DOI: '10.5555/notice', type: 'retraction' }],
};

describe('a work of Crossref', () => {
  it('is one item of CSL', () => {
    expect(readCrossrefWork(ITEM, NAME).csl).toEqual({
      id: '10.5555/WORK',
      type: 'article-journal',
      DOI: '10.5555/WORK',
      URL: 'https://doi.org/10.5555/work',
      title: 'On <i>x</i> & y',
      author: [
        {
          family: 'Carberry',
          given: 'Josiah',
          suffix: 'Jr.',
          ORCID: 'https://orcid.org/0000-0002-1825-0097',
        },
        { literal: 'The Consortium' },
      ],
      editor: [{ family: 'Ditor', given: 'E.' }],
      issued: { 'date-parts': [[2008, 8, 13]] },
      'container-title': 'Journal of Psychoceramics',
      'container-title-short': 'J. Psych.',
      publisher: 'Brown & Co',
      volume: '5',
      issue: '11',
      page: '1-3',
      ISSN: '0264-3561, 0264-3562',
      abstract: 'A',
    });
  });

  it('has updates and relations, which are not part of its CSL', () => {
    const { csl, history } = readCrossrefWork(ITEM, NAME);
    expect(history.updates.outcome).toBe('RETRACTED');
    expect(history.relations).toHaveLength(1);
    expect(JSON.stringify(csl)).not.toMatch(/cited|published"|earlier|notice|language/);
  });

  it('is a document in CSL if its type is unknown', () => {
    for (const type of ['grant', 'constructor', null]) expect(cslOf({ type })['type']).toBe('document');
  });

  it('has its language only in a single item, because a list cannot select it', () => {
    expect(readCrossrefLanguage(ITEM)).toBe('en');
    expect(readCrossrefLanguage({ language: null })).toBeNull();
    expect(readCrossrefLanguage('x')).toBeNull();
    expect(CROSSREF_FIELDS).not.toContain('language');
  });

  it('is rejected without a DOI', () => {
    for (const item of [null, [], {}, 'x', { DOI: 7 }, { DOI: '10.5555' }]) {
      expect(() => readCrossrefWork(item, NAME)).toThrow(MalformedRecordError);
    }
  });
});

describe('in a Crossref work, the gateway corrects', () => {
  it('an empty date of issue with the first other date that has a year', () => {
    expect(workOf({ issued: on(null), published: on(2020, 5) }).issued?.text).toBe('2020-05');
    expect(workOf({ issued: on(null), posted: on(2019, 1, 2) }).issued?.text).toBe('2019-01-02');
    expect(cslOf({ issued: on(null) })).not.toHaveProperty('issued');
  });

  it('a name without a family name', () => {
    expect(cslOf({ author: [{ name: 'ATLAS Collaboration', family: '' }] })['author']).toEqual([
      { literal: 'ATLAS Collaboration' },
    ]);
  });

  it('a whole name in the given name or the family name', () => {
    expect(cslOf({ author: [{ given: 'Josiah Carberry' }] })['author']).toEqual([
      { literal: 'Josiah Carberry', nameType: 'Personal' },
    ]);
    const carberry = [{ given: 'Josiah', family: 'Carberry' }];
    for (const given of ['Carberry, Josiah', 'Josiah']) {
      expect(cslOf({ author: [{ given, family: 'Carberry' }] })['author']).toEqual(carberry);
    }
    expect(cslOf({ author: [{ given: 'Carberry, Josiah' }] })['author']).toEqual(carberry);
    expect(cslOf({ author: [{ family: 'Carberry, Josiah' }] })['author']).toEqual(carberry);
  });

  it('no given name without a comma, even if the given name contains the family name', () => {
    for (const given of ['Omar A. Omar', 'Omar', 'Li Wei', 'Wei Li']) {
      const family = given.includes('Li') ? 'Li' : 'Omar';
      expect(cslOf({ author: [{ given, family }] })['author']).toEqual([{ given, family }]);
    }
  });

  it('a comma before a name', () => {
    expect(namesOf({ name: ', Ashley' }, { given: ', A.', family: ';Ba' })).toEqual(['Ashley', 'A. Ba']);
  });

  it('misread UTF-8, if a name of the list proves the misreading', () => {
    const [damaged, unclear] = [{ family: 'GarcÃ­a' }, { family: 'MUÃ‘OZ', given: 'Å ime' }];
    expect(namesOf(damaged, unclear)).toEqual(['García', 'Šime MUÑOZ']);
    expect(namesOf(unclear, { family: 'SÃO' })).toEqual(['Å ime MUÃ‘OZ', 'SÃO']);
    expect(namesOf(damaged, { family: 'Müller' }, { family: 'Ã' })).toEqual(['García', 'Müller', 'Ã']);
  });

  it('authors who are listed twice', () => {
    const [a, b] = [
      { given: 'A.', family: 'Ba' },
      { given: 'C.', family: 'Da' },
    ];
    const orcid = { ...a, ORCID: '0000-0002-1825-0097' };
    expect(namesOf(a, b, a, b)).toEqual(['A. Ba', 'C. Da']);
    expect(cslOf({ author: [a, b, orcid] })['author']).toMatchObject([
      { family: 'Ba', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
      { family: 'Da' },
    ]);
    const affiliated = (name: string) => ({ ...a, affiliation: [{ name, place: ['Oslo'] }] });
    expect(namesOf(affiliated('X'), affiliated('Y'))).toHaveLength(2);
    expect(namesOf({ ...affiliated('X'), ...orcid }, { ...orcid, ...affiliated('Y') })).toHaveLength(1);
    expect(namesOf(orcid, { ...a, ORCID: '0000-0001-5109-3700' })).toHaveLength(2);
  });

  it('titles and containers that are lists, with or without empty texts', () => {
    expect(workOf({ title: ['', 'B'], 'container-title': [] })).toMatchObject({
      title: 'B',
      containerTitle: null,
    });
    expect(cslOf({ 'container-title': [], publisher: '' })).not.toHaveProperty('container-title');
    expect(cslOf({ title: [], 'original-title': ['Ä'] })['title']).toBe('Ä');
  });

  it('JATS, MathML and characters that are escaped twice', () => {
    const titles = [
      ['<jats:italic>E. coli</jats:italic> cells', '<i>E. coli</i> cells'],
      [
        '<jats:bold>Markup of all <jats:italic>E. coli</jats:italic></jats:bold>',
        'Markup of all <i>E. coli</i>',
      ],
      ['<mml:math><mml:msub><mml:mi>H</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math>O', 'H<sub>2</sub>O'],
      ['A &amp;amp; B where p &lt; 0.05', 'A & B where p < 0.05'],
      ['The &amp;lt;b tag', 'The <b tag'],
    ] as const;
    for (const [title, csl] of titles) expect(cslOf({ title: [title] })['title']).toBe(csl);
  });

  it('the date of a thesis or standard that has only a date of approval', () => {
    expect(workOf({ issued: on(null), approved: on(2023, 2, 28) }).issued?.text).toBe('2023-02-28');
    expect(workOf({ issued: on(null), posted: on(2024), approved: on(2023) }).issued?.text).toBe('2024');
  });

  it('a subtitle, which becomes a field and a part of the CSL title', () => {
    const item = { title: ['All It Takes'], subtitle: ['', 'Evidence for a <i>Strategy</i>'] };
    expect(workOf(item)).toMatchObject({ title: 'All It Takes', subtitle: 'Evidence for a Strategy' });
    expect(cslOf(item)).toMatchObject({
      title: 'All It Takes: Evidence for a <i>Strategy</i>',
      'title-short': 'All It Takes',
    });
    expect(workOf({ title: ['All: It'], subtitle: ['It'] })).toMatchObject({ title: 'All', subtitle: 'It' });
    expect(workOf({ title: ['All It'], subtitle: ['It'] })).toMatchObject({
      title: 'All It',
      subtitle: null,
    });
    expect(cslOf({ title: ['All:'], subtitle: ['It'] })['title']).toBe('All: It');
  });

  it('the BibTeX type of a thesis with the degree of the thesis', () => {
    const entryOf = (degree?: string) =>
      /^@\w+/.exec(writeBibtex(cslOf({ type: 'dissertation', degree: degree && [degree] }), NAME))?.[0];
    for (const degree of ['Master of Science', 'M.Sc.', 'MA', 'M. Phil.', 'Bachelor of Arts', 'Magister']) {
      expect([degree, entryOf(degree)]).toEqual([degree, '@mastersthesis']);
    }
    for (const degree of ['Doctor of Philosophy', 'Ph.D.', 'PhD', 'EdD', undefined]) {
      expect([degree, entryOf(degree)]).toEqual([degree, '@phdthesis']);
    }
  });

  it('the type of a chapter that is deposited as `other`', () => {
    const chapter = { type: 'other', 'container-title': ['Book'], ISBN: ['9780199567027'] };
    expect(cslOf(chapter)['type']).toBe('chapter');
    expect(cslOf({ ...chapter, ISBN: [] })['type']).toBe('document');
    expect(cslOf({ ...chapter, 'container-title': [] })['type']).toBe('document');
  });

  it('ISBNs and ISSNs after an address, and ISBNs that are listed twice', () => {
    const ISBN = ['http://id.crossref.org/isbn/9780199567027', 'urn:isbn:9780191917851', '9780199567027'];
    expect(cslOf({ ISBN, ISSN: ['http://id.crossref.org/issn/0302-9743'] })).toMatchObject({
      ISBN: '9780199567027, 9780191917851',
      ISSN: '0302-9743',
    });
  });

  it('page numbers that are other texts', () => {
    for (const page of ['n/a-n/a', 'no-no', '-', '0-0', 'Bd. 1 Nr. 1 (2018)', 'Vol. 3, 5-8']) {
      expect(workOf({ page }).page).toBeNull();
    }
    for (const page of ['1308-1309.e1', 'S1–S12', 'e0259629', 'ix-x', 'Art. No. 12', '10-100']) {
      expect(workOf({ page }).page).toBe(page);
    }
  });

  it('missing pages with the number of the article', () => {
    expect(workOf({ 'article-number': 'e123' }).page).toBe('e123');
    expect(workOf({ page: '1', 'article-number': 'e123' }).page).toBe('1');
  });
});

it('a member that is nested 100,000 levels deep is ignored', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  for (const member of ['title', 'issued', 'updated-by', 'update-to', 'relation']) {
    expect(cslOf({ [member]: deep })).toEqual(cslOf({}));
  }
  expect(namesOf({ family: 'Ba', given: 'A.', affiliation: deep })).toEqual(['A. Ba']);
});
