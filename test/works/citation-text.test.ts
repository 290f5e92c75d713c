import { expect } from 'vitest';
import { citationText } from '../../src/works/citation-text.ts';
import { testTable } from '../support/test-table.ts';

testTable([
  [
    'Grimpe, B., &amp; Jirotka, M. <i>The role of <b>H</b><sub>2</sub>O</i>. Figshare.',
    'Grimpe, B., & Jirotka, M. The role of H2O. Figshare.',
  ],
  [
    '<div class="csl-bib-body">\r\n  <div data-csl-entry-id="x" class="csl-entry">A &amp;amp; B</div>\n</div>\n',
    'A & B',
  ],
  [
    '<span>A</span> <a href="https://doi.org/10.5555/a">https://doi.org/10.5555/a</a>',
    'A https://doi.org/10.5555/a',
  ],
  ['[1] A.\nB.', '[1] A.\nB.'],
  ['R&D where p < 0.05 & q > 3: <https://example.org>', 'R&D where p < 0.05 & q > 3: <https://example.org>'],
  ['On $$L^p$$ and MÃ¼ller', 'On $$L^p$$ and MÃ¼ller'],
  [`${'<i>'.repeat(30_000)}A & 5`, 'A 5'],
  [`${'A, '.repeat(20_000)}B &amp; C`, `${'A, '.repeat(20_000)}B & C`],
])('a citation becomes plain text', (citation, text) => {
  expect(citationText(citation)).toBe(text);
});
