// A handle record as a table.

import { escapeMarkup } from '../../doi/markup.ts';
import { textOf } from '../../handle/data.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { redirectTarget } from '../../handle/target.ts';
import type { HandleValue } from '../../handle/value.ts';
import type { RestResponse } from './exchange.ts';
import { page } from './page.ts';

/** @param values those of the record that were asked for */
export function valuesPage(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: Readonly<Record<string, string>>,
): RestResponse {
  return page(
    200,
    record.handle,
    values.length > 0 ? table(values) : '<p>There are no values to show.</p>',
    headers,
  );
}

function table(values: readonly HandleValue[]): string {
  return `<table>
<caption>The values of this handle</caption>
<thead><tr><th scope="col">Index</th><th scope="col">Type</th><th scope="col">Timestamp</th><th scope="col">Data</th></tr></thead>
<tbody>
${values.map(row).join('\n')}
</tbody>
</table>`;
}

function row(value: HandleValue): string {
  const cells = [escapeMarkup(value.type), escapeMarkup(value.timestamp ?? '–'), data(value)];
  return `<tr><th scope="row">${value.index}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** A URL that may be followed is a link; everything else is text, and structures are JSON. */
function data(value: HandleValue): string {
  const text = value.data.kind === 'string' ? textOf(value.data) : null;
  if (text === null) return `<code>${escapeMarkup(JSON.stringify(value.wire['data']))}</code>`;
  const target = redirectTarget(text);
  return target === null
    ? escapeMarkup(text)
    : `<a href="${escapeMarkup(target)}" rel="nofollow noreferrer">${escapeMarkup(text)}</a>`;
}
