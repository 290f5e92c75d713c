// The inspector's own files, read once: they stand beside src/ and dist/ alike.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { DirectoryDescription } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { mark } from './mark.ts';
import { STATIC_TYPES, type StaticFile } from './static-files.ts';

const folder = new URL('../../../inspector/', import.meta.url);

const typeOf = (name: string): string | undefined => STATIC_TYPES[name.split('.').at(-1) ?? ''];

const texts: ReadonlyMap<string, string> = new Map([
  ['mark.svg', mark],
  ...readdirSync(folder)
    .filter((name) => typeOf(name) !== undefined)
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const),
]);

const hash = createHash('sha256');
for (const [name, text] of texts) hash.update(`${name}\0${text}\0`);

/** Where the files are; it changes whenever one of them does. */
export const inspectorFolder = `/inspector/${hash.digest('hex').slice(0, 16)}/`;

export const inspectorFiles: ReadonlyMap<string, StaticFile> = new Map(
  [...texts].map(([name, text]) => [name, { type: typeOf(name) ?? '', text: async () => text }]),
);

const template = readFileSync(new URL('index.html', folder), 'utf8');

/**
 * The page. Its links are relative, so that it also works behind a proxy that puts it below a path.
 * @param address the gateway's own as clients see it, for what a person may copy into a shell; null: not known
 */
export function renderInspector(address: string | null, directory: DirectoryDescription): string {
  const modules = [...texts.keys()]
    .filter((name) => name.endsWith('.js'))
    .map((name) => `<link rel="modulepreload" href="./${name}">`)
    .join('\n');
  return template
    .replace('<!-- modules -->', () => modules)
    .replaceAll(/(?<=(?:href|src)=")\.\/(?=[\w-]+\.(?:js|css|svg)")/g, `.${inspectorFolder}`)
    .replace('<!-- directory -->\n', () => embeddedNotice(directory))
    .replace('<!-- address -->', () => (address === null ? ADDRESS_NOTE : ''))
    .replaceAll('THIS-PAGE/', () => `${address === null ? 'THIS-PAGE' : escapeMarkup(address)}/`);
}

const ADDRESS_NOTE =
  ' Put the address of this page, without the slash at its end, where it says <code>THIS-PAGE</code>:';

/** Records in memory are few: what is not among them may be registered all the same. */
function embeddedNotice({ kind, records }: DirectoryDescription): string {
  if (kind !== 'EMBEDDED') return '';
  const many = records === 1 ? 'One record' : `${records ?? 'Some'} records`;
  return `<p class="sample"><strong>${many} held in memory, not the live DOI system.</strong> To ask that, start the gateway with <code>DOI_DIRECTORY_URL=https://doi.org</code>.</p>\n`;
}
