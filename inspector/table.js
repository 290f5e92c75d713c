// @ts-check
// Tables that become lists on narrow screens. Roles are explicit, because a table with another CSS layout loses them.

import { el } from './dom.js';

/** @import { Child } from './dom.js' */

/**
 * @param {string} name its class
 * @param {string} caption
 * @param {readonly string[]} heads
 * @param {readonly (readonly Child[])[]} rows the first cell of each row is its header
 */
export function table(name, caption, heads, rows) {
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

/** @param {readonly string[]} heads @param {readonly Child[]} cells */
export function tableRow(heads, [head, ...cells]) {
  return el(
    'tr',
    { role: 'row' },
    el('th', { scope: 'row', role: 'rowheader' }, head),
    ...cells.map((cell, index) => el('td', { role: 'cell', 'data-head': heads[index + 1] }, cell)),
  );
}
