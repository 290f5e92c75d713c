import { describe, expect, it } from 'vitest';
import { fitOfReference, namedWork } from '../../src/works/reference-fit.ts';
import { readWork } from '../../src/works/work.ts';

const WORK = readWork({
  title:
    'Automated quantitative histology reveals vascular morphodynamics during Arabidopsis hypocotyl secondary growth',
  author: [{ family: 'Sankar', given: 'Martial' }],
});

const told = (text: string, work = WORK) => fitOfReference({ text, isWhole: true }, namedWork(work));

describe('the words of a reference and the title of its DOI', () => {
  it.each([
    ['the whole reference', `Sankar M. (2014) ${WORK.title}. eLife 3. https://doi.org/10.7554/eLife.01567`],
    [
      'in capitals, hyphenated at the ends of lines',
      (WORK.title ?? '').toUpperCase().replace('ARABIDOPSIS', 'Arabi-\n  dopsis'),
    ],
    [
      'BibTeX',
      `@article{s, title = {{Automated} quantitative histology reveals vascular morphodynamics during {A}rabidopsis hypocotyl secondary growth}, doi = {10.7554/eLife.01567}}`,
    ],
  ])('fit: %s', (_, reference) => {
    expect(told(reference)).toBe('FITS');
  });

  it('fit where the reference has the main title alone', () => {
    const work = readWork({
      title: 'Deep learning networks: a very long and winding subtitle of everything else',
    });
    expect(told('LeCun Y, Bengio Y, Hinton G. Deep learning networks. Nature 2015', work)).toBe('FITS');
  });

  it('fit with other accents, in LaTeX and in Unicode', () => {
    const work = readWork({ title: 'Über die Kristallstruktur von Nickeloxid' });
    const reference = 'M\\"{u}ller, J., \\"{U}ber die Kristallstruktur von Nickeloxid, Zeitschrift 1925';
    expect(told(reference, work)).toBe('FITS');
  });

  it('fit in a script without spaces', () => {
    const work = readWork({ title: '日本における科学技術政策の歴史', author: ['山田太郎'] });
    expect(told('山田太郎, 日本における科学技術政策の歴史, 科学史研究, 2001', work)).toBe('FITS');
    expect(told('鈴木花子, 東京湾の海洋生物調査報告書と分析, 水産学会誌, 1999', work)).toBe('DOES_NOT_FIT');
  });

  it('do not fit where the reference is of another paper', () => {
    expect(told('Watson J, Crick F. Molecular structure of nucleic acids. Nature 171, 737 (1953)')).toBe(
      'DOES_NOT_FIT',
    );
  });

  it.each([
    ['there are hardly any words', 'see 10.7554/eLife.01567', WORK],
    [
      'the words are those of the DOI alone',
      'https://doi.org/10.7554/automated-quantitative-histology-reveals-vascular',
      WORK,
    ],
    ['the work has no title', 'Watson J, Crick F. Molecular structure of nucleic acids', readWork({})],
    [
      'the title is a word',
      'Watson J, Crick F. Molecular structure of nucleic acids',
      readWork({ title: 'Editorial' }),
    ],
    [
      'the author is right, the title translated',
      'Sankar M. Automatisierte Gewebelehre zeigt Gefäße. eLife 3 (2014)',
      WORK,
    ],
    [
      'half of the title is there',
      'Automated quantitative histology and other methods in vascular plant science',
      WORK,
    ],
  ])('cannot be told where %s', (_, reference, work) => {
    expect(told(reference, work)).toBe('CANNOT_TELL');
  });

  it.each([
    [
      'abbreviated',
      'Sankar M. Autom. quant. histol. reveals vasc. morphodyn. during Arab. hypocot. sec. growth. 2014',
    ],
    ['with a soft hyphen and ligatures', `Sankar. ${WORK.title?.replace('quanti', 'quan\u00adti')} 2014 e e`],
    ['with its tags', `Sankar M. ${WORK.title?.replace('Arabidopsis', '<i>Arabidopsis</i>')}. eLife 2014`],
    [
      'hyphenated where it is one word',
      `Sankar M. ${WORK.title?.replace('hypocotyl', 'hypo-cotyl')}. eLife 2014`,
    ],
  ])('fit with a title that is %s', (_, reference) => {
    expect(told(reference)).toBe('FITS');
  });

  const TRANSLATED = { title: 'Housing prices in small island states', issued: { 'date-parts': [[2019]] } };

  it.each([
    ['prose, without a year', 'as the people of that town have always known', {}, true],
    ['cut at its beginning', 'Watson J, Crick F. Molecular structure of nucleic acids. 1953', {}, false],
    [
      'of a work without authors, in its year',
      'Иванов И. Цены на жильё в малых государствах. 2019',
      {},
      true,
    ],
    ['of the year before', 'Ivanov I. Ceny na zhilyo v malykh gosudarstvakh. 2018', {}, true],
    [
      'in another script',
      'Иванов И. Цены на жильё в малых государствах. 2019',
      { author: [{ family: 'Ivanov' }] },
      true,
    ],
    [
      'by two others of its authors',
      'Bo C, Du E. Wohnungspreise auf kleinen Inseln. 2019',
      { author: [{ family: 'Xu' }, { family: 'Bo' }, { family: 'Du' }] },
      true,
    ],
  ])('cannot be told: %s', (_, text, csl, isWhole) => {
    const work = namedWork(readWork({ ...TRANSLATED, ...csl }));
    expect(fitOfReference({ text, isWhole }, work)).toBe('CANNOT_TELL');
  });

  it.each([
    [
      'in another script, of another year',
      'Иванов И. Цены на жильё в малых государствах. 1988',
      { author: [{ family: 'Ivanov' }] },
    ],
    [
      'by one of its later authors',
      'Bo C, Ra E. Wohnungspreise auf kleinen Inseln. 2019',
      { author: [{ family: 'Xu' }, { family: 'Bo' }] },
    ],
    [
      'with half of the title, by others, of another year',
      'Watson J, Crick F. Small island states: a history of names. Nature 171 (1953)',
      { author: [{ family: 'Xu' }] },
    ],
    [
      'without a year, in BibTeX',
      '@book{a, title = {Molecular structure of nucleic acids}, author = {Watson}}',
      { author: [{ family: 'Xu' }] },
    ],
  ])('do not fit: %s', (_, text, csl) => {
    expect(told(text, readWork({ ...TRANSLATED, ...csl }))).toBe('DOES_NOT_FIT');
  });
});
