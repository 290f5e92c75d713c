// @ts-check
// A name that may be meant, offered as a link: nothing is replaced by itself.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { ask, GatewayFailure } from './gateway.js';
import { SHORT_DOI } from './queries.js';
import { code } from './text.js';

/** @import { Match, NamedDoi, Problem, ShortDoiAnswer } from './answers.js' */

/** @param {NamedDoi} doi */
export function inspectLink({ id, name }) {
  return el('a', { class: 'inspect', href: addressOf({ doi: id, other: '' }) }, code(name));
}

/**
 * What to offer below a problem; null where there is nothing.
 * @param {string} text
 * @param {Problem} problem
 * @param {readonly Match[]} meant
 * @param {AbortSignal} signal
 * @returns {Promise<{ element: Element, sentence: string } | null>}
 */
export async function offerFor(text, problem, meant, signal) {
  const isShort = problem.code === 'SHORT_DOI';
  const doi = isShort ? await expanded(text, signal) : meant[0]?.doi;
  if (!doi) return null;
  const question = isShort ? 'This shortDOI stands for' : 'Did you mean';
  return {
    element: el(
      'p',
      { class: 'suggestions' },
      `${question} `,
      el('span', {}, inspectLink(doi), isShort ? '.' : '?'),
    ),
    sentence: `${question} ${doi.name}`,
  };
}

/** @param {string} input @param {AbortSignal} signal @returns {Promise<NamedDoi | null>} */
async function expanded(input, signal) {
  try {
    /** @type {{ data: ShortDoiAnswer }} */
    const { data } = await ask(SHORT_DOI, { input }, signal);
    return data.shortDoi?.doi ?? null;
  } catch (error) {
    if (error instanceof GatewayFailure) return null;
    throw error;
  }
}
