// `doi cite --complete` adds fields to entries of BibTeX, and changes no other text of the file.

import { parse } from '@retorquere/bibtex-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeBibtex } from '../../../src/tools/cli/cite/complete-bibtex.ts';
import { CSL, complete } from './complete-entry.ts';

describe('an entry', () => {
  test.each([
    ['with another form of its DOI', 'doi = {https://doi.org/10.5555/a}'],
    ['with escapes of LaTeX in its DOI', 'doi = "10.5555/a\\_b{\\&}c"'],
    ['with its DOI as a link', 'url = {http://dx.doi.org/10.5555/a}'],
    ['in round brackets', 'doi = {10.5555/a}', '(', ')'],
  ])('%s is completed', async (_, field, open = '{', close = '}') => {
    const { text } = await complete(`@Article ${open}a:b, ${field}${close}`);
    expect(text).toContain('volume = {5}');
    expect(parse(text).errors).toEqual([]);
  });

  test.each([
    ['inherits fields', '@article{a, crossref = {b}, doi = {10.5555/a}}'],
    ['is in a comment', '@comment{@article{a, doi = {10.5555/a}}}\n% @article{a, doi = {10.5555/a}}\n'],
    ['has a link elsewhere', '@article{a, url = {https://example.org/10.5555/a}}'],
    ['has its DOI in a macro', '@article{a, doi = thedoi}'],
    ['has no fields', '@article{a}'],
    ['defines macros', '@string{a = {10.5555/a}} @string(b = "a" # c,) @preamble{"a" # b}'],
  ])('that %s stays unchanged', async (_, text) => {
    expect(await complete(text)).toMatchObject({ text, exitCode: 0 });
  });

  const TEX_ESCAPES = ['{\\textless}', '\\textless{}', '$<$', '{$<$}', '&lt;', '{\\&}lt;', '{<}'];

  test('has the same DOI for `doi cite` and `doi check`, even if a line break divides the DOI', async () => {
    const lookedUp: string[] = [];
    const lookUp = async (names: readonly string[]) => {
      lookedUp.push(...names);
      return names.map((name) => ({
        exists: name !== '10.5555/ab',
        text: name === '10.5555/ab' ? null : '@misc{x}',
      }));
    };
    for (const doi of [
      '10.5555/a{\\textbackslash}_b',
      '10.5555/a\\string_b',
      '10.5555/a_b[PubMed]',
      '10.5555/ab\n12',
      '10.5555/ab..',
      ...TEX_ESCAPES.map((less) => `10.5555/(SICI)1(1998)${less}2::AID>3.0.CO;2-2`),
    ]) {
      await completeBibtex('refs.bib', `@article{a, doi = {${doi}}}`, { lookUp, force: false });
    }
    const broken = ['10.5555/ab', '10.5555/ab12'];
    const punctuated = ['10.5555/ab', '10.5555/ab..'];
    expect(lookedUp).toEqual([
      ...['10.5555/a_b', '10.5555/a_b', '10.5555/a_b', ...broken, ...punctuated],
      ...TEX_ESCAPES.map(() => '10.5555/(SICI)1(1998)<2::AID>3.0.CO;2-2'),
    ]);
  });

  const OTHER_PEOPLE = 'author = {Ada Lovelace}';
  const OTHER_TITLE = 'title = {Notes on the Analytical Engine}';

  test.each([
    [OTHER_TITLE, OTHER_PEOPLE, 'year = 1843'],
    [OTHER_TITLE, OTHER_PEOPLE],
    [OTHER_TITLE, 'date = {1843-08}'],
  ])('that describes another work is changed only with --force: %s, %s', async (...fields) => {
    const text = `@article{a, doi = {10.5555/a}, ${fields.join(', ')}}`;
    const refused = await complete(text);
    expect(refused).toMatchObject({ text, exitCode: 1 });
    expect(refused.notes[0]).toBe(
      'refs.bib:1: a: 10.5555/a identifies another work, {Toward a unified theory of {H}\\textsubscript{2}{O}}. Correct the DOI, or complete the entry with --force.',
    );
    const forced = await complete(text, CSL, true);
    expect(forced.exitCode).toBe(0);
    expect(forced.text).toContain('volume = {5}');
  });

  test.each([
    [OTHER_TITLE],
    [OTHER_PEOPLE, 'year = 1843'],
    [OTHER_TITLE, OTHER_PEOPLE, 'year = 2008'],
    [OTHER_TITLE, 'author = {Carberry, J. and others}', 'year = 1843'],
    [OTHER_TITLE, 'year = someyear'],
  ])('that can describe the work is completed: %s, %s', async (...fields) => {
    const { text, exitCode } = await complete(`@article{a, doi = {10.5555/a}, ${fields.join(', ')}}`);
    expect(exitCode).toBe(0);
    expect(text).toContain('volume = {5}');
  });

  test('that cannot be read is reported, and the next entry is completed', async () => {
    const { text, notes, exitCode } = await complete(
      '@article{a, title = {X, doi = {10.5555/a}\n}\n@article{b, doi = {10.5555/b}}\n@article{c, doi = {nothing}}',
    );
    expect(exitCode).toBe(1);
    expect(notes).toEqual([
      'refs.bib:1: the entry cannot be read, so it is not changed.',
      'refs.bib:4: c: “nothing” is no DOI name.',
      '2 entries: 1 completed with 11 fields, 0 without a DOI; 0 differences',
    ]);
    expect(text).toContain('{10.5555/b},\n  title');
  });

  test.each([
    ['@article{a,\r\n\tdoi={10.5555/a}|\r\n}', ',\r\n\ttitle={'],
    ['@article{a,\n    doi =    {10.5555/a}|,\n}', ',\n    title =    {'],
    ['@article{a, doi= "10.5555/a"|}', ',\n  title= {'],
  ])('such as %j gets new fields in its style', async (entry, begin) => {
    const [before = '', behind = ''] = entry.split('|');
    const { text } = await complete(before + behind);
    expect(text.startsWith(before + begin)).toBe(true);
    expect(text.endsWith(behind)).toBe(true);
  });
});

const balanced = fc
  .array(fc.constantFrom('a', '@', 'é', '{b}', '{"}', '%', ',', '=', '\n', '\\{}', '#'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const value = fc.oneof(
  balanced.map((text) => `{${text}}`),
  balanced.map((text) => `"${text}"`),
  fc.constantFrom('2020', 'aug', 'jp # " and " # {x}'),
);
const field = fc.oneof(
  fc
    .tuple(fc.constantFrom('title', 'YEAR', 'note', 'journal'), value)
    .map(([name, text]) => `${name} = ${text}`),
  fc.constantFrom('doi = {10.5555/a}', 'doi={10.5555/b}', 'url = "https://doi.org/10.5555/c"'),
);
const entry = fc
  .tuple(
    fc.array(field, { maxLength: 4 }),
    fc.constantFrom(', ', ',\n  ', ' ,\r\n\t', ', % c\n'),
    fc.boolean(),
  )
  .map(([fields, comma, hasEnd]) => `@article{key${['', ...fields].join(comma)}${hasEnd ? ',' : ''}}`);
const other = fc.constantFrom(
  '\n',
  '@string{jp = "J"}',
  '% @a{\n',
  '@comment{x {y}}',
  'mail@example.org ',
  '@preamble{"}"}',
);
const wild = fc.string({
  unit: fc.constantFrom(...'@{}"#,=() \n%a1', '@a{k,doi={10.5555/a}'),
  maxLength: 60,
});
const file = fc.array(fc.oneof({ weight: 4, arbitrary: entry }, other, wild), { maxLength: 8 });

test.each([
  ['white space', ' '.repeat(30_000_000)],
  ['comments', '% x\n'.repeat(3_000_000)],
  ['a comment', `%${'x'.repeat(30_000_000)}\n`],
  ['a text in quotation marks', `note = "${'x'.repeat(30_000_000)}", `],
  ['an author of only blanks', `author = {${' '.repeat(300_000)}}, `],
  ['an author without blanks', `author = {${'x'.repeat(300_000)}!}, `],
])('a very long part of a file costs little time: %s', async (_, blanks) => {
  const { notes } = await complete(`@article{a, ${blanks}doi = {10.5555/a}}`);
  expect(notes.at(-1)).toMatch(/^1 entry: 1 completed/);
});

test('all characters stay in their order, and a second run changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (parts) => {
      const before = parts.join('');
      const { text } = await complete(before);
      expect(withoutInsertions(text, before)).toBe(before);
      expect((await complete(text)).text).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('added fields make no entry unreadable', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 4 }), async (parts) => {
      const before = parts.join('\n');
      const { text, notes } = await complete(before);
      const again = await complete(text);
      expect(again.notes.at(-1)).toMatch(
        new RegExp(`^${parts.length} entr(?:y|ies): 0 completed with 0 fields`),
      );
      expect(again.notes.filter((note) => note.includes('cannot be read'))).toEqual(
        notes.filter((note) => note.includes('cannot be read')),
      );
    }),
  );
});

/** The longest beginning of `before` whose characters are also in `text`, in the same order. */
function withoutInsertions(text: string, before: string): string {
  let at = 0;
  for (const character of text) if (before.startsWith(character, at)) at += character.length;
  return before.slice(0, at);
}
