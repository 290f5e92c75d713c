// @ts-check
// The one live region: a sentence when something is finished, nothing on the way.

import { byId } from './dom.js';

/** @param {string} sentence */
export function say(sentence) {
  const region = byId('said');
  // The same sentence twice is a change of nothing, and would not be read.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
}
