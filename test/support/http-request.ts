// A request as the handlers get it, without a server.

import { Readable } from 'node:stream';
import { createClientBudgets } from '../../src/http/request/clients/client-budgets.ts';
import { HttpRequester } from '../../src/http/request/clients/http-requester.ts';
import { createClients } from '../../src/http/request/clients/identify-client.ts';
import type { Handler, HttpRequest, HttpResponse } from '../../src/http/request/exchange.ts';
import { UNLIMITED_RESERVATION } from './unlimited-memory.ts';

export interface RequestParts {
  readonly method?: string;
  /** the headers by their names in lower case */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Every client is accepted, without a limit. */
export const ANY_CLIENT = createClients({
  trustedProxies: [],
  keys: () => null,
  isPublic: true,
  budgets: createClientBudgets({ redis: null }),
  policy: null,
  clock: Date.now,
});

/** @param target path and query, as they go over the wire */
export function createHttpRequest(target: string, parts: RequestParts = {}): HttpRequest {
  const { method = 'GET', headers = {}, body = '', signal = new AbortController().signal } = parts;
  const [path = '', ...query] = target.split('?');
  const header = (name: string) => headers[name];
  return {
    method,
    path,
    query: query.join('?'),
    header,
    requester: new HttpRequester({ address: '127.0.0.1', header }, ANY_CLIENT),
    body: async () => Buffer.from(body),
    bodyParts: () => Readable.from([Buffer.from(body)]),
    signal,
    reservation: UNLIMITED_RESERVATION,
  };
}

/** The response of a handler, with its body as bytes. */
export async function responseOf(
  handler: Handler,
  target: string,
  parts?: RequestParts,
): Promise<Omit<HttpResponse, 'body'> & { readonly body: Buffer; readonly text: string }> {
  const { status, headers, body } = await handler(createHttpRequest(target, parts));
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new Error('The body comes in parts.');
  }
  const bytes = Buffer.from(body ?? '');
  return { status, headers, body: bytes, text: bytes.toString('utf8') };
}
