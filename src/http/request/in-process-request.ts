// Requests that this process makes itself: a Request of the Fetch standard, or an operation of a tool at `/mcp`.

import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { NestedReservation, type Reservation } from '../../memory/reservation.ts';
import { parseResponse, type SendOperation } from '../../tools/gateway-client/send-operation.ts';
import { type FinishedResponse, isInPieces, isWhole } from '../response/send-response.ts';
import { HttpRequester } from './clients/http-requester.ts';
import type { Clients } from './clients/identify-client.ts';
import { bodyTooLarge, limitBytes } from './collected-body.ts';
import type { Handler, HttpRequest, HttpResponse } from './exchange.ts';
import { bodyEncodingOf, readUnpacked } from './unpack-body.ts';

/** In place of a client's address: all callers in this process without an API key are one client. */
const ADDRESS = 'in-process';

export function fromFetchRequest(request: Request, clients: Clients, reservation: Reservation): HttpRequest {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header,
    requester: new HttpRequester({ address: ADDRESS, header }, clients),
    signal: request.signal,
    reservation,
    bodyParts: (maxBytes) => limitBytes(partsOf(request), maxBytes),
    body: async (maxBytes) => {
      const encoding = bodyEncodingOf({ header });
      if (encoding !== 'identity') return readUnpacked(partsOf(request), encoding, maxBytes);
      return checkSize(Buffer.from(await request.arrayBuffer()), maxBytes);
    },
  };
}

function partsOf({ body }: Request): Readable {
  return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
}

/** @param onEnd called when the caller stops reading the parts of the body; for a complete body, called at once */
export function toFetchResponse(
  { status, headers: list, body }: FinishedResponse,
  onEnd: () => void,
): Response {
  const headers = new Headers();
  for (let at = 0; at < list.length; at += 2) headers.set(list[at] ?? '', list[at + 1] ?? '');
  if (body !== null && !isWhole(body))
    return new Response(Readable.toWeb(Readable.from(withEnd(body, onEnd))) as BodyInit, { status, headers });
  onEnd();
  return new Response(isInPieces(body) ? Buffer.concat(body) : (body as BodyInit | null), {
    status,
    headers,
  });
}

async function* withEnd(parts: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } finally {
    onEnd();
  }
}

function checkSize(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length > maxBytes) throw bodyTooLarge();
  return bytes;
}

const PATH = '/graphql';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json',
};

/**
 * Returns a function that executes operations for this request. They use its client, its budget, its abort signal and
 * its reserved memory.
 * @param graphql the handler of `/graphql`
 * @param reservedBytes the memory that the request has reserved for all its operations together
 */
export function sendOnBehalfOf(
  { requester, signal: outerSignal, reservation: outerReservation }: HttpRequest,
  graphql: Handler,
  reservedBytes: number,
): SendOperation {
  const nested = { reservedBytes, usedBytes: 0 };
  return async (query, variables, signal = outerSignal) => {
    // Each operation adds a listener. Without this line, Node warns of a leak at more than ten listeners.
    setMaxListeners(0, signal);
    const bytes = Buffer.from(JSON.stringify({ query, variables }));
    const reservation = new NestedReservation(outerReservation, nested);
    try {
      const response = await graphql({
        method: 'POST',
        path: PATH,
        query: '',
        header: (name) => HEADERS[name],
        requester,
        signal,
        reservation,
        body: async (maxBytes) => checkSize(bytes, maxBytes),
        async *bodyParts(maxBytes) {
          yield checkSize(bytes, maxBytes);
        },
      });
      return parseResponse(jsonOf(response.body), response.status, PATH);
    } finally {
      reservation.close();
    }
  };
}

/** Null for a response in parts. Such a response cannot occur, because HEADERS accept only JSON. */
function jsonOf(body: HttpResponse['body']): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (Array.isArray(body)) return JSON.parse(Buffer.concat(body).toString());
  return null;
}
