// How many requests there are of which kind, how they end, and how long they take.

import type { ServerResponse } from 'node:http';
import type { Metrics } from '../metrics.ts';

/** Whose a path is: GraphQL's, one of the REST face's three, or that of a page beside them (`other`). */
export type Face = 'graphql' | 'handles' | 'doiRA' | 'redirect' | 'other';

/** Begins to measure a request. To be ended when its response is closed. */
export type MeasureRequest = (face: Face) => (response: ServerResponse) => void;

export function createMeasureRequest({
  httpSeconds,
  httpInFlight,
}: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>): MeasureRequest {
  return (face) => {
    const start = performance.now();
    count(face, 1);
    return (response) => {
      httpSeconds.observe((performance.now() - start) / 1000, face, statusClass(response));
      count(face, -1);
    };
  };

  function count(face: Face, more: number): void {
    httpInFlight.set(face, (httpInFlight.get(face) ?? 0) + more);
  }
}

const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** `none` where the client was gone before there was an answer. */
function statusClass({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? (CLASSES[Math.trunc(statusCode / 100)] ?? 'none') : 'none';
}
