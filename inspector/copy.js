// @ts-check
// Copying a text, and saying so.

import { button } from './dom.js';
import { say } from './say.js';

/**
 * @param {string | (() => string)} text the text to copy
 * @param {string} label what to call it
 * @param {() => Node} shown where the text stands, to be selected where the clipboard is out of reach
 * @param {string} [words] on the button, where "Copy" is not enough
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
      // No clipboard without https, or without permission.
      getSelection()?.selectAllChildren(shown());
      say(`${label} is selected. Press Control and C, or Command and C, to copy it.`);
    }
  }
}
