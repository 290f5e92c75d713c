// The key by which a text cites an entry of BibTeX.

import { createHash } from 'node:crypto';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { folded, foldedWords } from './folded-words.ts';
import type { Work } from './work.ts';

const MAX_READ = 300;
const MAX_AUTHOR = 20;

/**
 * Author, year and first word of the title in ASCII, then eight digits that depend on the name alone:
 * `carberry2008toward-1c0a9d3f`. Without author and title in Latin letters the name stands for them. So the keys of
 * different works differ, also for readers that ignore case, whichever works are in one file.
 */
export function citationKey({ creators, issued, title }: Work, name: HandleName): string {
  const canonical = canonicalName(name);
  const [creator] = creators;
  const author = asciiOf(folded((creator?.family ?? creator?.name ?? '').slice(0, MAX_READ)));
  const words = foldedWords((title ?? '').slice(0, MAX_READ)).map(asciiOf);
  const word = words.find((one) => one !== '') ?? '';
  const letters = author + word === '' ? ['doi', asciiOf(canonical)] : [author, word];
  const [first = '', second = ''] = letters.map((part) => part.slice(0, MAX_AUTHOR));
  const digits = createHash('sha256').update(canonical).digest('hex').slice(0, 8);
  return `${first}${issued?.year ?? ''}${second}-${digits}`;
}

function asciiOf(text: string): string {
  return text.replace(/[^a-z0-9]/gi, '');
}
