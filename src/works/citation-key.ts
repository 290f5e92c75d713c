// Makes the key by which a text cites a BibTeX entry.

import { createHash } from 'node:crypto';
import { canonicalName, type HandleName } from 'doi-names';
import { folded, foldedWords } from './folded-words.ts';
import type { Work } from './work.ts';

const MAX_READ_CHARACTERS = 300;
const MAX_PART_CHARACTERS = 20;

/**
 * A key such as `carberry2008toward-1c0a9d3f`: author, year, first title word, and eight hexadecimal digits of a hash of
 * the name. If author and title have no Latin letter or digit, the key has `doi` and the name instead. The hash makes the
 * keys of different works different, also for programs that ignore case.
 */
export function citationKey(
  { creators, issued, title }: Pick<Work, 'creators' | 'issued' | 'title'>,
  name: HandleName,
): string {
  const canonical = canonicalName(name);
  const [creator] = creators;
  const author = asciiOf(folded((creator?.family ?? creator?.name ?? '').slice(0, MAX_READ_CHARACTERS)));
  const words = foldedWords((title ?? '').slice(0, MAX_READ_CHARACTERS)).map(asciiOf);
  const word = words.find((candidate) => candidate !== '') ?? '';
  const letters = author + word === '' ? ['doi', asciiOf(canonical)] : [author, word];
  const [first = '', second = ''] = letters.map((part) => part.slice(0, MAX_PART_CHARACTERS));
  const digits = createHash('sha256').update(canonical).digest('hex').slice(0, 8);
  return `${first}${issued?.year ?? ''}${second}-${digits}`;
}

const asciiOf = (text: string): string => text.replace(/[^a-z0-9]/gi, '');
