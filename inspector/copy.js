// @ts-check
// A button that copies a text.

import { button } from './dom.js';
import { say } from './say.js';

/**
 * @param {string | (() => string)} text the text to copy
 * @param {string} label the name of the text, for screen readers
 * @param {() => Node} shown returns the element with the text, which the page selects if it cannot use the clipboard
 * @param {string} [words] the text of the button
 */
export function copyButton(text, label, shown, words = 'Copy') {
  const name = words === 'Copy' ? `Copy ${label}` : words;
  const element = button(words, () => void copy(), { class: 'copy', 'aria-label': name });
  return element;

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      element.textContent = 'Copied';
      element.classList.add('done');
      say(`Copied: ${label}.`);
      setTimeout(() => {
        element.textContent = words;
        element.classList.remove('done');
      }, 2_000);
    } catch {
      // A page cannot use the clipboard without https or without permission.
      getSelection()?.selectAllChildren(shown());
      say(`${label} is selected. Press Control and C, or Command and C, to copy it.`);
    }
  }
}
