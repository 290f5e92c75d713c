// How many requests there are of which kind, how they end, and how long they take.

import type { ServerResponse } from 'node:http';
import type { Metrics } from '../metrics.ts';

/** Whose a path is: GraphQL's, one of the REST face's three, or that of a page beside them (`other`). */
export type Face = 'graphql' | 'handles' | 'doiRA' | 'redirect' | 'other';

/** Measures from a request's head to the last byte of its answer, or to the client's going away. */
export function measureAnswer({
  httpSeconds,
  httpInFlight,
}: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>): (face: Face, response: ServerResponse) => void {
  return (face, response) => {
    const start = performance.now();
    httpInFlight.inc({ face });
    response.once('close', () => {
      httpSeconds.observe({ face, status: statusClass(response) }, (performance.now() - start) / 1000);
      httpInFlight.dec({ face });
    });
  };
}

/** `none` where the client was gone before there was an answer. */
function statusClass({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? `${Math.trunc(statusCode / 100)}xx` : 'none';
}
