// The words of a reference for the search of its work: a record of BibTeX, RIS or another format becomes a sentence.

import { createHash } from 'node:crypto';
import { isReference, plainWords, referenceText } from 'doi-names/parts';
import { withoutAddresses } from '../../works/reference-fit.ts';
import { wordsOfRecord } from '../../works/reference-lists/words-of-record.ts';
import { readTexLetters } from '../../works/tex-letters.ts';

/** Fewer letters find no work. */
const MIN_LETTERS = 20;
/** The gateway compares fewer characters. */
const MAX_CHARACTERS = 10_000;

/** A tag, or a tag that is cut at the end. */
const TAG = /<\/?[a-z][^<>]{0,300}(?:>|$)/gi;
const LABEL = /^\s{0,10}(?:\{[^{}\s]{0,100}\}|\[[\w+]{1,15}\]|\(?\d{1,3}[.)](?=\s))\s{0,10}/;

/** @param source an entry as written. Returns null if it has too few words for a search. */
export function searchedWords(source: string): string | null {
  return enoughOf(wordsOf(source.slice(0, MAX_CHARACTERS)).text);
}

/**
 * The words of the reference around a wrong name, without addresses: the name can be there twice.
 *
 * @param source Returns null also for prose, which must not leave the gateway.
 */
export function searchedWordsAround(source: string): string | null {
  const { text, isRecord } = wordsOf(source.slice(0, MAX_CHARACTERS));
  const words = withoutAddresses(text).trim();
  return isRecord || isReference(plainWords(words), 'references') ? enoughOf(words) : null;
}

function enoughOf(text: string): string | null {
  const words = text.slice(0, MAX_CHARACTERS);
  return words.replace(/[^\p{L}]/gu, '').length < MIN_LETTERS ? null : words;
}

function wordsOf(source: string): { readonly text: string; readonly isRecord: boolean } {
  const record = wordsOfRecord(source);
  if (record !== null) return { text: record, isRecord: true };
  const text = referenceText([readTexLetters(source.replace(LABEL, '')).replace(TAG, ' ')]);
  return { text: text.replace(/ +(?=[.,;:)])/g, ''), isRecord: false };
}

/** A reference keeps its key if only its spaces, its punctuation or its capital letters change. */
export function referenceKey(words: string): string {
  const normal =
    words
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `sha256:${createHash('sha256').update(normal.join(' ')).digest('hex').slice(0, KEY_DIGITS)}`;
}

const KEY_DIGITS = 16;
const KEY = /^sha256:[0-9a-f]{16}$/;

export const isReferenceKey = (text: string): boolean => KEY.test(text);
