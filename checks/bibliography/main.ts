// npm run bibliography -- --works 500: writes BibTeX entries of 500 works, and lets bibtex and biber read the entries.
// Compares what they read with the works.
// Needs Debian's packages texlive-binaries and biber.

import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DomUtils, parseDocument } from 'htmlparser2';
import { readFlags, runBench } from '../../bench/command.ts';
import { type Cell, printTable } from '../../bench/table.ts';
import { writeBibtex } from '../../src/works/bibtex.ts';
import { readLatex } from '../../test/support/latex-reader.ts';
import { type NameParts, type WorkInScript, worksInScripts } from '../../test/support/works-in-scripts.ts';

// Entries as bibtex and biber read them. The value of a field is LaTeX, except in fields that the reader copies verbatim.

interface ReadEntry {
  readonly key: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly authors: readonly NameParts[];
}

/** Reads the file `works.bib` in a folder. Rejects if the reader fails or warns. */
type EntryReader = (folder: string) => Promise<readonly ReadEntry[]>;

const run = promisify(execFile);
const STYLE = new URL('verbatim.bst', import.meta.url);

const bibtex: EntryReader = async (folder) => {
  await copyFile(STYLE, join(folder, 'verbatim.bst'));
  await writeFile(join(folder, 'works.aux'), '\\citation{*}\n\\bibdata{works}\n\\bibstyle{verbatim}\n');
  const env = { ...process.env, BIBINPUTS: '.', BSTINPUTS: '.' };
  const { stdout } = await run('bibtex', ['works'], { cwd: folder, env });
  if (/warning|error/i.test(stdout)) throw new Error(stdout);
  return readBbl(await readFile(join(folder, 'works.bbl'), 'utf8'));
};

/** Reads bibtex's output. It breaks long lines at spaces, and starts the next line with two spaces. */
function readBbl(bbl: string): readonly ReadEntry[] {
  return bbl
    .replace(/\n {2}/g, ' ')
    .split('^^key\n')
    .slice(1)
    .map((entry) => {
      const [key = '', ...lines] = entry.trimEnd().split('\n');
      const fields = new Map<string, string>();
      const authors: NameParts[] = [];
      for (let at = 0; at < lines.length; at += 2) {
        const [field = '', text = ''] = [lines[at]?.slice(2), lines[at + 1]];
        if (field === 'author') authors.push(nameOf(text));
        else fields.set(field, text);
      }
      return { key, fields, authors };
    });
}

function nameOf(text: string): NameParts {
  const [von = '', last = '', suffix = '', given = ''] = text.split('^^');
  return { family: von === '' ? last : `${von} ${last}`, given, suffix };
}

const biber: EntryReader = async (folder) => {
  const args = ['--tool', '--output-format=biblatexml', '--output-file=works.xml', 'works.bib'];
  const { stdout } = await run('biber', args, { cwd: folder });
  if (/^(?:WARN|ERROR)/m.test(stdout)) throw new Error(stdout);
  return readBiblatexml(await readFile(join(folder, 'works.xml'), 'utf8'));
};

type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;
const childrenOf = ({ children }: Element): Element[] => DomUtils.getElementsByTagName('*', children, false);

function readBiblatexml(xml: string): readonly ReadEntry[] {
  const entries = DomUtils.getElementsByTagName('bltx:entry', parseDocument(xml, { xmlMode: true }));
  return entries.map((entry) => {
    const fields = new Map<string, string>();
    const authors: NameParts[] = [];
    for (const child of childrenOf(entry)) {
      // A range, such as one of pages, is an element with two children: its start and its end.
      if (child.name !== 'bltx:names') fields.set(child.name.slice('bltx:'.length), textOf(child, '-'));
      else if (child.attribs['type'] === 'author') authors.push(...childrenOf(child).map(namePartsOf));
    }
    return { key: entry.attribs['id'] ?? '', fields, authors };
  });
}

/** The text of an element. `separator` stands between the texts of its children. */
function textOf(element: Element, separator: string): string {
  const children = childrenOf(element);
  if (children.length === 0) return DomUtils.textContent(element);
  return children.map((child) => textOf(child, separator)).join(separator);
}

function namePartsOf(name: Element): NameParts {
  const part = (type: string): string =>
    childrenOf(name)
      // If a part of a name has no letters, biber gives it no type. This function reads such a part as the family name.
      .filter(({ attribs }) => (attribs['type'] ?? 'family') === type)
      .map((element) => textOf(element, ' '))
      .join(' ');
  const family = [part('prefix'), part('family')].filter((text) => text !== '').join(' ');
  return { family, given: part('given'), suffix: part('suffix') };
}

const flags = readFlags({ works: 500, seed: 1 });

/** Normalizes both sides of a comparison: biber normalizes Unicode, bibtex does not. */
const normal = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const plainText = (latex: string): string => normal(readLatex(latex));

const displayName = ({ given, family, suffix }: NameParts): string =>
  normal([given, family, suffix].join(' '));

/** What the reader has read, in the form of `expectedOf`. */
function actualOf({ fields, authors }: ReadEntry): Readonly<Record<string, unknown>> {
  const first = (...names: readonly string[]): string =>
    names.map((name) => fields.get(name)).find((text) => text !== undefined) ?? '';
  const [year, month, day] = (fields.get('date') ?? '').split('-');
  const title = first('title');
  return {
    title: plainText(title),
    // bibtex: the title after the style's change to lower case. Braces must protect its capitals. biber: the title.
    titleAfterLowerCase: plainText(first('titleAfterLowerCase', 'title')),
    authors: authors.map(({ family, given, suffix }) =>
      displayName({ family: plainText(family), given: plainText(given), suffix: plainText(suffix) }),
    ),
    container: plainText(first('journal', 'journaltitle', 'booktitle', 'series', 'howpublished')),
    publisher: plainText(first('publisher', 'institution', 'school')),
    year: year || first('year'),
    month: String(Number(month ?? first('month')) || ''),
    day: String(Number(day ?? first('day')) || ''),
    pages: first('pages').replace('--', '-'),
    doi: first('doi'),
  };
}

function expectedOf({ read: expected }: WorkInScript): Readonly<Record<string, unknown>> {
  const title = normal(expected.title);
  return {
    ...expected,
    title,
    titleAfterLowerCase: title,
    container: normal(expected.container),
    authors: expected.authors.map(displayName),
  };
}

const works = worksInScripts(flags.works, flags.seed);
const byKey = new Map(
  works.map((work) => {
    const entry = writeBibtex(work.csl, work.name);
    return [/\{(.*),/.exec(entry)?.[1] ?? '', { work, entry }];
  }),
);

/** The differences between the written entries and the entries as read. */
async function differences(reader: EntryReader, folder: string): Promise<readonly string[]> {
  const entries = await reader(folder);
  const wrong = entries.flatMap((entry) => {
    const written = byKey.get(entry.key);
    const expected = written ? expectedOf(written.work) : {};
    return Object.entries(actualOf(entry)).flatMap(([field, value]) => {
      const [is, not] = [JSON.stringify(value), JSON.stringify(expected[field])];
      return is === not ? [] : [`${entry.key}: ${field} is ${is}, not ${not}\n${written?.entry}`];
    });
  });
  return entries.length === works.length ? wrong : [...wrong, `${entries.length} of ${works.length} entries`];
}

await runBench(async (folder) => {
  await writeFile(join(folder, 'works.bib'), Array.from(byKey.values(), ({ entry }) => entry).join(''));
  const rows: Cell[][] = [];
  let isRight = true;
  for (const [name, reader] of Object.entries({ bibtex, biber })) {
    const start = performance.now();
    const wrong = await differences(reader, folder);
    rows.push([name, works.length, wrong.length, (performance.now() - start) / 1_000]);
    for (const line of wrong.slice(0, 5)) console.error(`${name}: ${line}`);
    isRight &&= wrong.length === 0;
  }
  printTable('Entries of BibTeX, read back', ['reader', 'works', 'differences', 'seconds'], rows);
  return isRight;
});
