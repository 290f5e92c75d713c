// @ts-check
// Every form of the name, each with a button that copies it.

import { copyButton } from './copy.js';
import { el } from './dom.js';
import { plate } from './plate.js';
import { table } from './table.js';
import { longText } from './text.js';

/** @import { Encoding } from './answers.js' */

/** @param {readonly Encoding[]} encodings */
export function formsView(encodings) {
  return plate(
    'forms',
    'Every form',
    table(
      'forms',
      'Each form has encoding rules of its own, from the document named below it.',
      ['Form', 'Value', 'Copy'],
      encodings.map(({ label, value, sourceDocument }) => {
        const shown = longText(value, 300, 'ltr');
        return [
          el('span', {}, label, el('small', {}, sourceDocument)),
          shown,
          copyButton(value, label, () => shown),
        ];
      }),
    ),
  );
}
