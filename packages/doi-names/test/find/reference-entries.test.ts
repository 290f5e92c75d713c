// Entries of reference lists without a DOI name.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { findDois } from '../../src/find/find-dois.ts';
import { UnnamedEntries } from '../../src/find/unnamed-entries.ts';

/** The entries without a name as `LINE: WORDS`. */
function unnamedIn(text: string, pieceLength = text.length): string[] {
  const entries = new UnnamedEntries();
  for (let at = 0; at < text.length; at += Math.max(1, pieceLength)) {
    entries.add(text.slice(at, at + Math.max(1, pieceLength)));
  }
  entries.end();
  for (const { start } of findDois(text)) entries.addName(start);
  return entries.take(Number.POSITIVE_INFINITY).map(({ line, words }) => `${line}: ${words}`);
}

const APA = 'Okafor, N. (2019). Housing prices in small island states. Lancet, 1(2), 3–4.';
const VANCOUVER = 'Smith J, Doe A. A title of the work. J Test. 2020;12(3):45-67.';
const IEEE = 'J. Doe, “A title of the work,” J. Test, vol. 3, no. 2, pp. 1–5, 2019.';
const BOOK = 'Knuth, D. E. The Art of Computer Programming. Addison-Wesley, 1968.';
const NAMED = 'Roe, B. (2018). A work that has a name. Journal, 2(1), 3–4. https://doi.org/10.1000/roe';

describe('an entry without a name is found in a list', () => {
  testTable<[layout: string, text: string, found: string[]]>([
    ['numbers', `1. ${VANCOUVER}\n2. ${NAMED}\n3. ${APA}\n`, [`1: ${VANCOUVER}`, `3: ${APA}`]],
    ['brackets', `[1] ${NAMED}\n[2] ${IEEE}\n`, [`2: ${IEEE}`]],
    ['round brackets', `(1) ${NAMED}\n(2) ${APA}\n`, [`2: ${APA}`]],
    ['bullets', `- ${NAMED}\n- ${APA}\n* ${BOOK}\n`, [`2: ${APA}`, `3: ${BOOK}`]],
    ['footnotes', `[^a]: ${APA}\n[^b]: ${NAMED}\n`, [`1: ${APA}`]],
    ['elements', `<ol><li>${APA}</li><li>${NAMED}</li></ol>`, [`1: ${APA}`]],
    ['elements without end tags', `<ul><li>${NAMED}<li>${APA}<li>${NAMED}</ul>`, [`1: ${APA}`]],
    ['a name in a tag', `<li>${APA} <a href="https://doi.org/10.1000/x">Link</a></li>`, []],
    [
      'JATS',
      `<ref id="r1"><mixed-citation>${APA}</mixed-citation></ref>\n<ref>${NAMED}</ref>`,
      [`1: ${APA}`],
    ],
    [
      'Pandoc',
      `<div class="csl-entry"><div class="l">1.</div><div class="r">Doe. Title.</div></div>`,
      ['1: 1. Doe. Title.'],
    ],
    [
      'TeX',
      `\\bibitem{a} ${APA}\n\n\\bibitem[Roe(2018)]{b}\n${NAMED}\n\\end{thebibliography}`,
      [`1: ${APA}`],
    ],
    [
      'paragraphs',
      `${APA}\n\n${NAMED}\n\n${BOOK.replace('1968', '1968, pp. 1-650')}\n`,
      [`1: ${APA}`, '5: Knuth, D. E. The Art of Computer Programming. Addison-Wesley, 1968, pp. 1-650.'],
    ],
    ['lines', `References\n${NAMED}\n${APA}\n${NAMED}\n`, [`3: ${APA}`]],
    [
      'a heading',
      `## References\n\n- World Bank. Development report, 2018. Washington: World Bank.\n\n## Next\n\n- World Bank. 2018. A report.`,
      ['3: World Bank. Development report, 2018. Washington: World Bank.'],
    ],
    [
      'Chinese',
      `参考文献\n[1] 王伟, 李娜. 题名. 中国科学, 2010, 5(3): 12-18.`,
      ['2: 王伟, 李娜. 题名. 中国科学, 2010, 5(3): 12-18.'],
    ],
  ])('of any layout', (_, text, found) => {
    expect(unnamedIn(text)).toEqual(found);
  });

  test('of BibTeX, with its key and title; @string, @comment and decorators are not entries', () => {
    const text = `@string{j = {Journal}}\n@comment{no, entry}\n@lru_cache(size, typed)
@article{smith2020,\n  author = {Smith, J.},\n  title = {{A {Big} title}},\n}
@article{doe, title = "Another", doi = {10.1000/doe}}
@book(knuth,\n  title = {Art}\n)\n@misc{open, title = {Never closed {\n@misc{last, note = "x"}`;
    expect(unnamedIn(text)).toEqual([
      '4: smith2020: A Big title',
      '9: knuth: Art',
      '12: open: Never closed',
      '13: last',
    ]);
  });

  testTable<[layout: string, text: string, found: string[]]>([
    ['RIS', 'TY  - JOUR\nTI  - Title one\nER  - \n\nTY  - JOUR\nDO  - 10.1000/x\nER  - \n', ['1: Title one']],
    ['MEDLINE', 'PMID- 1\nTI  - Title one\n\nPMID- 2\nAID - 10.1000/x [doi]\n', ['1: Title one']],
    ['Web of Science', 'PT J\nTI Title one\nER\n\nPT J\nDI 10.1000/x\nER\n', ['1: Title one']],
    ['EndNote', '%0 Journal Article\n%T Title one\n\n%0 Book\n%R 10.1000/x\n', ['1: Title one']],
  ])('of tagged records, with its title', (_, text, found) => {
    expect(unnamedIn(text)).toEqual(found);
  });

  test('unless a name follows in a wrapped, indented or separate line of the entry', () => {
    const wrapped = `1. ${APA}\n   https://doi.org/10.1000/a\n2. ${BOOK}\n\n   doi:10.1000/b\n3. ${APA}\n\nhttps://doi.org/10.1000/c\n`;
    expect(unnamedIn(wrapped)).toEqual([]);
    expect(
      unnamedIn('1. Smith J. A title of the work. J Test. 2020;12:171,\n737. A part of it.\n'),
    ).toHaveLength(1);
  });
});

test('prose, headings, captions, steps, news and lists of people are not entries', () => {
  const texts = [
    `As Smith, J. (2020) showed in the Journal, volume 12(3), pp. 4–5, ${'many things happen. '.repeat(9)}`,
    '1. Introduction\n2. Results of the 2020 survey\n3. Discussion of Smith, J. (2020)\n',
    '- Figure 1. Growth of prices. Smith, J. (2020). Journal, 12(3).\n- Table 2: Prices, 2010-2020, pp. 3-4.\n',
    '- 2021-05-03: fixed the pages 3-4 of the Journal.\n- Added the 2020 release (#12), see Science 3(4).\n',
    '- J. Smith, Professor at Cambridge University since 2015.\n- A. Smith, University of Oxford, 2020\n',
    '## References\n\n- [The guide](https://example.org/guide)\n- See also the other pages of this document.\n',
    '<ul><li>Home</li><li>News of 2020</li></ul><p>Smith and Doe wrote in 2020, pp. 3-4.</p>',
    '10.1000/182\nhttps://doi.org/10.1000/183\n',
    '| Smith, J. | 2020 | Title of it |\nid,title,doi\n1,"A title, 2020",\n',
  ];
  expect(texts.flatMap((text) => unnamedIn(text))).toEqual([]);
});

test('the entries are the same wherever the text is divided', () => {
  const headings = ['', '## References', '@article{k, title={T}', '}', 'x\r'];
  const lines = [APA, NAMED, `1. ${BOOK}`, `2. ${NAMED}`, `<li>${APA}</li>`, ...headings];
  const texts = fc.array(fc.constantFrom(...lines), { maxLength: 12 }).map((chosen) => chosen.join('\n'));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, length) => {
      expect(unnamedIn(text, length)).toEqual(unnamedIn(text));
    }),
  );
});
