// @ts-check
// The lines of a text without a DOI name: in a reference list, the references without a DOI.

import { bounded } from './bounded.js';
import { el } from './dom.js';
import { bdi } from './text.js';
import { count } from './words.js';

/** @import { Match } from './answers.js' */

const FIRST_LINES = 20;
const MAX_SHOWN_CHARACTERS = 200;

/**
 * Lines count from 1. Omits empty lines, and lines that contain a part of a name.
 * @param {string} text
 * @param {readonly Pick<Match, 'start' | 'end'>[]} matches in the order of the text
 * @returns {{ number: number, text: string }[]}
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

/** @param {string} text @param {readonly Match[]} matches */
export function linesWithoutView(text, matches) {
  const lines = linesWithoutName(text, matches);
  if (lines.length === 0) return null;
  return el(
    'section',
    { class: 'without', 'aria-labelledby': 'without-title' },
    el('h3', { id: 'without-title' }, `${count(lines.length, 'line')} without a DOI`),
    bounded(lines, FIRST_LINES, 'line', (some) =>
      el('ul', {}, ...some.map((line) => el('li', {}, `Line ${line.number}: `, bdi(shortened(line.text))))),
    ),
  );
}

/** @param {string} text */
function shortened(text) {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
