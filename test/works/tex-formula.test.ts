import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceFormulas } from '../../src/works/tex-formula.ts';
import { testTable } from '../support/test-table.ts';

testTable([
  ['L^p', 'L<sup>p</sup>'],
  ['{L}^{p}', 'L<sup>p</sup>'],
  ['\\alpha _{i}^{2}', 'α<sub>i</sub><sup>2</sup>'],
  ['x^{y_2}z', 'x<sup>y<sub>2</sub></sup>z'],
  ['\\mathbb{R}^n\\setminus\\{0\\}', 'ℝ<sup>n</sup>∖{0}'],
  ['\\mathcal {N}=4', 'N=4'],
  ['e^\\mathrm{x}', 'e<sup>x</sup>'],
  ['SL_2(\\mathbb{Z})', 'SL<sub>2</sub>(ℤ)'],
  ['p&lt;0.05', 'p&lt;0.05'],
  ['\\log n', 'logn'],
  ['a^', 'a'],
  ['a}_{b', 'a<sub>b</sub>'],
])('a formula of TeX becomes text with sub and sup', (tex, html) => {
  expect(replaceFormulas(`On $$${tex}$$ spaces`)).toBe(`On ${html} spaces`);
});

test('any formula has balanced elements, and a text without formulas stays', () => {
  const tex = fc.string({ unit: fc.constantFrom(...'^_{}\\ab2 &<', '\\mathbb', '\\alpha'), maxLength: 20 });
  fc.assert(
    fc.property(tex, (formula) => {
      const source = `$$${formula}$$`;
      const html = replaceFormulas(source);
      if (html === source) return;
      const open: string[] = [];
      for (const [, close, name] of html.matchAll(/<(\/?)(sub|sup)>/g)) {
        if (close === '') open.push(name as string);
        else expect(open.pop()).toBe(name);
      }
      expect(open).toEqual([]);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => replaceFormulas(text) === text));
});
