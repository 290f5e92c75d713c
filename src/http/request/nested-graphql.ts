// Asks the GraphQL endpoint on behalf of a request to another face: its client pays, its signal ends it, and its
// reservation covers it.

import { setMaxListeners } from 'node:events';
import { parseResponse, type SendOperation } from '../../tools/gateway-client/send-operation.ts';
import { NestedReservation } from '../../work/reservation.ts';
import type { Answer, Handler, HttpRequest } from './exchange.ts';
import { bodyTooLarge } from './node-request.ts';

const PATH = '/graphql';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json',
};

/**
 * @param graphql answers at `/graphql`
 * @param reservedBytes what the request has reserved for all operations on its behalf
 */
export function askOnBehalf(
  { requester, signal: gone, work: outer }: HttpRequest,
  graphql: Handler,
  reservedBytes: number,
): SendOperation {
  const nested = { reservedBytes, usedBytes: 0 };
  return async (query, variables, signal = gone) => {
    // Each operation waits on it; to Node more than ten listeners look like a leak.
    setMaxListeners(0, signal);
    const bytes = Buffer.from(JSON.stringify({ query, variables }));
    const body = async (maxBytes: number): Promise<Buffer> => {
      if (bytes.length > maxBytes) throw bodyTooLarge();
      return bytes;
    };
    const work = new NestedReservation(outer, nested);
    try {
      const answer = await graphql({
        method: 'POST',
        path: PATH,
        query: '',
        header: (name) => HEADERS[name],
        requester,
        signal,
        work,
        body,
        async *bodyParts(maxBytes) {
          yield body(maxBytes);
        },
      });
      return parseResponse(jsonOf(answer.body), answer.status, PATH);
    } finally {
      work.close();
    }
  };
}

/** Null where it is none: an answer in parts was not asked for. */
function jsonOf(body: Answer['body']): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (Array.isArray(body)) return JSON.parse(Buffer.concat(body).toString());
  return null;
}
