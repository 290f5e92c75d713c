// Has Debian's bibtex and biber read entries that the gateway wrote, and compares: npm run bibliography -- --works 500
// Needs the packages texlive-binaries and biber.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBibtex } from '../../src/metadata/bibtex.ts';
import { readLatex } from '../../test/support/latex-reader.ts';
import { type NameParts, type WorkInScript, worksInScripts } from '../../test/support/works-in-scripts.ts';
import { printTable } from '../table.ts';
import { biber, bibtex, type EntryReader, type ReadEntry } from './read-entries.ts';

const { values } = parseArgs({
  options: { works: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
});

/** biber normalizes, bibtex does not. */
const normal = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const read = (latex: string): string => normal(readLatex(latex));

const spoken = ({ given, family, suffix }: NameParts): string => normal([given, family, suffix].join(' '));

function found({ fields, authors }: ReadEntry): Readonly<Record<string, unknown>> {
  const first = (...names: readonly string[]): string =>
    names.map((name) => fields.get(name)).find((text) => text !== undefined) ?? '';
  const [year, month, day] = (fields.get('date') ?? '').split('-');
  const title = first('title');
  return {
    title: read(title),
    lower: read(first('lower', 'title')),
    authors: authors.map((name) =>
      spoken({ family: read(name.family), given: read(name.given), suffix: read(name.suffix) }),
    ),
    container: read(first('journal', 'journaltitle', 'booktitle', 'series', 'howpublished')),
    publisher: read(first('publisher', 'institution', 'school')),
    year: year || first('year'),
    month: String(Number(month ?? first('month')) || ''),
    day: String(Number(day ?? first('day')) || ''),
    pages: first('pages').replace('--', '-'),
    doi: first('doi'),
  };
}

function expected({ read }: WorkInScript): Readonly<Record<string, unknown>> {
  const title = normal(read.title);
  return {
    ...read,
    title,
    lower: title,
    container: normal(read.container),
    authors: read.authors.map(spoken),
  };
}

const works = worksInScripts(Number(values.works), Number(values.seed));
const byKey = new Map(
  works.map((work) => {
    const entry = writeBibtex(work.csl, work.name);
    return [/\{(.*),/.exec(entry)?.[1] ?? '', { work, entry }];
  }),
);

/** What the reader reads differently, of the first entries. */
async function differences(reader: EntryReader, folder: string): Promise<readonly string[]> {
  const entries = await reader(folder);
  const wrong = entries.flatMap((entry) => {
    const written = byKey.get(entry.key);
    const [is, should] = [found(entry), written ? expected(written.work) : {}];
    const fields = Object.keys(is).filter(
      (field) => JSON.stringify(is[field]) !== JSON.stringify(should[field]),
    );
    return fields.map(
      (field) =>
        `${entry.key}: ${field} is ${JSON.stringify(is[field])}, not ${JSON.stringify(should[field])}\n${written?.entry}`,
    );
  });
  return entries.length === works.length ? wrong : [...wrong, `${entries.length} of ${works.length} entries`];
}

const folder = await mkdtemp(join(tmpdir(), 'bibliography-'));
try {
  await writeFile(join(folder, 'works.bib'), Array.from(byKey.values(), ({ entry }) => entry).join(''));
  const rows: [string, number, number, number][] = [];
  for (const [name, reader] of [
    ['bibtex', bibtex],
    ['biber', biber],
  ] as const) {
    const start = performance.now();
    const wrong = await differences(reader, folder);
    rows.push([name, works.length, wrong.length, (performance.now() - start) / 1_000]);
    for (const line of wrong.slice(0, 5)) console.error(`${name}: ${line}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  printTable('Entries of BibTeX, read back', ['reader', 'works', 'differences', 'seconds'], rows);
} finally {
  await rm(folder, { recursive: true });
}
