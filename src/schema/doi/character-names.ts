// The Unicode names of characters. The file of names has a megabyte, so the gateway reads the file at the first use.

import { readFile } from 'node:fs/promises';
import { mapSoon, type Soon } from '../../time.ts';

const FILE = new URL('../../../data/unicode-names.txt', import.meta.url);

/** Sorted lines: `0041 LATIN CAPITAL LETTER A`, or `4E00..9FFF CJK UNIFIED IDEOGRAPH-` if names end in the code point. */
type Lines = readonly string[];

let knownLines: Soon<Lines> | undefined;

/** The name of a character; null if it has no name. A promise only until the file has been read. */
export function characterName(character: string): Soon<string | null> {
  const code = character.codePointAt(0) ?? 0;
  if (code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE) return syllableName(character);
  knownLines ??= readLines();
  return mapSoon(knownLines, (lines) => nameIn(lines, code));
}

async function readLines(): Promise<Lines> {
  try {
    const text = await readFile(FILE, 'latin1');
    knownLines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return knownLines;
  } catch (error) {
    knownLines = undefined;
    throw error;
  }
}

function nameIn(lines: Lines, code: number): string | null {
  let from = 0;
  let to = lines.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (Number.parseInt(lines[middle] ?? '', 16) <= code) from = middle;
    else to = middle;
  }
  const [, first = '', last, name = ''] =
    /^([0-9A-F]+)(?:\.\.([0-9A-F]+))? (.+)$/.exec(lines[from] ?? '') ?? [];
  if (last === undefined) return Number.parseInt(first, 16) === code ? name : null;
  const isInside = Number.parseInt(first, 16) <= code && code <= Number.parseInt(last, 16);
  return isInside ? name + code.toString(16).toUpperCase() : null;
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;

// The name of a Hangul syllable consists of its letters' names. The lists begin at U+1100, U+1161 and U+11A8.
const INITIALS = 'G GG N D DD R M B BB S SS  J JJ C K T P H'.split(' ');
const VOWELS = 'A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I'.split(' ');
const FINALS = 'G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H'.split(' ');

function syllableName(character: string): string {
  const [initial = 0, vowel = 0, final = 0] = Array.from(
    character.normalize('NFD'),
    (letter) => letter.codePointAt(0) ?? 0,
  );
  const letters = [INITIALS[initial - 0x1100], VOWELS[vowel - 0x1161], FINALS[final - 0x11a8]];
  return `HANGUL SYLLABLE ${letters.join('')}`;
}
