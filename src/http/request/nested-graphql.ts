// Executes GraphQL operations in this process for another HTTP request, for example of a tool at `/mcp`. The operations
// use the client, the budget, the abort signal and the reserved memory of this request.

import { setMaxListeners } from 'node:events';
import { parseResponse, type SendOperation } from '../../tools/gateway-client/send-operation.ts';
import { NestedReservation } from '../../work/reservation.ts';
import type { Handler, HttpRequest, HttpResponse } from './exchange.ts';
import { bodyTooLarge } from './node-request.ts';

const PATH = '/graphql';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json',
};

/**
 * Returns a function that executes operations for this request.
 * @param graphql the handler of `/graphql`
 * @param reservedBytes the memory that the request has reserved for all its operations together
 */
export function sendOnBehalfOf(
  { requester, signal: outerSignal, work: outerWork }: HttpRequest,
  graphql: Handler,
  reservedBytes: number,
): SendOperation {
  const nested = { reservedBytes, usedBytes: 0 };
  return async (query, variables, signal = outerSignal) => {
    // Each operation adds a listener. Without this line, Node warns of a leak at more than ten listeners.
    setMaxListeners(0, signal);
    const bytes = Buffer.from(JSON.stringify({ query, variables }));
    const body = async (maxBytes: number): Promise<Buffer> => {
      if (bytes.length > maxBytes) throw bodyTooLarge();
      return bytes;
    };
    const work = new NestedReservation(outerWork, nested);
    try {
      const response = await graphql({
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
      return parseResponse(jsonOf(response.body), response.status, PATH);
    } finally {
      work.close();
    }
  };
}

/** Null for a response in parts, which cannot occur: HEADERS accept only JSON. */
function jsonOf(body: HttpResponse['body']): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (Array.isArray(body)) return JSON.parse(Buffer.concat(body).toString());
  return null;
}
