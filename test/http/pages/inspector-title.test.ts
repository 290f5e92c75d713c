// The inspector makes elements of some markup of a title. Other markup stays text.

import { describe, expect, it } from 'vitest';
import { type Piece, titlePieces } from '../../../inspector/marked-up-title.ts';

const element = (tag: 'b' | 'i' | 'sub' | 'sup', ...children: Piece[]): Piece => ({ tag, children });

describe('the pieces of a title', () => {
  it.each<[string, readonly Piece[]]>([
    ['', []],
    ['A title', ['A title']],
    ['H<sub>2</sub>O', ['H', element('sub', '2'), 'O']],
    [
      '<i>E. <b>coli</b></i> x<sup>2</sup>',
      [element('i', 'E. ', element('b', 'coli')), ' x', element('sup', '2')],
    ],
    ['a &lt; b &amp;&amp; c &gt; d&nbsp;e', ['a < b && c > d\u00A0e']],
    ['&amp;lt;i&amp;gt;', ['&lt;i&gt;']],
  ])('are elements and text: %j', (html, expected) => {
    expect(titlePieces(html)).toEqual(expected);
  });

  it.each<[string, readonly Piece[]]>([
    ['<img src=x onerror=alert(1)>', ['<img src=x onerror=alert(1)>']],
    ['<i onclick="alert(1)">a</i>', ['<i onclick="alert(1)">a']],
    ['<script>a</script>', ['<script>a</script>']],
    ['<I>a</I>', ['<I>a</I>']],
    ['&copy;&unknown;', ['&copy;&unknown;']],
  ])('keep other markup as text: %j', (html, expected) => {
    const pieces = titlePieces(html);
    expect(pieces.filter((piece) => typeof piece !== 'string')).toEqual([]);
    expect(pieces.join('')).toBe(expected.join(''));
  });

  it.each<[string, readonly Piece[]]>([
    ['</i>a', ['a']],
    ['<i>a', [element('i', 'a')]],
    ['<i>a</b>b</i>', [element('i', 'a', 'b')]],
  ])('come also from markup that is not well-formed: %j', (html, expected) => {
    expect(titlePieces(html)).toEqual(expected);
  });

  it('have at most twenty levels', () => {
    let depth = 0;
    let pieces = titlePieces(`${'<i>'.repeat(3_000)}a`);
    for (let [first] = pieces; typeof first === 'object'; [first] = pieces) {
      depth += 1;
      pieces = first.children;
    }
    expect([depth, pieces.join('')]).toEqual([20, 'a']);
  });
});
