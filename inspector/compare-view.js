// @ts-check
// Two names, and how they relate.

import { el } from './dom.js';
import { bdi, code } from './text.js';
import { relationInWords } from './words.js';

/** @import { CompareAnswer, ComparedSide } from './answers.js' */

/**
 * @param {CompareAnswer['doiEquivalence']} answer
 * @param {Element} aliases where the directory's part is shown
 * @param {string} graphiql
 */
export function compareView(
  { relation, equivalent, equivalentInNiso2000, explanation, a, b },
  aliases,
  graphiql,
) {
  const sign = equivalent === null ? '?' : equivalent ? '=' : '≠';
  return el(
    'div',
    { class: `comparison ${equivalent ? 'same' : 'different'}` },
    el(
      'div',
      { class: 'sides' },
      side(a),
      el('span', { class: 'relation-sign', 'aria-hidden': 'true' }, sign),
      side(b),
    ),
    el('h3', {}, relationInWords(relation)),
    el('p', {}, el('bdi', {}, explanation)),
    equivalentInNiso2000 !== null && el('p', {}, niso(equivalent, equivalentInNiso2000)),
    equivalent !== null && aliases,
    el('p', {}, el('a', { class: 'quiet', href: graphiql }, 'Open in GraphiQL')),
  );
}

/** @param {ComparedSide} side */
function side({ doi, problem }) {
  return el(
    'p',
    { class: 'side' },
    doi ? code(doi.name) : el('span', { class: 'missing' }, 'no DOI name: ', bdi(problem?.message ?? '')),
  );
}

/** @param {boolean | null} equivalent @param {boolean} then */
function niso(equivalent, then) {
  const verdict = then ? 'one DOI as well' : 'two DOIs';
  return equivalent === then
    ? `The standard of 2000 (Z39.84-2000) says the same: ${then ? 'one DOI' : 'two DOIs'}.`
    : `The standard of 2000 (Z39.84-2000), for which the case of a suffix counted, would have called them ${verdict}.`;
}

/** @param {boolean | null} same @param {string | null} message why it is not known */
export function aliasTargetView(same, message) {
  if (message !== null)
    return el('p', { class: 'missing' }, 'Where their aliases end is not known: ', bdi(message));
  return el(
    'p',
    {},
    same === true
      ? 'Both end at one handle when their aliases are followed.'
      : 'They end at two different handles, also when aliases are followed.',
  );
}
