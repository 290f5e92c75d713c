// Pages for machines: GET and HEAD only, never cached.

import type { Log } from '../../log.ts';
import type { Soon } from '../../time.ts';
import type { Answer, Handler } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/method-not-allowed.ts';

export interface OpsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Returns 405 for every method except GET and HEAD, and 503 if `answer` fails.
 * @param name the name of the page in the log
 */
export function createOpsPage(name: string, log: Log, answer: () => Soon<OpsAnswer>): Handler {
  return async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed();
    try {
      const { status, contentType, body } = await answer();
      return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
    } catch (error) {
      log.error({ err: error }, `${name} cannot be answered`);
      return UNAVAILABLE;
    }
  };
}

const UNAVAILABLE: Answer = {
  status: 503,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'No answer can be given now.\n',
};

/** One JSON object on one line. */
export function jsonLine(status: number, value: object): OpsAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
