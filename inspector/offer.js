// @ts-check
// "Did you mean …?" below what is no DOI name: only what the gateway has read as one.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { ask, GatewayFailure } from './gateway.js';
import { doiWithin, shortDoiWithin } from './meant.js';
import { NAME } from './queries.js';
import { code } from './text.js';

/** @import { NameAnswer, NamedDoi, Problem } from './answers.js' */

/**
 * Null where there is nothing to offer, or nobody to ask.
 * @param {string} text
 * @param {Problem} problem
 * @param {AbortSignal} signal
 * @returns {Promise<{ element: Element, sentence: string } | null>}
 */
export async function offerFor(text, problem, signal) {
  const isShort = problem.code === 'SHORT_DOI';
  const candidate = isShort ? await aliasOf(shortDoiWithin(text), signal) : doiWithin(text);
  if (candidate === null) return null;
  const doi = await read(candidate, signal);
  if (!doi) return null;
  const question = isShort ? 'This shortDOI stands for' : 'Did you mean';
  const anchor = el('a', { class: 'inspect', href: addressOf({ doi: doi.id, other: '' }) }, code(doi.name));
  return {
    element: el('p', { class: 'suggestions' }, `${question} `, el('span', {}, anchor, isShort ? '.' : '?')),
    sentence: `${question} ${doi.name}`,
  };
}

/** @param {string} candidate @param {AbortSignal} signal @returns {Promise<NamedDoi | null>} */
async function read(candidate, signal) {
  try {
    /** @type {{ data: NameAnswer }} */
    const { data } = await ask(NAME, { input: candidate }, signal);
    return data.parseDoi.doi;
  } catch (error) {
    if (error instanceof GatewayFailure) return null;
    throw error;
  }
}

/** GraphQL knows DOI names alone; a shortDOI is asked for as a handle. @param {string | null} handle @param {AbortSignal} signal */
async function aliasOf(handle, signal) {
  if (handle === null) return null;
  const response = await fetch(`./api/handles/${handle}?type=HS_ALIAS`, { signal }).catch(() => null);
  const answer = response?.ok ? await response.json().catch(() => null) : null;
  signal.throwIfAborted();
  const alias = answer?.values?.[0]?.data?.value;
  return typeof alias === 'string' ? alias : null;
}
