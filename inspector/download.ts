// Saves a text as a file.

import { button, el } from './dom.ts';
import { say } from './say.ts';

/** After this time, the browser has certainly begun to read the file. */
const KEPT_MS = 60_000;

/** @param text null: there is nothing to save @param words the text of the button; default: Download */
export function downloadButton(
  text: string | (() => string | Promise<string | null>),
  fileName: string,
  type: string,
  words = 'Download',
) {
  const name = words === 'Download' ? `Download ${fileName}` : words;
  return button(words, () => void save(), { class: 'copy', 'aria-label': name });

  async function save() {
    const content = typeof text === 'string' ? text : await text();
    if (content === null) return;
    const address = URL.createObjectURL(new Blob([content], { type }));
    el('a', { href: address, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
    say(`Downloaded: ${fileName}.`);
  }
}
