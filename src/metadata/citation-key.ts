// The key by which a text cites an entry of BibTeX.

import { createHash } from 'node:crypto';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { folded, foldedWords } from './folded-words.ts';
import type { Work } from './work.ts';

const MAX_READ_CHARACTERS = 300;
const MAX_PART_CHARACTERS = 20;

/**
 * Author, year and first title word in ASCII, then eight hexadecimal digits of a hash of the name:
 * `carberry2008toward-1c0a9d3f`. If author and title have no Latin letters, `doi` and the name replace them. The hash
 * makes the keys of different works different, even for programs that ignore case.
 */
export function citationKey({ creators, issued, title }: Work, name: HandleName): string {
  const canonical = canonicalName(name);
  const [creator] = creators;
  const author = asciiOf(folded((creator?.family ?? creator?.name ?? '').slice(0, MAX_READ_CHARACTERS)));
  const words = foldedWords((title ?? '').slice(0, MAX_READ_CHARACTERS)).map(asciiOf);
  const word = words.find((one) => one !== '') ?? '';
  const letters = author + word === '' ? ['doi', asciiOf(canonical)] : [author, word];
  const [first = '', second = ''] = letters.map((part) => part.slice(0, MAX_PART_CHARACTERS));
  const digits = createHash('sha256').update(canonical).digest('hex').slice(0, 8);
  return `${first}${issued?.year ?? ''}${second}-${digits}`;
}

function asciiOf(text: string): string {
  return text.replace(/[^a-z0-9]/gi, '');
}
