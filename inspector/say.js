// @ts-check
// The live region for screen readers: they read a sentence when something is finished.

import { byId } from './dom.js';

/** @param {string} sentence */
export function say(sentence) {
  const region = byId('said');
  // Screen readers read only a changed text, so a repeated sentence gets a space at its end.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
}
