// Pages for machines: GET and HEAD only, never cached.

import type { Log } from '../../log.ts';
import type { Answer, Handler } from '../exchange.ts';

export interface OpsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Answers every method but GET and HEAD with 405, and with 503 where `answer` fails.
 * @param name by which a failure is logged
 */
export function createOpsPage(name: string, log: Log, answer: () => OpsAnswer | Promise<OpsAnswer>): Handler {
  return async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') return METHOD_NOT_ALLOWED;
    try {
      const { status, contentType, body } = await answer();
      return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
    } catch (error) {
      log.error({ err: error }, `${name} cannot be answered`);
      return UNAVAILABLE;
    }
  };
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
const METHOD_NOT_ALLOWED: Answer = {
  status: 405,
  headers: { ...TEXT, Allow: 'GET, HEAD' },
  body: 'GET or HEAD.\n',
};
const UNAVAILABLE: Answer = { status: 503, headers: TEXT, body: 'No answer can be given now.\n' };

/** One JSON object on a line of its own. */
export function jsonLine(status: number, value: object): OpsAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
