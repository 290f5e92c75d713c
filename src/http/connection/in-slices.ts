// Shares a turn of the event loop among the requests that come in it.

import type { RequestListener } from 'node:http';
import { SLICE_MS } from '../../time.ts';
import { hasBody } from '../request/counted-request.ts';

/** So little may be left over from earlier turns: to see the end of each turn would cost every request more. */
const LITTLE_MS = 1;

/**
 * Hundreds of requests may come in one turn, and each may take milliseconds before it waits for anything. Those
 * that come when a slice is used up wait: a slice of them is begun in each later turn, in their order, after those
 * that have just come. One with a body is begun at once: it first waits for that.
 */
export function inSlices(listener: RequestListener, now = () => performance.now()): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  let workedMs = 0;
  let seesEnd = false;

  function begin(...[request, response]: Parameters<RequestListener>): void {
    const startMs = now();
    listener(request, response);
    workedMs += now() - startMs;
  }

  function seeEndOfTurn(): void {
    if (!seesEnd) setImmediate(endTurn);
    seesEnd = true;
  }

  function endTurn(): void {
    seesEnd = false;
    workedMs = 0;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next[0].socket.destroyed) begin(...next);
      if (workedMs > SLICE_MS) break;
    }
    workedMs = 0;
    if (waiting.length > 0) seeEndOfTurn();
  }

  return (request, response) => {
    if (workedMs > SLICE_MS && !hasBody(request)) {
      waiting.push([request, response]);
      return;
    }
    begin(request, response);
    if (workedMs > LITTLE_MS) seeEndOfTurn();
  };
}
