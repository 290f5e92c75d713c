// Reads a name with the punctuation behind it. Some registered names end in punctuation: 10.1124/mol... But most
// punctuation behind a name belongs to the sentence, so these names are looked up only if the name is absent.

import type { DoiName } from '../name.ts';
import { parseDoi } from '../parse.ts';
import { tripletAt } from './encoded-characters.ts';
import { escapedAt } from './escapes.ts';
import type { DoiMatch } from './find-dois.ts';
import { characterAt } from './text-characters.ts';

const PUNCTUATION = new Set(Array.from('.,;:!?…)]}>([{&=*~+_-–—\'"’”»'));
/** At most this many characters of punctuation are read. */
const MAX_CHARACTERS = 6;
/** At most this many names are returned. */
const MAX_NAMES = 3;
/** The first and the last character of fields in BibTeX, JSON, CSV, HTML, XML and Markdown. */
const CLOSERS: Readonly<Record<string, string>> = {
  ...{ '{': '}', '"': '"', '(': ')', '[': ']', '<': '>', '>': '<', '“': '”', '„': '”', '«': '»', '`': '`' },
  "'": "'",
};

/**
 * The names with punctuation behind the match, the longest first; at most three. If a quotation mark, bracket or element
 * around the match says where the field ends, returns only the name with all punctuation in the field.
 */
export function punctuatedNames(source: string, { name, start, end }: DoiMatch): DoiName[] {
  const closer = CLOSERS[source[start - 1] ?? ''];
  const characters: string[] = [];
  let at = end;
  let isClosed = false;
  while (characters.length < MAX_CHARACTERS) {
    const next = decodedAt(source, at);
    isClosed = next.character === closer && next.isPlain;
    if (isClosed || !PUNCTUATION.has(next.character)) break;
    characters.push(next.character);
    at = next.end;
  }
  const isOfWord = /[\p{L}\p{N}]/u.test(decodedAt(source, at).character);
  // Without a space after it, a separator divides cells.
  if (isOfWord && !/[,;]/.test(characters.pop() ?? '')) return [];
  const shortest = isClosed ? characters.length : Math.max(1, characters.length - MAX_NAMES + 1);
  const names: DoiName[] = [];
  for (let length = characters.length; length >= shortest && length > 0; length -= 1) {
    const punctuated = parseDoi(name + characters.slice(0, length).join(''), 'NAME').name;
    if (punctuated !== null) names.push(punctuated);
  }
  return names;
}

interface Decoded {
  readonly character: string;
  readonly end: number;
  /** false if the character is escaped or percent-encoded, so that it does not end a field */
  readonly isPlain: boolean;
}

function decodedAt(source: string, at: number): Decoded {
  const triplet = source[at] === '%' ? tripletAt(source, at + 1) : null;
  const decoded = triplet ?? escapedAt(source, at);
  if (decoded !== null) return { character: decoded.character, end: decoded.end, isPlain: false };
  const character = at < source.length ? characterAt(source, at) : '';
  return { character, end: at + character.length, isPlain: true };
}
