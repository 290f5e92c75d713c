// A handle record as a table.

import { handlePath } from '../../doi/encoding-forms.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { textOf } from '../../handle/data.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { redirectTarget } from '../../handle/target.ts';
import { type HandleValue, timestampOf } from '../../handle/value.ts';
import type { Answer } from '../exchange.ts';
import { page } from './page.ts';
import type { RestHeaders } from './rest-answer.ts';

/** A page is for people, who read no more. The JSON API has no such limits. */
const MAX_ROWS = 1_000;
const MAX_ROW_CHARACTERS = 1_000_000;
const MAX_CELL_CHARACTERS = 20_000;

/**
 * @param values those of the record that were asked for
 * @param publicUrl where links begin; empty for relative ones
 */
export function valuesPage(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: RestHeaders,
  publicUrl: string,
): Answer {
  if (values.length === 0) return page(200, record.handle, '<p>There are no values to show.</p>', headers);
  const rows = rowsOf(values);
  const left = values.length - rows.length;
  const api = escapeMarkup(`${publicUrl}/api/handles/${handlePath(record.handle)}`);
  const note = left === 0 ? '' : `\n<p>There are ${left} more. <a href="${api}">All of them as JSON.</a></p>`;
  return page(200, record.handle, table(rows) + note, headers);
}

function rowsOf(values: readonly HandleValue[]): readonly string[] {
  const rows: string[] = [];
  let characters = 0;
  for (const value of values) {
    if (rows.length === MAX_ROWS || characters > MAX_ROW_CHARACTERS) break;
    const written = row(value);
    characters += written.length;
    rows.push(written);
  }
  return rows;
}

function table(rows: readonly string[]): string {
  return `<table>
<caption>The values of this handle</caption>
<thead><tr><th scope="col">Index</th><th scope="col">Type</th><th scope="col">Timestamp</th><th scope="col">Data</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function row(value: HandleValue): string {
  const cells = [shown(value.type), escapeMarkup(timestampOf(value) ?? '–'), data(value)];
  return `<tr><th scope="row">${value.index}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** A URL that may be followed is a link; everything else is text, and structures are JSON. */
function data(value: HandleValue): string {
  const text = value.data.kind === 'string' ? textOf(value.data) : null;
  if (text === null) return `<code>${shown(JSON.stringify(value.wire['data']))}</code>`;
  const target = redirectTarget(text);
  return target === null
    ? shown(text)
    : `<a href="${escapeMarkup(target)}" rel="nofollow noreferrer">${escapeMarkup(text)}</a>`;
}

/** As markup, cut where it is too long for anybody to read. */
function shown(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return escapeMarkup(text);
  // Never in the middle of a character.
  return `${escapeMarkup(text.slice(0, MAX_CELL_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''))}…`;
}
