// A pasted list is split into its references. They come from the published vectors: nine styles, with and without DOIs.

import { describe, expect, test } from 'vitest';
import { readReferences } from '../../../../test/support/reference-vectors.ts';
import { testTable } from '../../../../test/support/test-table.ts';
import { splitReferences } from '../../src/find/reference-list.ts';

const PEOPLE = [
  'Berger A, Doe J. Reliability of hydraulic pumps in alpine villages. J Mount Eng. 2012;57:978-991.',
  'van der Berg, J. (2019). Snow depth at forty stations. Zenodo. https://doi.org/10.5072/a_b_c',
  'World Health Organization. World malaria report. Geneva: WHO; 2020.',
];
const IN_ONE_LIST = 12;
/** One style of the vectors has a number before each reference. */
const VECTORS = readReferences()
  .map(({ text }) => text.replace(/^\(1\) /, '').replace(/<\/?title>|\btitle>/g, ''))
  .filter((_, at) => at % 4 === 0);

function wrapped(text: string, width = 70): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += `${line === '' ? '' : ' '}${word}`;
  }
  return [...lines, line];
}

type Paste = (references: readonly string[]) => string;
const joined = (item: (text: string, at: number) => string, by = '\n'): Paste => {
  return (references) => references.map(item).join(by);
};
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A list in many layouts, and the share of the references that must be split exactly. */
const PASTES: readonly (readonly [name: string, layout: string, minimum: number, paste: Paste])[] = [
  ['1. on each line', 'numbered', 1, joined((text, at) => `${at + 1}. ${text}`)],
  ['1) and blank lines', 'numbered', 1, joined((text, at) => `${at + 1}) ${text}`, '\r\n\r\n')],
  ['[1] without a space', 'numbered', 1, joined((text, at) => `[${at + 1}]${text}`)],
  [
    '(1) with hanging indents',
    'numbered',
    0.99,
    joined((text, at) => `(${at + 1}) ${wrapped(text).join('\n    ')}`),
  ],
  ['12.TAB wrapped', 'numbered', 0.99, joined((text, at) => `${at + 12}.\t${wrapped(text).join('\n')}`)],
  [
    '[40] wrapped, blank lines',
    'numbered',
    1,
    joined((text, at) => `[${at + 40}] ${wrapped(text).join('\n')}`, '\n\n'),
  ],
  ['[^1]: of Markdown', 'numbered', 1, joined((text, at) => `[^${at + 1}]: ${text}`)],
  ['a quoted mail', 'numbered', 1, joined((text, at) => `> ${at + 1}. ${text}`)],
  ['dashes', 'bulleted', 1, joined((text) => `- ${text}`)],
  ['bullets of a word processor, wrapped', 'bulleted', 1, joined((text) => `•\t${wrapped(text).join('\n')}`)],
  ['keys', 'bulleted', 1, joined((text, at) => `[Ber${at}] ${text}`)],
  ['hanging indents', 'hanging', 1, joined((text) => wrapped(text, 60).join('\n    '))],
  ['hanging indents and blank lines', 'hanging', 1, joined((text) => wrapped(text, 60).join('\n\t'), '\n\n')],
  ['blank lines', 'paragraphs', 1, joined((text) => wrapped(text).join('\n'), '\n\n')],
  ['one on each line', 'lines', 1, joined((text) => text)],
  ['wrapped without a mark between them', 'wrapped', 0.95, joined((text) => wrapped(text).join('\n'))],
  ['paragraphs of HTML', 'paragraphs', 1, joined((text) => `<p class="x">${escaped(text)}</p>`, '')],
  [
    'items of HTML',
    'bulleted',
    1,
    (references) => `<ol>${joined((text) => `<li id="r">${escaped(text)}</li>`)(references)}</ol>`,
  ],
  [
    'items without end tags',
    'bulleted',
    1,
    (references) => `<ul>\n${joined((text) => `<li>${escaped(text)}`)(references)}\n</ul>`,
  ],
  [
    'a bibliography of LaTeX',
    'elements',
    0.99,
    (references) =>
      `\\begin{thebibliography}{9}\n${joined((text, at) => `\\bibitem{key${at}}\n${wrapped(text).join('\n')}`, '\n\n')(references)}\n\\end{thebibliography}`,
  ],
  [
    'below a heading',
    'numbered',
    1,
    (references) =>
      `# Pumps\n\nA text by Smith, J. (2010).\n\n## References\n\n${joined((text, at) => `${at + 1}. ${text}`)(references)}\n\n## Appendix\n\nMore text.`,
  ],
];

const compared = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replace(/[\s*_{}-]/g, '');

describe('a pasted list', () => {
  testTable(PASTES)('is split into its references in each layout', (_, layout, minimum, paste) => {
    expect(splitReferences(paste(PEOPLE))).toMatchObject({ layout, references: { length: PEOPLE.length } });
    const missed: string[] = [];
    for (let at = 0; at < VECTORS.length; at += IN_ONE_LIST) {
      const references = VECTORS.slice(at, at + IN_ONE_LIST);
      const found = new Set(splitReferences(paste(references)).references.map(({ text }) => compared(text)));
      missed.push(...references.filter((text) => !found.has(compared(text))));
    }
    expect(missed.length / VECTORS.length, missed.slice(0, 3).join('\n')).toBeLessThanOrEqual(1 - minimum);
  });
});

describe('a reference', () => {
  const textsOf = (text: string) => splitReferences(text).references.map((reference) => reference.text);

  testTable<[what: string, text: string, expected: string[]]>([
    ['a title alone', 'Attention is all you need', ['Attention is all you need']],
    [
      'a word that a line end divides',
      'Berger A. Reliability of hydrau-\nlic pumps, pre- and\npost-war. 2012.',
      ['Berger A. Reliability of hydraulic pumps, pre- and post-war. 2012.'],
    ],
    [
      'a DOI that a line end divides',
      '1. Berger A. Pumps. https://doi.org/10.5555/\nab_c(1)',
      ['Berger A. Pumps. https://doi.org/10.5555/ab_c(1)'],
    ],
    [
      'emphasis and a link of Markdown',
      '- Berger A. *Pumps in **villages***. [Link](https://doi.org/10.5555/a_b)',
      ['Berger A. Pumps in villages. Link https://doi.org/10.5555/a_b'],
    ],
    [
      'a link of HTML',
      '<li>Berger A. <i>Pumps</i>. <a href="https://doi.org/10.5555/a">Link</a></li>',
      ['Berger A. <i>Pumps</i>. https://doi.org/10.5555/a Link'],
    ],
    [
      'a line with only its DOI',
      'Berger A. Pumps. 2012.\nhttps://doi.org/10.5555/a\nDoe J. Ferries. 1999.\ndoi:10.5555/b',
      ['Berger A. Pumps. 2012. https://doi.org/10.5555/a', 'Doe J. Ferries. 1999. doi:10.5555/b'],
    ],
    [
      'a year at the beginning of a line',
      '1. Smith J. A thing. Journal.\n2012. 57:3.\n2. Doe J. Other thing. 1999.',
      ['Smith J. A thing. Journal. 2012. 57:3.', 'Doe J. Other thing. 1999.'],
    ],
    [
      'a page break in the reference',
      '1. Smith J. A thing of\n\nbeauty. 2012.\n\n2. Doe J. Ferries. 1999.\n\nThe end of the paper.',
      ['Smith J. A thing of beauty. 2012.', 'Doe J. Ferries. 1999.'],
    ],
    ['nothing', ' \n---\n12\n', []],
  ])('is one text without line breaks and markup', (_, text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  test('has the number of its first line, and its offsets', () => {
    const text = '\uFEFFIntroduction.\r\n\r\n1. Berger A.\r\nPumps.\r\n2. Doe J.\r\n';
    const { references, otherLines } = splitReferences(text);
    expect(references.map(({ line }) => line)).toEqual([3, 5]);
    expect(references.map(({ start, end }) => text.slice(start, end))).toEqual([
      '1. Berger A.\r\nPumps.',
      '2. Doe J.',
    ]);
    expect(otherLines).toBe(1);
  });
});

test('records of RIS stay unchanged', () => {
  const records = ['TY  - JOUR\nTI  - Pumps\nER  - ', 'TY  - BOOK\nTI  - Ferries\nER  - '];
  expect(splitReferences(`${records.join('\n\n')}\n`)).toMatchObject({
    layout: 'records',
    references: [
      { text: records[0], line: 1 },
      { text: records[1], line: 5 },
    ],
  });
});
