import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCreators } from '../../src/works/creators.ts';
import { readPartialDate } from '../../src/works/partial-date.ts';
import { readWork } from '../../src/works/work.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';

describe('a work', () => {
  it('as Crossref writes it', () => {
    expect(
      readWork({
        type: 'article-journal',
        title: 'On <i>x</i>',
        author: [
          {
            given: 'Josiah',
            family: 'Carberry',
            ORCID: 'http://orcid.org/0000-0002-1825-0097',
            sequence: 'first',
          },
          { name: 'The Consortium', sequence: 'additional' },
        ],
        'container-title': 'Journal of Psychoceramics',
        publisher: 'Brown',
        issued: { 'date-parts': [[2008, 8, 13]] },
        volume: '5',
        issue: '11',
        page: '1-3',
        language: 'en',
      }),
    ).toMatchObject({
      title: 'On x',
      titleHtml: 'On <i>x</i>',
      creators: [
        { name: 'Josiah Carberry', given: 'Josiah', family: 'Carberry', orcid: '0000-0002-1825-0097' },
        { name: 'The Consortium', given: null, family: null, orcid: null },
      ],
      issued: { year: 2008, month: 8, day: 13, text: '2008-08-13' },
      containerTitle: 'Journal of Psychoceramics',
      publisher: 'Brown',
      type: 'article-journal',
      volume: '5',
      issue: '11',
      page: '1-3',
      language: 'en',
    });
  });

  it('takes lists, numbers and objects where others write texts', () => {
    const work = readWork({
      title: ['', 1984],
      volume: 7,
      publisher: { name: 'Zenodo' },
      'container-title': ['A', 'B'],
    });
    expect(work).toMatchObject({ title: '1984', volume: '7', publisher: 'Zenodo', containerTitle: 'A' });
  });

  it('is made by its editors where it has no authors', () => {
    const editor = [{ family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van', suffix: 'Jr.' }];
    expect(readWork({ author: [], editor }).creators).toMatchObject([
      { name: 'Ludwig van Beethoven Jr.', given: 'Ludwig', family: 'van Beethoven', suffix: 'Jr.' },
    ]);
  });

  it('has no ORCID where the check digit is wrong', () => {
    const [creator] = readWork({ author: [{ literal: 'X', ORCID: '0000-0002-1825-0098' }] }).creators;
    expect(creator?.orcid).toBeNull();
  });

  it('never throws, and has texts or null alone', () => {
    const names = [
      'title',
      'author',
      'editor',
      'issued',
      'container-title',
      'publisher',
      'type',
      'page',
      'language',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (csl) => {
        const { creators, issued, ...texts } = readWork(csl as Record<string, unknown>);
        for (const text of Object.values(texts)) {
          expect(text === null || (typeof text === 'string' && text.trim() !== '')).toBe(true);
        }
        for (const { name } of creators) expect(name.trim()).not.toBe('');
        if (issued) expect(issued.text).toMatch(/^-?\d{4}(?:-\d\d(?:-\d\d)?)?$/);
      }),
    );
  });
});

describe('limits of people', () => {
  const { creators, nameCharacters } = WORK_LIMITS;
  const nameOf = (literal: string) => readCreators([{ literal }])[0]?.name;

  it('cuts a long name and says so with an ellipsis', () => {
    expect(nameOf('a'.repeat(nameCharacters))).toBe('a'.repeat(nameCharacters));
    expect(nameOf('a'.repeat(nameCharacters + 1))).toBe(`${'a'.repeat(nameCharacters)}…`);
    const [{ name, suffix } = { name: '', suffix: '' }] = readCreators([
      { family: 'A', given: 'B', suffix: 'x'.repeat(5_000) },
    ]);
    expect([name.length, suffix?.length]).toEqual([nameCharacters + 5, nameCharacters + 1]);
  });

  it('removes commas at both ends of a name', () => {
    expect(nameOf('Smith, ;,')).toBe('Smith');
    expect(nameOf(',;, ,')).toBeUndefined();
    expect(nameOf(',,,x')).toBe('x');
  });

  it('reads no more people than the limit', () => {
    expect(readCreators(Array.from({ length: creators + 1 }, () => 'A'))).toHaveLength(creators);
  });
});

describe('a date of publication', () => {
  it.each([
    [{ 'date-parts': [[2020]] }, '2020'],
    [{ 'date-parts': [['2020', '07']] }, '2020-07'],
    [{ 'date-parts': [2020, 7, 29] }, '2020-07-29'],
    [{ 'date-parts': [[2010], [2012]] }, '2010'],
    [{ 'date-parts': [[2021, 2, 29]] }, '2021-02'],
    [{ 'date-parts': [[2021, 13, 1]] }, '2021'],
    [{ 'date-parts': [[-44, 3, 15]] }, '-0044-03-15'],
    [{ 'date-parts': [[null]] }, null],
    [{ 'date-parts': [[0]] }, null],
    [{ 'date-parts': [] }, null],
    [{ 'date-parts': [[]], literal: 'circa 1999' }, '1999'],
    [{ raw: '2012/05' }, '2012-05'],
    [{ literal: 'between 1999 and 2001' }, null],
    [{ 'date-time': '2015-06-18T10:00:00Z' }, '2015-06-18'],
    [{ year: 1932 }, '1932'],
    ['2014-01', '2014-01'],
    [2014, '2014'],
    ['20140101', '2014-01-01'],
    [true, null],
  ])('%j', (csl, text) => {
    expect(readPartialDate(csl)?.text ?? null).toBe(text);
  });
});
