// @ts-check
// Offers the name that was probably meant, as a link. The page never replaces the input itself.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { GatewayFailure, sendOperation } from './gateway.js';
import { SHORT_DOI } from './queries.js';
import { code } from './text.js';

/** @import { NamedDoi, Problem, ShortDoiAnswer } from './answers.js' */

/** @param {NamedDoi} doi */
export function inspectLink({ id, name }) {
  return el('a', { class: 'inspect', href: addressOf({ doi: id, other: '' }) }, code(name));
}

/** @typedef {{ words: string, doi: NamedDoi, end: '?' | '.' }} Offer */

/**
 * Resolves to the offer for an input that is not a DOI name; null: there is no offer. A shortDOI needs a look-up.
 * @param {string} text
 * @param {Problem} problem
 * @param {readonly { readonly doi: NamedDoi }[]} meant
 * @param {AbortSignal} signal
 * @returns {Promise<Offer | null>}
 */
export async function offerFor(text, problem, meant, signal) {
  const isShort = problem.code === 'SHORT_DOI';
  const doi = isShort ? await expanded(text, signal) : meant[0]?.doi;
  if (!doi) return null;
  return isShort
    ? { words: 'This shortDOI stands for', doi, end: '.' }
    : { words: 'Did you mean', doi, end: '?' };
}

/** @param {string} input @param {AbortSignal} signal @returns {Promise<NamedDoi | null>} */
async function expanded(input, signal) {
  try {
    /** @type {{ data: ShortDoiAnswer }} */
    const { data } = await sendOperation(SHORT_DOI, { input }, signal);
    return data.shortDoi?.doi ?? null;
  } catch (error) {
    if (error instanceof GatewayFailure) return null;
    throw error;
  }
}
