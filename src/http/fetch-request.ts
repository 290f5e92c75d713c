// A request of the Fetch standard as every face sees it, for who asks in-process.

import { Readable } from 'node:stream';
import type { Answer, HttpRequest } from './exchange.ts';
import { bodyTooLarge } from './node-request.ts';

export function fromFetchRequest(request: Request): HttpRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    signal: request.signal,
    async body(maxBytes) {
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > maxBytes) throw bodyTooLarge();
      return bytes;
    },
  };
}

export function toFetchResponse({ status, headers, body }: Answer): Response {
  return new Response(
    isParts(body) ? (Readable.toWeb(Readable.from(body)) as BodyInit) : (body as BodyInit | null),
    {
      status,
      headers,
    },
  );
}

function isParts(body: Answer['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
