// Finds imitations: characters that look like ASCII but are not ASCII. An example is the Cyrillic а in a Latin word.

import { isAscii, WORD } from './name.ts';
import { plainSkeletonOf, prepareSkeleton, skeletonOf, skeletonOfPlain } from './skeleton.ts';

/**
 * Knows which characters look alike (UTS #39, data of Unicode 17). Functions take this object as an argument, so a
 * program can leave out the data, which is larger than all other code of this folder.
 */
export interface Lookalikes {
  /**
   * The ASCII text that a character looks like: `a` for the Cyrillic а, `-` for a dash, `fi` for a ligature, an empty
   * string for an invisible character. Null for an ASCII character, and for a character that does not look like ASCII.
   */
  readonly imitatedAscii: (character: string) => string | null;
  /** UTF-16 offset of the first imitation in a word that can mislead, or -1. Ignores words of another script. */
  readonly firstImitation: (text: string) => number;
  /**
   * The text with ASCII in place of the imitations, including imitations outside words, such as dashes. Null if the text
   * does not change. A word of another script stays unchanged.
   */
  readonly withoutImitations: (text: string) => string | null;
  /** The UTS #39 skeleton of the text in NFKC, with hyphens for dashes. Texts that look alike have equal skeletons. */
  readonly plainSkeletonOf: (text: string) => string;
}

export const lookalikes: Lookalikes = Object.freeze({
  imitatedAscii,
  firstImitation,
  withoutImitations,
  plainSkeletonOf,
});

function imitatedAscii(character: string): string | null {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80 || noImitations[codePoint] === 1) return null;
  const known = imitations.get(character);
  if (known !== undefined) return known;
  const ascii = asciiLike(character);
  if (ascii === null) noImitations[codePoint] = 1;
  else imitations.set(character, ascii);
  return ascii;
}

// 1 for each code point that is known to be no imitation. The size is fixed, also for texts of many characters.
const noImitations = new Uint8Array(0x110000);
const imitations = new Map<string, string>();

function asciiLike(character: string): string | null {
  let ascii = '';
  for (const part of prepareSkeleton(character)) {
    const skeleton = isAscii(part) ? part : skeletonOfPlain(part);
    if (!isAscii(skeleton)) return null;
    ascii += skeleton === part ? part : likeliestAscii(part, skeleton);
  }
  return ascii;
}

/** A character more likely imitates a character of the same kind: a letter imitates `l`, a digit imitates `1`. */
const KINDS = [/\p{Lu}/u, /\p{L}/u, /\p{N}/u];

function kindOf(character: string): number {
  return KINDS.findIndex((kind) => kind.test(character));
}

let asciiBySkeleton: Map<string, string> | undefined;

/** `l`, `I`, `1` and `|` have the same skeleton. Returns the one of the same kind; the skeleton if no kind is the same. */
function likeliestAscii(character: string, skeleton: string): string {
  asciiBySkeleton ??= new Map(
    Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code))
      .reverse()
      .map((ascii) => [`${kindOf(ascii)} ${skeletonOf(ascii)}`, ascii]),
  );
  return asciiBySkeleton.get(`${kindOf(character)} ${skeleton}`) ?? skeleton;
}

const ASCII_LETTER = /[A-Za-z]/;
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * UTF-16 offset of the first imitation in a word that can mislead; -1 if the word cannot mislead. A word can mislead if
 * it has an imitation, and also either an ASCII letter or only letters that are imitations.
 */
function imitationIn(word: string): number {
  if (isAscii(word) || !LETTER_OR_DIGIT.test(word)) return -1;
  const hasAsciiLetter = ASCII_LETTER.test(word);
  let found = -1;
  let offset = 0;
  for (const character of word) {
    if (imitatedAscii(character) === null) {
      if (!hasAsciiLetter && LETTER.test(character)) return -1;
    } else if (found === -1) found = offset;
    offset += character.length;
  }
  return found;
}

function firstImitation(text: string): number {
  if (isAscii(text)) return -1;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const offset = imitationIn(word);
    if (offset !== -1) return index + offset;
  }
  return -1;
}

function withoutImitations(text: string): string | null {
  if (isAscii(text)) return null;
  let replaced = '';
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    replaced += toAscii(text.slice(end, index)) + (imitationIn(word) === -1 ? word : toAscii(word));
    end = index + word.length;
  }
  replaced += toAscii(text.slice(end));
  return replaced === text ? null : replaced;
}

function toAscii(text: string): string {
  if (isAscii(text)) return text;
  let ascii = '';
  for (const character of text) ascii += imitatedAscii(character) ?? character;
  return ascii;
}
