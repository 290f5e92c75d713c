// Writes the queries for the agencies' searches by a reference in words. Only the reference leaves the gateway. No search
// reads a word of the reference as an operator.
// https://www.elastic.co/guide/en/elasticsearch/reference/current/query-dsl-query-string-query.html

import { isStopWord } from '../folded-words.ts';
import { withoutAddresses } from '../reference-fit.ts';
import { readMarkedUpLine } from '../title-markup.ts';
import { MAX_CHARACTERS, type PlacedWord, type PlacedWords, placedWords } from './reference-words.ts';

const MAX_SEARCH_CHARACTERS = 500;
const MAX_TITLE_WORDS = 12;
const MIN_TITLE_WORDS = 3;

const ACCESSED = /[.,;([\s](?:accessed|retrieved|viewed|cited)(?: on)?:? .{0,60}\d.{0,20}$/iu;
const LABEL = /^\s{0,20}(?:[[(]\s?\d{1,4}\s?[\])]|\d{1,4}[.)](?=\s))/;
const DOI_LABEL = /\b(?:doi|url|available (?:at|from)):?\s{0,5}(?=[\s.,;]|$)/giu;

/** Removes the number of a reference in its list: `[1]`, `(1)`, `1.` */
export const withoutLabel = (reference: string): string => reference.replace(LABEL, '');

/** The words for `query.bibliographic` of Crossref; empty if nothing can be searched. */
export function searchText(reference: string): string {
  const { text } = readMarkedUpLine(withoutLabel(withoutAddresses(reference.slice(0, MAX_CHARACTERS))));
  const plain = text.replace(DOI_LABEL, ' ').replace(ACCESSED, '').replace(/\s+/gu, ' ').trim();
  const short = plain.slice(0, MAX_SEARCH_CHARACTERS).toWellFormed();
  return /[\p{L}\p{N}]/u.test(short) ? short : '';
}

/** A Lucene query for DataCite; null if the reference has no words that can be a title. Its operator is AND. */
export function dataciteQuery(reference: string): string | null {
  const placed = placedWords(searchText(reference));
  const run = longestRun(placed);
  const title = run.filter(({ word }) => !isStopWord(word)).slice(0, MAX_TITLE_WORDS);
  if (title.length < MIN_TITLE_WORDS) return null;
  const first = placed.words.find(({ word }) => word.length > 2 && !/\d/.test(word) && !isStopWord(word));
  const isAuthor = first !== undefined && !run.includes(first);
  const terms = [`titles.title:(${title.map(({ word }) => quoted(word)).join(' ')})`];
  if (isAuthor) terms.push(`creators.familyName:${quoted(placed.text.slice(first.start, first.end))}`);
  return terms.join(' AND ');
}

/** A word in quotation marks is no operator, and it has only letters and digits, so nothing in it needs an escape. */
const quoted = (word: string): string => `"${word}"`;

/** The longest run of words without a mark between them, such as a full stop, a comma before a name, or a bracket. */
function longestRun({ text, words }: PlacedWords): readonly PlacedWord[] {
  let best: readonly PlacedWord[] = [];
  let run: PlacedWord[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before !== undefined && /[.,;?!"“”()[\]]/u.test(text.slice(before.end, word.start))) run = [];
    run.push(word);
    if (run.length > best.length) best = run;
  }
  return best;
}
