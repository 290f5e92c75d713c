// @ts-check
// The lines of a text without a DOI name: in a reference list, the references without a DOI.

import { createReferenceSearch } from './reference-search.js';

/** @import { Match } from './answers.js' */

/** @typedef {{ readonly number: number, readonly text: string }} Line */

/**
 * Lines count from 1. Omits empty lines, and lines that contain a part of a name.
 * @param {string} text
 * @param {readonly Pick<Match, 'start' | 'end'>[]} matches in the order of the text
 * @returns {Line[]}
 */
export function linesWithoutName(text, matches) {
  const lines = [];
  let number = 0;
  let next = 0;
  for (const { 0: line, index: start } of text.matchAll(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)) {
    if (line === '' && start === text.length) break;
    number += 1;
    const end = start + line.length;
    while (next < matches.length && (matches[next]?.end ?? 0) <= start) next += 1;
    const isNamed = (matches[next]?.start ?? Number.POSITIVE_INFINITY) < end;
    if (!isNamed && line.trim() !== '') lines.push({ number, text: line.trim() });
  }
  return lines;
}

/**
 * The lines, and the search for their DOIs. Null if there are none.
 * @param {string} text
 * @param {readonly Match[]} matches
 * @param {AbortSignal} signal aborts all requests
 */
export function linesWithoutView(text, matches, signal) {
  const lines = linesWithoutName(text, matches);
  return lines.length === 0 ? null : createReferenceSearch(lines, signal);
}
