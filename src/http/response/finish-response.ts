// Finishes a response: the headers for CORS and for the client, ETag or status 304, and the compression of the body.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { Soon } from '../../time.ts';
import type { HttpRequester } from '../request/clients/http-requester.ts';
import type { HttpRequest, HttpResponse } from '../request/exchange.ts';
import { preferredEncoding } from './negotiate.ts';
import {
  bytesOf,
  type FinishedResponse,
  isInPieces,
  isWhole,
  partsOf,
  type WholeBody,
} from './send-response.ts';

type Headers = HttpResponse['headers'];

/** Shorter bodies are not compressed. They need only a few packets, so compression would save nothing. */
const COMPRESSED_FROM_BYTES = 4_096;

/** The levels are low and fast, because each body is compressed while its client waits. */
const encoders = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
};

/** Every website can read the response, because the service is public. Browsers send no cookies. */
export const OPEN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
];

/** Other websites cannot read the response. */
const CLOSED_HEADERS = ['Cross-Origin-Resource-Policy', 'same-origin', 'X-Content-Type-Options', 'nosniff'];

/** Properties of a route that decide about headers of its responses. */
export interface ResponseRules {
  /** whether responses have headers for the client, such as the state of its budget */
  readonly isForClient: boolean;
  /** Whether the path contains a secret, so that other websites must not read the response. Default: false. */
  readonly isSecret?: boolean;
}

export function finishResponse(
  request: HttpRequest,
  response: HttpResponse,
  { isForClient, isSecret }: ResponseRules,
): Soon<FinishedResponse> {
  const { status, body } = response;
  const { requester } = request;
  const common = isSecret ? CLOSED_HEADERS : OPEN_HEADERS;
  const first = [...common, ...requestHeaders(requester, status, isForClient)];
  const headers =
    isForClient && requester.clients.haveKeys
      ? headersForKeys(response.headers, requester.client)
      : response.headers;
  if (!isWhole(body))
    return { status, headers: flatten(first, headers), body, bytes: body === null ? 0 : null };
  const bytes = bytesOf(body);
  const mayCompress = bytes >= COMPRESSED_FROM_BYTES && headers['Content-Encoding'] === undefined;
  // A response with status 304 needs Vary too, because a cache copies its headers to the stored response.
  const varied = mayCompress ? { ...headers, Vary: varyWith(headers['Vary'], 'Accept-Encoding') } : headers;
  const tag = tagOf(request, response);
  const tagged = tag === null || headers['ETag'] !== undefined ? varied : { ...varied, ETag: tag };
  if (tag !== null && isCopyFresh(request, tag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = tagged;
    return { status: 304, headers: flatten(first, kept), body: null, bytes: 0 };
  }
  const encoding = mayCompress ? preferredEncoding(request) : 'identity';
  // If the memory is too small for the encoder, the gateway sends the body uncompressed.
  if (
    encoding === 'identity' ||
    request.method === 'HEAD' ||
    !request.reservation.growResponse(RESERVED_BYTES.encoder + bytes)
  ) {
    return withLength(status, flatten(first, tagged), body, bytes);
  }
  return compress(body, encoding).then((pieces) => {
    const encoded = flatten(first, { ...tagged, 'Content-Encoding': encoding });
    return withLength(status, encoded, pieces, bytesOf(pieces));
  });
}

function withLength(status: number, headers: string[], body: WholeBody, bytes: number): FinishedResponse {
  headers.push('Content-Length', String(bytes));
  return { status, headers, body, bytes };
}

/** Compresses part by part, because joined parts would be a second copy of the body. */
async function compress(body: WholeBody, encoding: keyof typeof encoders): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of Readable.from(partsOf(body)).pipe(encoders[encoding]())) pieces.push(piece);
  return pieces;
}

/** A list of alternating names and values: first the list `first`, then `headers`. */
export function flatten(first: readonly string[], headers: Headers): string[] {
  const list = [...first];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

/** X-Request-Id, and the headers of the client's budget, as alternating names and values. */
function requestHeaders(requester: HttpRequester, status: number, isForClient: boolean): readonly string[] {
  const id = ['X-Request-Id', requester.requestId];
  // A redirect has no budget headers: if these say that no look-ups remain, some clients do not follow the redirect.
  if (!isForClient || !requester.clients.affectHeaders || (status >= 300 && status < 400)) return id;
  const { budget } = requester.client;
  return budget === null ? id : [...id, ...budget.headers];
}

/**
 * Changes the cache headers if the gateway has API keys. `Vary` says that the response depends on the key. The response
 * to a client with a key is `private`, so that shared caches do not keep it.
 */
function headersForKeys(headers: Headers, { hasKey }: HttpRequester['client']): Headers {
  const { 'Cache-Control': control, Vary: vary } = headers;
  return {
    ...headers,
    Vary: varyWith(vary, 'Authorization'),
    ...(hasKey &&
      control?.startsWith('public,') && { 'Cache-Control': control.replace('public', 'private') }),
  };
}

function varyWith(vary: string | undefined, name: string): string {
  if (vary === undefined) return name;
  return vary.includes(name) ? vary : `${vary}, ${name}`;
}

/** The ETag of a GET or HEAD with status 200 that has its own ETag or a public Cache-Control. Else null. */
function tagOf({ method }: HttpRequest, { status, headers, body }: HttpResponse): string | null {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return null;
  if (headers['ETag'] !== undefined) return headers['ETag'];
  const isKept = headers['Cache-Control']?.startsWith('public') ?? false;
  if (!isKept) return null;
  if (isInPieces(body)) return weakTagOf(body);
  return typeof body === 'string' ? etag(body, { weak: true }) : null;
}

/** Makes the same tag that the package `etag` would make of the joined pieces. */
function weakTagOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return `W/"${bytesOf(pieces).toString(16)}-${hash.digest('base64').substring(0, 27)}"`;
}

/** Whether the client's copy is still fresh. */
function isCopyFresh(request: HttpRequest, tag: string): boolean {
  const known = request.header('if-none-match');
  // `fresh` returns false if the client sends Cache-Control: no-cache, because the client then wants a new response.
  const condition = { 'if-none-match': known, 'cache-control': request.header('cache-control') };
  return known !== undefined && fresh(condition, { etag: tag });
}
