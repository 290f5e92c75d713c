import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarkup } from '../../src/works/title-markup.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';
import { testTable } from '../support/test-table.ts';

describe('the markup of titles', () => {
  testTable([
    ['HTML', 'The <i>E. coli</i> genome', 'The E. coli genome', 'The <i>E. coli</i> genome'],
    ['other elements for the same markup', '<em>a</em> <strong>b</strong>', 'a b', '<i>a</i> <b>b</b>'],
    ['JATS', '<jats:italic>Drosophila</jats:italic> wings', 'Drosophila wings', '<i>Drosophila</i> wings'],
    ['attributes', '<i class="x">a</i><span style=\'y\'>b</span>', 'ab', '<i>a</i>b'],
    ['chemistry', 'H<sub>2</sub>O and Ca<sup>2+</sup>', 'H2O and Ca2+', 'H<sub>2</sub>O and Ca<sup>2+</sup>'],
    ['entities', 'AT&amp;T &eacute;t&#233; &lt; 5', 'AT&T été < 5', 'AT&amp;T été &lt; 5'],
    [
      'characters that are escaped twice',
      'Q&amp;amp;A on &lt;i&gt;Homo&lt;/i&gt;',
      'Q&A on Homo',
      'Q&amp;A on <i>Homo</i>',
    ],
    ['markup that is escaped three times', '&amp;lt;sub&amp;gt;2&amp;lt;/sub&amp;gt;', '2', '<sub>2</sub>'],
    [
      'signs of comparison',
      'p < 0.05, a<b and 3 > 2',
      'p < 0.05, a<b and 3 > 2',
      'p &lt; 0.05, a&lt;b and 3 &gt; 2',
    ],
    ['unknown elements', 'the <y> axis', 'the <y> axis', 'the &lt;y&gt; axis'],
    ['small capitals', '<scp>L</scp>-alanine', 'L-alanine', 'L-alanine'],
    ['an element that is not closed', 'a <i>b', 'a b', 'a <i>b</i>'],
    ['an element that was not opened', 'a</i> b', 'a b', 'a b'],
    ['white space', '  a\n\t b\u00a0c ', 'a b c', 'a b c'],
    ['line breaks', 'Main title<br/>Subtitle', 'Main title Subtitle', 'Main title Subtitle'],
    ['empty elements', '<i></i>a<sup> </sup>b', 'a b', 'a b'],
    ['scripts', 'a<script>alert(1)</script>b<style>x{}</style>', 'ab', 'ab'],
    ['an image with a script', 'a<img src=x onerror=alert(1)>b', 'ab', 'ab'],
    ['CDATA', '<![CDATA[a < b]]> c', 'a < b c', 'a &lt; b c'],
    ['comments', 'a<!-- b -->c', 'ac', 'ac'],
    ['markup of the whole title', '<b>A <i>b</i></b>', 'A b', 'A <i>b</i>'],
    ['markup at both ends', '<i>a</i> b <i>c</i>', 'a b c', '<i>a</i> b <i>c</i>'],
    [
      'formulas of TeX',
      'On $$L^p$$ and $$\\mathbb {R}^{n+1}$$',
      'On Lp and ℝn+1',
      'On L<sup>p</sup> and ℝ<sup>n+1</sup>',
    ],
    ['dollars', 'from $$ to $$$ and $5', 'from $$ to $$$ and $5', 'from $$ to $$$ and $5'],
    ['white space without text', '   ', '', ''],
  ])('becomes text, and HTML with four elements', (_, source, text, html) => {
    expect(readMarkup(source)).toEqual({ text, html });
  });

  it('keeps the subscripts and superscripts of MathML, but not its annotations and spaces', () => {
    const source =
      'Search for <mml:math>\n <mml:msubsup><mml:mi>B</mml:mi><mml:mi>s</mml:mi><mml:mn>0</mml:mn></mml:msubsup>' +
      '\n <mml:annotation>B_s^0</mml:annotation></mml:math> in <mml:math><mml:msup><mml:mn>10</mml:mn><mml:mn>3</mml:mn></mml:msup></mml:math>';
    expect(readMarkup(source)).toEqual({
      text: 'Search for Bs0 in 103',
      html: 'Search for B<sub>s</sub><sup>0</sup> in 10<sup>3</sup>',
    });
  });

  it('is read from MathML if a formula has both MathML and TeX', () => {
    const source =
      '<jats:inline-formula><jats:alternatives><jats:tex-math>\\alpha</jats:tex-math><mml:math><mml:mi>α</mml:mi></mml:math></jats:alternatives></jats:inline-formula> decay';
    expect(readMarkup(source).text).toBe('α decay');
  });

  it('of a long title is cut, and an ellipsis follows', () => {
    const { textCharacters } = WORK_LIMITS;
    expect(readMarkup('a'.repeat(textCharacters)).text).toBe('a'.repeat(textCharacters));
    expect(readMarkup('a'.repeat(textCharacters + 5)).text).toBe(`${'a'.repeat(textCharacters)}…`);
    expect(readMarkup('<i>a</i>bcd', 8)).toEqual({ text: 'a…', html: '<i>a</i>…' });
  });

  it('becomes HTML with only four balanced elements, and the HTML has the words of the text', () => {
    const tags = ['<i>', '</i>', '<sub>', '</sub>', '<script>', '</script>', '<mml:math>', '</mml:math>'];
    const signs = ['<msup>', '</msup>', '<b x="', '">', '&lt;', '&gt;', '&amp;', ...'<>&"', '<!--', '-->'];
    const part = fc.oneof(
      fc.constantFrom(...tags),
      fc.constantFrom(...signs),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { text, html } = readMarkup(parts.join(''));
        const open: string[] = [];
        const words = html.replace(/<(\/?)(i|b|sub|sup)>/g, (_, closes: string, tag: string) => {
          if (closes) expect(open.pop()).toBe(tag);
          else open.push(tag);
          return '';
        });
        expect(open).toEqual([]);
        expect(words).not.toMatch(/[<>]/);
        const plain = words.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
        expect(plain.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
      }),
    );
  });
});
