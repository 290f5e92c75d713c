// @ts-check
// Two names, and how they relate.

import { bounded } from './bounded.js';
import { differencesOf } from './differences.js';
import { el } from './dom.js';
import { characterInWords, markedText } from './lookalikes.js';
import { forReaders } from './reader-words.js';
import { table } from './table.js';
import { bdi, code } from './text.js';
import { relationInWords } from './words.js';

/** @import { AliasTargetsAnswer, Character, CompareAnswer, ComparedSide } from './answers.js' */

/** @import { Difference } from './differences.js' */

/** Relations for which the view lists the characters that differ. */
const LOOK_ALIKE = ['CONFUSABLE', 'NORMALIZATION'];
const MAX_DIFFERENCES = 20;

/**
 * @param {CompareAnswer['doiEquivalence']} answer
 * @param {Element} aliases the element for the result of the look-ups
 * @param {string} graphiql
 */
export function compareView(
  { relation, equivalent, equivalentInNiso2000, explanation, a, b },
  aliases,
  graphiql,
) {
  const differences = LOOK_ALIKE.includes(relation)
    ? differencesOf(a.doi?.characters ?? [], b.doi?.characters ?? [])
    : [];
  const sign = equivalent === null ? '?' : equivalent ? '=' : '≠';
  return el(
    'div',
    { class: `comparison ${equivalent ? 'same' : 'different'}` },
    el(
      'div',
      { class: 'sides' },
      side(a, placesOf(differences, 'a')),
      el('span', { class: 'relation-sign', 'aria-hidden': 'true' }, sign),
      side(b, placesOf(differences, 'b')),
    ),
    el('h3', {}, relationInWords(relation)),
    el('p', {}, el('bdi', {}, explanation)),
    differences.length > 0 && bounded(differences, MAX_DIFFERENCES, 'difference', differenceTable),
    equivalentInNiso2000 !== null && el('p', {}, niso(equivalent, equivalentInNiso2000)),
    equivalent !== null && aliases,
    el('p', {}, el('a', { class: 'quiet', href: graphiql }, 'Open in GraphiQL')),
  );
}

/** @param {ComparedSide} side @param {readonly number[]} marked */
function side({ doi, problem }, marked) {
  if (!doi)
    return el(
      'p',
      { class: 'side' },
      el('span', { class: 'missing' }, 'no DOI name: ', bdi(forReaders(problem?.message ?? ''))),
    );
  const { characters = [], name } = doi;
  return el('p', { class: 'side' }, marked.length > 0 ? markedText(characters, marked) : code(name));
}

/** The positions in one name where the names differ. @param {readonly Difference[]} differences @param {'a' | 'b'} which */
function placesOf(differences, which) {
  return differences.flatMap((difference) =>
    difference[which].map((_, index) => difference.position + index),
  );
}

/** @param {readonly Difference[]} differences */
function differenceTable(differences) {
  const inWords = (/** @type {readonly Character[]} */ characters) =>
    characters.length === 0
      ? el('span', { class: 'missing' }, 'nothing')
      : el('ul', {}, ...characters.map((character) => el('li', {}, characterInWords(character))));
  return table(
    'differences',
    'The differences. A place is the number of a character.',
    ['Place', 'The first', 'The other'],
    differences.map(({ position, a, b }) => [String(position + 1), inWords(a), inWords(b)]),
  );
}

/** @param {boolean | null} equivalent @param {boolean} equivalentThen */
function niso(equivalent, equivalentThen) {
  const verdict = equivalentThen ? 'one DOI' : 'two DOIs';
  return equivalent === equivalentThen
    ? `The standard of 2000 (Z39.84-2000) says the same: ${verdict}.`
    : `In the standard of 2000 (Z39.84-2000), the case of a suffix counted. It would have called them ${verdict}.`;
}

/** @param {AliasTargetsAnswer} answer @param {string | null} message the reason why the targets are unknown; else null */
export function aliasTargetView({ doiEquivalence, doiDirectory }, message) {
  const { sameAliasTarget, a, b } = doiEquivalence;
  if (message !== null)
    return el('p', { class: 'missing' }, 'Where their aliases end is not known: ', bdi(message));
  if (sameAliasTarget === true) return el('p', {}, 'Both end at one handle when their aliases are followed.');
  const absent = [a, b].flatMap(({ doi }) => (doi?.exists === false ? [doi.name] : []));
  if (absent.length === 0)
    return el('p', {}, 'They end at two different handles, also when aliases are followed.');
  const isEmbedded = doiDirectory.kind === 'EMBEDDED';
  const words = isEmbedded
    ? 'in the embedded directory, so where aliases would end is not known here.'
    : 'registered, so there is no alias to follow.';
  return absent.length === 1
    ? el('p', {}, code(absent[0] ?? ''), ` is not ${words}`)
    : el('p', {}, `Neither of them is ${words}`);
}
