// Sends a GraphQL operation within this process, for a request to a page or to the REST face. The operation uses the
// client, the budget, the signal and the reserved memory of this request.

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
 * @param graphql the handler of `/graphql`
 * @param reservedBytes the memory that the request has reserved for all its operations
 */
export function askOnBehalf(
  { requester, signal: gone, work: outer }: HttpRequest,
  graphql: Handler,
  reservedBytes: number,
): SendOperation {
  const nested = { reservedBytes, usedBytes: 0 };
  return async (query, variables, signal = gone) => {
    // Each operation may add a listener. Node warns of a leak at more than ten.
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

/** Null for a response in parts, which the operation does not accept. */
function jsonOf(body: Answer['body']): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (Array.isArray(body)) return JSON.parse(Buffer.concat(body).toString());
  return null;
}
