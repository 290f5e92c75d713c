import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarkup } from '../../src/works/title-markup.ts';

describe('spaces that are missing around markup', () => {
  it('are added where two words touch', () => {
    const titles = [
      ['Effects of<i>Escherichia coli</i>on soil', 'Effects of Escherichia coli on soil'],
      ['a specialised<i>Neisseria</i>genomic resource', 'a specialised Neisseria genomic resource'],
      ['hoppers<jats:italic>L. striatellus</jats:italic>in China', 'hoppers L. striatellus in China'],
      ['by<i>Salmonella</i>: a review', 'by Salmonella: a review'],
      ['<i>De novo</i>synthesis', 'De novo synthesis'],
      ['reducing CO<sub>2</sub>emissions', 'reducing CO2 emissions'],
      ['decays of<mml:math><mml:mi>B</mml:mi></mml:math>mesons', 'decays of B mesons'],
      [
        'in<jats:inline-formula><mml:math><mml:mi>SU</mml:mi></mml:math></jats:inline-formula>theory',
        'in SU theory',
      ],
      ['<i>Ab Initio</i>Green-Kubo Studies', 'Ab Initio Green-Kubo Studies'],
      ['the<mml:math><mml:mi>θ</mml:mi></mml:math>Term', 'the θ Term'],
      ['Decays Of<mml:math><mml:mi>B</mml:mi></mml:math>Mesons', 'Decays Of B Mesons'],
      ['Genes of<i>Escherichia Coli</i>In Soil', 'Genes of Escherichia Coli In Soil'],
      ['The<i>Drosophila</i>Genome', 'The Drosophila Genome'],
      ['CO<sub>2</sub>Emissions', 'CO2 Emissions'],
      ['Methods:<i>In Vivo</i>NMR', 'Methods: In Vivo NMR'],
      ['the &lt;i&gt;Homo sapiens&lt;/i&gt;genome', 'the Homo sapiens genome'],
    ] as const;
    for (const [source, text] of titles) expect(readMarkup(source).text).toBe(text);
    expect(readMarkup('of<i>Escherichia coli</i>on').html).toBe('of <i>Escherichia coli</i> on');
  });

  it('are not added inside a word or a formula', () => {
    const titles = [
      ...['H<sub>2</sub>O', 'C<sub>60</sub>', 'H<sub>2</sub>ase', 'Ca<sup>2+</sup>', 'x<sup>th</sup>'],
      ...['<i>lac</i>Z', '<i>Pf</i>EMP1', '<i>p</i>-value', 'per<i>form</i>ance', 'in<i>Form</i>ation'],
      ...['<i>Trans</i>formation', '(<i>Re</i>)thinking', '<i>Drosophila</i>s', 'anti<b>body</b>'],
      ...['H<sub>2</sub>Se', '<math><mi>n</mi></math>th root'],
      'La<mml:math><mml:mn>2</mml:mn></mml:math>CuO',
      ...['non-<i>Homo sapiens</i>-like', '(<i>E. coli</i>)', '“<i>De novo</i>”'],
      'H<math><mn>2</mn></math>O',
    ];
    for (const title of titles) {
      expect(readMarkup(title).text).toBe(title.replaceAll(/<[^>]*>/g, ''));
    }
  });

  it('are the only change, and are not added twice', () => {
    const word = fc.constantFrom('of', 'Salmonella', 'E. coli', 'H', '2', 'emissions', ' ', '-', '');
    const tag = fc.constantFrom('i', 'jats:italic', 'b', 'sub', 'sup');
    const element = fc.tuple(tag, word).map(([name, content]) => `<${name}>${content}</${name}>`);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, element), { maxLength: 12 }), (parts) => {
        const source = parts.join('');
        const { text, html } = readMarkup(source);
        const letters = (of: string) => of.replaceAll(/<[^>]*>|\s/g, '');
        expect(letters(text)).toBe(letters(source));
        expect(readMarkup(html).text).toBe(text);
      }),
    );
  });
});
