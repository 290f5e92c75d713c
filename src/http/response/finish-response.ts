// Adds the headers for CORS and for the client to a response, decides about ETag and status 304, compresses the body.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
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

/** The memory that an encoder itself needs. */
const ENCODER_BYTES = 1_000_000;

/** Low levels, which are fast: each body is compressed only once, while its client waits. */
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
  const named = [...common, ...requestHeaders(requester, status, isForClient)];
  const headers =
    isForClient && requester.clients.haveKeys
      ? headersForKeys(response.headers, requester.client)
      : response.headers;
  if (!isWhole(body)) return { status, headers: flat(named, headers), body, bytes: body === null ? 0 : null };
  const bytes = bytesOf(body);
  const mayCompress = bytes >= COMPRESSED_FROM_BYTES && headers['Content-Encoding'] === undefined;
  // A response with status 304 needs Vary too, because a cache copies its headers to the stored response.
  const varied = mayCompress ? { ...headers, Vary: varyWith(headers['Vary'], 'Accept-Encoding') } : headers;
  const tag = tagOf(request, response);
  const tagged = tag === null || headers['ETag'] !== undefined ? varied : { ...varied, ETag: tag };
  if (tag !== null && isCopyFresh(request, tag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = tagged;
    return { status: 304, headers: flat(named, kept), body: null, bytes: 0 };
  }
  const encoding = mayCompress ? preferredEncoding(request) : 'identity';
  // If the gateway has too little memory for the encoder, it sends the body uncompressed.
  if (
    encoding === 'identity' ||
    request.method === 'HEAD' ||
    !request.work.growResponse(ENCODER_BYTES + bytes)
  ) {
    return complete(status, flat(named, tagged), body, bytes);
  }
  return compressed(body, encoding).then((pieces) =>
    complete(status, flat(named, { ...tagged, 'Content-Encoding': encoding }), pieces, bytesOf(pieces)),
  );
}

function complete(status: number, headers: string[], body: WholeBody, bytes: number): FinishedResponse {
  headers.push('Content-Length', String(bytes));
  return { status, headers, body, bytes };
}

/** Compresses part by part, because a body in one piece would be a second copy of the body. */
async function compressed(body: WholeBody, encoding: keyof typeof encoders): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of Readable.from(partsOf(body)).pipe(encoders[encoding]())) pieces.push(piece);
  return pieces;
}

/** A list of alternating names and values: first the list `named`, then `headers`. */
export function flat(named: readonly string[], headers: Headers): string[] {
  const list = [...named];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

/** X-Request-Id, and the headers of the client's budget, as alternating names and values. */
function requestHeaders(requester: HttpRequester, status: number, isForClient: boolean): readonly string[] {
  const named = ['X-Request-Id', requester.requestId];
  // A redirect has no budget headers. Some clients would not follow it if the headers say that no look-ups remain.
  if (!isForClient || !requester.clients.affectHeaders || (status >= 300 && status < 400)) return named;
  const { budget } = requester.client;
  return budget === null ? named : [...named, ...budget.headers];
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

/** Null unless caches can keep the response: status 200 for GET or HEAD, with a public Cache-Control. */
function tagOf({ method }: HttpRequest, { status, headers, body }: HttpResponse): string | null {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return null;
  if (headers['ETag'] !== undefined) return headers['ETag'];
  const isKept = headers['Cache-Control']?.startsWith('public') ?? false;
  if (!isKept) return null;
  if (isInPieces(body)) return weakTagOf(body);
  return typeof body === 'string' ? etag(body, { weak: true }) : null;
}

/** The package `etag` would make the same tag from the joined pieces. */
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
