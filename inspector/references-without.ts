// The references of a text without a DOI name. The search for their DOIs is offered below what the page shows of the text.

import type { ListInWords, ReferenceInWords } from '../src/works/reference-lists/references-in-words.ts';
import type { Match, NameProblem } from './answers.ts';
import { createReferenceSearch } from './reference-search.ts';
import { isInWords } from './running-text.ts';
import { say } from './say.ts';
import { count } from './words.ts';

/** Null if the splitter does not load: the page works without it. */
async function loadSplitter(): Promise<((text: string) => ListInWords) | null> {
  try {
    return (await import('../src/works/reference-lists/references-in-words.ts')).referencesInWords;
  } catch {
    return null;
  }
}

/** @param matches in the order of the text */
export function withoutName(
  references: readonly ReferenceInWords[],
  matches: readonly Pick<Match, 'start' | 'end'>[],
) {
  let next = 0;
  return references.filter(({ start, end }) => {
    while ((matches[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (matches[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/** How the text was split. @param named the number of references with a name */
export function splitInWords({ references, layout, otherLines }: ListInWords, named: number) {
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

/** Whether an input of one line, which is no name, can be a reference. */
export function canBeReference(text: string, { looksLike }: NameProblem) {
  const words = text.replace(/\S*[/@]\S*/g, ' ');
  return looksLike === null && isInWords(words) && (words.match(/\p{L}{2,}/gu)?.length ?? 0) > 1;
}

/**
 * Appends the references without a name, and the search for their DOIs. Rejects if the signal is aborted.
 * @param signal aborts all requests
 */
export async function offerSearch(
  holder: Element,
  text: string,
  matches: readonly Match[],
  signal: AbortSignal,
) {
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
