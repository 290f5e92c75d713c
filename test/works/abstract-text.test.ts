import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { abstractText } from '../../src/works/abstract-text.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';
import { testTable } from '../support/test-table.ts';

describe('an abstract', () => {
  testTable([
    [
      'paragraphs have an empty line between them',
      '<jats:p>One\n  line</jats:p> <p>Two</p>',
      'One line\n\nTwo',
    ],
    ['a sole heading "Abstract" is left out', '<jats:title>ABSTRACT</jats:title><jats:p>A</jats:p>', 'A'],
    [
      'other headings stay',
      '<jats:sec><jats:title>Abstract</jats:title><jats:p>A</jats:p><jats:title>Results</jats:title>B</jats:sec>',
      'Abstract\n\nA\n\nResults\n\nB',
    ],
    [
      'the items of a list are lines or paragraphs',
      'Two:<ul><li>one</li><li>two</li></ul><jats:list><jats:list-item><jats:p>three</jats:p></jats:list-item></jats:list>',
      'Two:\n\none\ntwo\n\nthree',
    ],
    ['line breaks of HTML stay', 'One<br>two<br/>three', 'One\ntwo\nthree'],
    ['line breaks of a plain text stay', 'One\r\n\r\n\r\ntwo  words\nthree', 'One\n\ntwo words\nthree'],
    ['line breaks between inline elements stay', '<b>One</b>: 1\n  <b>two</b>: 2', 'One: 1\ntwo: 2'],
    [
      'a formula is its text, once',
      'x <jats:alternatives><jats:tex-math>$$x^2$$</jats:tex-math><mml:math><mml:msup> <mml:mi>x</mml:mi> <mml:mn>2</mml:mn></mml:msup></mml:math></jats:alternatives>',
      'x x2',
    ],
    ['entities are decoded, also escaped twice', 'R&amp;D, &amp;lt; 5 &amp;amp; &alpha;', 'R&D, < 5 & α'],
    ['escaped markup is markup', '&lt;p&gt;One&lt;/p&gt;&amp;lt;p&amp;gt;Two', 'One\n\nTwo'],
    [
      'signs of comparison are text',
      'p<0.05, a<b and c>d, <20 μm, <Taxon>',
      'p<0.05, a<b and c>d, <20 μm, <Taxon>',
    ],
    ['scripts and comments are left out', '<script>alert(1)</script><!-- x -->A<style>p{}</style>', 'A'],
  ])('becomes plain text', (_, sent, read) => {
    expect(abstractText(sent)).toBe(read);
  });

  test('is the first text of a list, and null without a text', () => {
    expect(abstractText([null, '<p> </p>', 'A'])).toBe('A');
    for (const value of [null, undefined, 7, {}, [], '', '<p/>']) expect(abstractText(value)).toBeNull();
  });

  test('has at most 20,000 characters', () => {
    const text = abstractText('a'.repeat(30_000)) ?? '';
    expect(text).toHaveLength(WORK_LIMITS.abstractCharacters);
    expect(text.endsWith('a…')).toBe(true);
  });

  test('keeps the words of any text', () => {
    const parts = fc.constantFrom(...'<>&/ ', '<p>', '</p>', '&lt;', 'word', '<br/>', '<!--', ']]>');
    fc.assert(
      fc.property(fc.array(parts), (sent) => {
        const words = sent.filter((part) => part === 'word').length;
        const isInsideMarkup = /<!--|<[^>]*word/.test(sent.join('').replaceAll('&lt;', '<'));
        if (!isInsideMarkup) expect(abstractText(sent.join(''))?.match(/word/g)?.length ?? 0).toBe(words);
      }),
    );
  });
});

test('a space stands beside a formula unless a hyphen or full stop follows', () => {
  const formula = (symbol: string) =>
    `<jats:inline-formula>\n  <math>\n <mi>${symbol}</mi>\n </math>\n </jats:inline-formula>`;
  const source = `<jats:p>dual ${formula('K')}-frames, parameter${formula('α')}with ${formula('β')}.</jats:p>`;
  expect(abstractText(source)).toBe('dual K-frames, parameter α with β.');
});
