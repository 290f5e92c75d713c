// Reads a text as `doi bulk` reads a file of names.

import { openTable, type Table, type TableOptions } from '../../../src/tools/bulk/input-table.ts';
import type { Row } from '../../../src/tools/bulk/row.ts';

export async function* bytesOf(text: string | Uint8Array, pieceBytes = 64): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export function tableOf(
  text: string | Uint8Array,
  options: TableOptions = {},
  pieceBytes = 64,
): Promise<Table> {
  return openTable(bytesOf(text, pieceBytes), options);
}

export async function allRows(rows: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}

/** The line, the name or problem, and the cells of each row. */
export async function rowsOf(text: string | Uint8Array, options: TableOptions = {}, pieceBytes = 64) {
  const { rows } = await tableOf(text, options, pieceBytes);
  return (await allRows(rows)).map(({ start, name, cells, problem }) => [
    start.line,
    problem?.code ?? name,
    ...cells,
  ]);
}
