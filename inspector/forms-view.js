// @ts-check
// Every form of the name, each with a button that copies it. Forms that few people need are folded.

import { copyButton } from './copy.js';
import { el } from './dom.js';
import { plate } from './plate.js';
import { table } from './table.js';
import { longText } from './text.js';

/** @import { Encoding } from './answers.js' */

const COMMON = ['NAME', 'DISPLAY', 'URL_RECOMMENDED', 'URN', 'HTML', 'MARKDOWN'];

/** @param {readonly Encoding[]} encodings */
export function formsView(encodings) {
  const isCommon = (/** @type {Encoding} */ { form }) => COMMON.includes(form);
  const rare = encodings.filter((encoding) => !isCommon(encoding));
  return plate(
    'forms',
    'Every form',
    formTable(
      'Each form has its own encoding rules. The source document is below the form.',
      encodings.filter(isCommon),
    ),
    el(
      'details',
      {},
      el('summary', {}, `${rare.length} rarer forms`),
      formTable('Some systems require one of these forms.', rare),
    ),
  );
}

/** @param {string} caption @param {readonly Encoding[]} encodings */
function formTable(caption, encodings) {
  return table(
    'forms',
    caption,
    ['Form', 'Value', 'Copy'],
    encodings.map(({ label, value, sourceDocument }) => {
      const shown = longText(value, 300, 'ltr');
      return [
        el('span', {}, label, el('small', {}, sourceDocument)),
        shown,
        copyButton(value, label, () => shown),
      ];
    }),
  );
}
