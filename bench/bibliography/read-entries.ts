// Entries of BibTeX as bibtex and biber read them: each field as LaTeX, or as it is where the reader takes it verbatim.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SaxesParser } from 'saxes';
import type { NameParts } from '../../test/support/works-in-scripts.ts';

export interface ReadEntry {
  readonly key: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly authors: readonly NameParts[];
}

/** Reads the file `works.bib` in a folder. Rejects if the reader fails or warns. */
export type EntryReader = (folder: string) => Promise<readonly ReadEntry[]>;

const run = promisify(execFile);
const STYLE = new URL('verbatim.bst', import.meta.url).pathname;

export const bibtex: EntryReader = async (folder) => {
  await writeFile(join(folder, 'verbatim.bst'), await readFile(STYLE));
  await writeFile(join(folder, 'works.aux'), '\\citation{*}\n\\bibdata{works}\n\\bibstyle{verbatim}\n');
  const env = { ...process.env, BIBINPUTS: '.', BSTINPUTS: '.' };
  const { stdout } = await run('bibtex', ['works'], { cwd: folder, env });
  if (/warning|error/i.test(stdout)) throw new Error(stdout);
  return readBbl(await readFile(join(folder, 'works.bbl'), 'utf8'));
};

/** bibtex breaks long lines at spaces, and begins the next one with two. */
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

export const biber: EntryReader = async (folder) => {
  const { stdout } = await run(
    'biber',
    ['--tool', '--output-format=biblatexml', '--output-file=works.xml', 'works.bib'],
    { cwd: folder },
  );
  if (/^(?:WARN|ERROR)/m.test(stdout)) throw new Error(stdout);
  return readBiblatexml(await readFile(join(folder, 'works.xml'), 'utf8'));
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

function readBiblatexml(xml: string): readonly ReadEntry[] {
  return treeOf(xml).children.map(({ attributes, children }) => {
    const fields = new Map<string, string>();
    const authors: NameParts[] = [];
    for (const child of children) {
      if (child.name !== 'bltx:names') fields.set(child.name.slice('bltx:'.length), textOf(child, '-'));
      else if (child.attributes['type'] === 'author') authors.push(...child.children.map(namePartsOf));
    }
    return { key: attributes['id'] ?? '', fields, authors };
  });
}

function treeOf(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

function textOf({ children, text }: Element, between: string): string {
  return children.length === 0 ? text : children.map((child) => textOf(child, between)).join(between);
}

function namePartsOf({ children }: Element): NameParts {
  const part = (type: string): string =>
    children
      // biber leaves the type out of a part without letters.
      .filter(({ attributes }) => (attributes['type'] ?? 'family') === type)
      .map((element) => textOf(element, ' '))
      .join(' ');
  const family = [part('prefix'), part('family')].filter((text) => text !== '').join(' ');
  return { family, given: part('given'), suffix: part('suffix') };
}
