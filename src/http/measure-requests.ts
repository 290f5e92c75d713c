// How many requests there are of which kind, how they end, and how long they take.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Metrics } from '../metrics.ts';
import { faceOf } from './face-of.ts';
import { rawTarget } from './rest/rest-listener.ts';

/** Measures from a request's head to the last byte of its answer, or to the client's going away. */
export function measureRequests(
  listener: RequestListener,
  { httpSeconds, httpInFlight }: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>,
): RequestListener {
  return (request, response) => {
    const [path = ''] = rawTarget(request.url ?? '/').split('?');
    const face = faceOf(path);
    const stop = httpSeconds.startTimer({ face });
    httpInFlight.inc({ face });
    response.once('close', () => {
      stop({ status: statusClass(response) });
      httpInFlight.dec({ face });
    });
    listener(request, response);
  };
}

/** `none` where the client was gone before there was an answer. */
function statusClass({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? `${Math.trunc(statusCode / 100)}xx` : 'none';
}
