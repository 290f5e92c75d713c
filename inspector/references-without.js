// @ts-check
// The references of a text without a DOI name. The search for their DOIs is offered below what the page shows of the text.

import { createReferenceSearch } from './reference-search.js';
import { isInWords } from './running-text.js';
import { say } from './say.js';
import { count } from './words.js';

/** @import { Match, NameProblem } from './answers.js' */
/** @import { ListInWords, ReferenceInWords } from './references-in-words.js' */

/** Null if the splitter does not load: the page works without it. @returns {Promise<((text: string) => ListInWords) | null>} */
async function loadSplitter() {
  try {
    return (await import('./references-in-words.js')).referencesInWords;
  } catch {
    return null;
  }
}

/**
 * @param {readonly ReferenceInWords[]} references
 * @param {readonly Pick<Match, 'start' | 'end'>[]} matches in the order of the text
 */
export function withoutName(references, matches) {
  let next = 0;
  return references.filter(({ start, end }) => {
    while ((matches[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (matches[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/** How the text was split. @param {ListInWords} list @param {number} named the number of references with a name */
export function splitInWords({ references, layout, otherLines }, named) {
  const { length } = references;
  return [
    length === 1
      ? 'The text was read as one reference.'
      : `The text was split into ${count(length, 'reference')}, ${layout}.`,
    named > 0 && `${named.toLocaleString('en')} of them ${named === 1 ? 'has' : 'have'} a DOI.`,
    otherLines > 0 && `${count(otherLines, 'line is no reference', 'lines are no references')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether an input of one line, which is no name, can be a reference. @param {string} text @param {NameProblem} problem */
export function canBeReference(text, { looksLike }) {
  const words = text.replace(/\S*[/@]\S*/g, ' ');
  return looksLike === null && isInWords(words) && (words.match(/\p{L}{2,}/gu)?.length ?? 0) > 1;
}

/**
 * Appends the references without a name, and the search for their DOIs. Rejects if the signal is aborted.
 * @param {Element} holder
 * @param {string} text
 * @param {readonly Match[]} matches
 * @param {AbortSignal} signal aborts all requests
 */
export async function offerSearch(holder, text, matches, signal) {
  const list = (await loadSplitter())?.(text);
  signal.throwIfAborted();
  const without = list ? withoutName(list.references, matches) : [];
  if (list && without.length > 0) {
    const split = splitInWords(list, list.references.length - without.length);
    holder.append(createReferenceSearch(without, split, signal));
  }
  if (matches.length > 0) return;
  const offered = without.length > 0 ? ` ${count(without.length, 'reference')} without a DOI.` : '';
  say(`There is no DOI name in this text.${offered}`);
}
