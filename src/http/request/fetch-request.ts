// Converts between the gateway's own types and Request and Response of the Fetch standard, for callers in this process.

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Reservation } from '../../work/reservation.ts';
import { type FinishedResponse, isInPieces, isWhole } from '../response/send-response.ts';
import { HttpRequester } from './clients/http-requester.ts';
import type { Clients } from './clients/identify-client.ts';
import type { HttpRequest } from './exchange.ts';
import { bodyTooLarge, limited } from './node-request.ts';

/** In place of a client's address: all callers in this process without an API key are one client. */
const ADDRESS = 'in-process';

export function fromFetchRequest(request: Request, clients: Clients, work: Reservation): HttpRequest {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header,
    requester: new HttpRequester({ address: ADDRESS, header }, clients),
    signal: request.signal,
    work,
    bodyParts: (maxBytes) =>
      limited(request.body ? Readable.fromWeb(request.body as ReadableStream) : Readable.from([]), maxBytes),
    async body(maxBytes) {
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > maxBytes) throw bodyTooLarge();
      return bytes;
    },
  };
}

/** @param onEnd called when the caller has read all parts of the body; for a complete body, called at once */
export function toFetchResponse(
  { status, headers: list, body }: FinishedResponse,
  onEnd: () => void,
): Response {
  const headers = new Headers();
  for (let at = 0; at < list.length; at += 2) headers.set(list[at] ?? '', list[at + 1] ?? '');
  if (body !== null && !isWhole(body))
    return new Response(Readable.toWeb(Readable.from(ended(body, onEnd))) as BodyInit, { status, headers });
  onEnd();
  return new Response(isInPieces(body) ? Buffer.concat(body) : (body as BodyInit | null), {
    status,
    headers,
  });
}

async function* ended(parts: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } finally {
    onEnd();
  }
}
