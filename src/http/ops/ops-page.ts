// Makes the handlers of `/healthz`, `/readyz` and `/metrics`: only GET and HEAD, and no cache keeps the response.

import type { Log } from '../../log.ts';
import type { Soon } from '../../time.ts';
import type { Handler, HttpResponse } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/failure-headers.ts';

export interface OpsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Responds with 405 to all methods except GET and HEAD, and with 503 if `answer` throws or rejects.
 * @param name for the log
 */
export function createOpsPage(name: string, log: Log, answer: () => Soon<OpsAnswer>): Handler {
  return async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed();
    try {
      const { status, contentType, body } = await answer();
      return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
    } catch (error) {
      log.error({ err: error }, `${name} failed`);
      return UNAVAILABLE;
    }
  };
}

const UNAVAILABLE: HttpResponse = {
  status: 503,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'This page has failed. The error has been logged.\n',
};

/** One JSON object on one line. */
export function jsonLine(status: number, value: object): OpsAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
