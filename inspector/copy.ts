// A button that copies a text.

import { button } from './dom.ts';
import { say } from './say.ts';

/**
 * @param text the text to copy; null: there is nothing to copy
 * @param label the name of the text, for screen readers
 * @param shown returns the element with the text, which the page selects if it cannot use the clipboard
 * @param words the text of the button; screen readers get the whole label if it begins with these words
 */
export function copyButton(
  text: string | (() => string | Promise<string | null>),
  label: string,
  shown: () => Node,
  words = 'Copy',
) {
  const whole = `Copy ${label}`;
  const name = whole.startsWith(words) ? whole : words;
  const element = button(words, () => void copy(), { class: 'copy', 'aria-label': name });
  return element;

  async function copy() {
    const content = typeof text === 'string' ? text : await text();
    if (content === null) return;
    try {
      await navigator.clipboard.writeText(content);
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
