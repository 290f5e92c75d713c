// Every form of the name, each with a button that copies it. Forms that few people need are folded.

import type { Encoding } from './answers.ts';
import { copyButton } from './copy.ts';
import { el } from './dom.ts';
import { plate } from './plate.ts';
import { table } from './table.ts';
import { longText } from './text.ts';

const COMMON = ['NAME', 'DISPLAY', 'URL_RECOMMENDED', 'URN', 'HTML', 'MARKDOWN'];

export function formsView(encodings: readonly Encoding[]) {
  const isCommon = ({ form }: Encoding) => COMMON.includes(form);
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

function formTable(caption: string, encodings: readonly Encoding[]) {
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
