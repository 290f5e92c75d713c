// Tables that become lists on narrow screens. Roles are explicit, because a table with another CSS layout loses them.

import { type Child, el } from './dom.ts';

/** @param name its class @param rows the first cell of each row is its header */
export function table(
  name: string,
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
) {
  return el(
    'table',
    { class: name, role: 'table' },
    el('caption', {}, caption),
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        ...heads.map((head) => el('th', { scope: 'col', role: 'columnheader' }, head)),
      ),
    ),
    el('tbody', { role: 'rowgroup' }, ...rows.map((cells) => tableRow(heads, cells))),
  );
}

export function tableRow(heads: readonly string[], [head, ...cells]: readonly Child[]) {
  return el(
    'tr',
    { role: 'row' },
    el('th', { scope: 'row', role: 'rowheader' }, head),
    ...cells.map((cell, index) => el('td', { role: 'cell', 'data-head': heads[index + 1] }, cell)),
  );
}
