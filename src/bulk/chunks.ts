// Rows → chunks, each of which is one operation.

import type { Row } from './row.ts';
import type { RowBatches } from './rows.ts';

/** Rows of one chunk at the most. */
export const CHUNK_ROWS = 1_000;
/** Bytes of the file in one chunk at the most, or one row alone. A request body has to hold its names. */
const CHUNK_BYTES = 524_288;

/** In the order of the rows. */
export async function* inChunks(rows: RowBatches, most = CHUNK_ROWS): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      const begin = chunk[0]?.start.offset ?? row.start.offset;
      if (chunk.length === most || row.end.offset - begin > CHUNK_BYTES) {
        if (chunk.length > 0) yield chunk;
        chunk = [];
      }
      chunk.push(row);
    }
  }
  if (chunk.length > 0) yield chunk;
}
