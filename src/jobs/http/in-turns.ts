// A body in small pieces, with a turn of the event loop between them: a row may be two bytes long, and reading thousands
// of rows in one go would hold up all other clients.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of the shortest rows it takes about 20 ms to read. */
const PIECE_BYTES = 8_192;

export async function* inTurns(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    yield part.subarray(0, PIECE_BYTES);
    for (let at = PIECE_BYTES; at < part.length; at += PIECE_BYTES) {
      await nextTurn();
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
