// @ts-check
// Saves a text as a file.

import { button, el } from './dom.js';
import { say } from './say.js';

/** Until the browser has surely begun to read it. */
const KEPT_MS = 60_000;

/** @param {string} text @param {string} fileName @param {string} type */
export function downloadButton(text, fileName, type) {
  return button(
    'Download',
    () => {
      const address = URL.createObjectURL(new Blob([text], { type }));
      el('a', { href: address, download: fileName }).click();
      setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
      say(`Downloaded: ${fileName}.`);
    },
    { class: 'copy', 'aria-label': `Download ${fileName}` },
  );
}
