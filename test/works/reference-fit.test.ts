import { describe, expect, it } from 'vitest';
import { fitOfReference, namedWork } from '../../src/works/reference-fit.ts';
import { readWork } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';

const WORK = readWork({
  title:
    'Automated quantitative histology reveals vascular morphodynamics during Arabidopsis hypocotyl secondary growth',
  author: [{ family: 'Sankar', given: 'Martial' }],
});

const fitOf = (text: string, work = WORK) => fitOfReference({ text, isWhole: true }, namedWork(work));

describe('a reference fits its work', () => {
  testTable([
    ['the whole reference', `Sankar M. (2014) ${WORK.title}. eLife 3. https://doi.org/10.7554/eLife.01567`],
    [
      'in capitals, hyphenated at the ends of lines',
      (WORK.title ?? '').toUpperCase().replace('ARABIDOPSIS', 'Arabi-\n  dopsis'),
    ],
    [
      'BibTeX',
      `@article{s, title = {{Automated} quantitative histology reveals vascular morphodynamics during {A}rabidopsis hypocotyl secondary growth}, doi = {10.7554/eLife.01567}}`,
    ],
  ])('if it has the title', (_, reference) => {
    expect(fitOf(reference)).toBe('FITS');
  });

  it('if it has the main title without the subtitle', () => {
    const work = readWork({
      title: 'Deep learning networks: a very long and winding subtitle of everything else',
    });
    expect(fitOf('LeCun Y, Bengio Y, Hinton G. Deep learning networks. Nature 2015', work)).toBe('FITS');
  });

  it('if its accents are written in LaTeX', () => {
    const work = readWork({ title: 'Über die Kristallstruktur von Nickeloxid' });
    const reference = 'M\\"{u}ller, J., \\"{U}ber die Kristallstruktur von Nickeloxid, Zeitschrift 1925';
    expect(fitOf(reference, work)).toBe('FITS');
  });

  it('if its title has ligatures', () => {
    const work = readWork({ title: 'Efficient filters of fluid flow' });
    const reference = 'Watson J. E\uFB03cient \uFB01lters of \uFB02uid \uFB02ow. Nature 171 (1953)';
    expect(fitOf(reference, work)).toBe('FITS');
  });

  it('if it has the title in a script without spaces', () => {
    const work = readWork({ title: '日本における科学技術政策の歴史', author: ['山田太郎'] });
    expect(fitOf('山田太郎, 日本における科学技術政策の歴史, 科学史研究, 2001', work)).toBe('FITS');
    expect(fitOf('鈴木花子, 東京湾の海洋生物調査報告書と分析, 水産学会誌, 1999', work)).toBe('DOES_NOT_FIT');
  });

  testTable([
    ['there are hardly any words', 'see 10.7554/eLife.01567', WORK],
    [
      'the only words are the words of the DOI',
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
  ])('perhaps, if there is too little to compare', (_, reference, work) => {
    expect(fitOf(reference, work)).toBe('CANNOT_TELL');
  });

  testTable([
    [
      'abbreviated',
      'Sankar M. Autom. quant. histol. reveals vasc. morphodyn. during Arab. hypocot. sec. growth. 2014',
    ],
    ['with a soft hyphen', `Sankar. ${WORK.title?.replace('quanti', 'quan\u00adti')} 2014 e e`],
    ['with its tags', `Sankar M. ${WORK.title?.replace('Arabidopsis', '<i>Arabidopsis</i>')}. eLife 2014`],
    [
      'with a hyphen inside a word',
      `Sankar M. ${WORK.title?.replace('hypocotyl', 'hypo-cotyl')}. eLife 2014`,
    ],
  ])('if its title is written in another way', (_, reference) => {
    expect(fitOf(reference)).toBe('FITS');
  });

  const TRANSLATED = { title: 'Housing prices in small island states', issued: { 'date-parts': [[2019]] } };

  testTable<[string, string, object, boolean]>([
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
  ])('perhaps, if the title can be a translation', (_, text, csl, isWhole) => {
    const work = namedWork(readWork({ ...TRANSLATED, ...csl }));
    expect(fitOfReference({ text, isWhole }, work)).toBe('CANNOT_TELL');
  });

  testTable<[string, string, object]>([
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
      'with one word of the title, by others, of the same year',
      'Watson J, Crick F. Island birds of the northern seas. Nature 171 (2019)',
      { author: [{ family: 'Xu' }] },
    ],
    [
      'without a year, in BibTeX',
      '@book{a, title = {Molecular structure of nucleic acids}, author = {Watson}}',
      { author: [{ family: 'Xu' }] },
    ],
  ])('but not if the people, the year or the title contradict the work', (_, text, csl) => {
    expect(fitOf(text, readWork({ ...TRANSLATED, ...csl }))).toBe('DOES_NOT_FIT');
    expect(fitOf('Watson J, Crick F. Molecular structure of nucleic acids. Nature 171 (1953)')).toBe(
      'DOES_NOT_FIT',
    );
  });
});
