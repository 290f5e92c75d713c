// Adds CORS headers and the ETag to a response, compresses it, and writes it to the client.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Soon } from '../../time.ts';
import { headersForKeys, requestHeaders } from '../request/clients/client-headers.ts';
import type { HttpRequest, HttpResponse } from '../request/exchange.ts';
import { type BodyInPieces, byteLengthOf, isInPieces } from './body-in-pieces.ts';
import { isCopyFresh, tagOf } from './etag.ts';
import { type Encoding, preferredEncoding } from './negotiate.ts';

/** Low levels, which are fast: each body is compressed only once, while its client waits. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

/** Compresses piece by piece, because joined pieces would be a second copy of the body. */
async function compressedPieces(
  pieces: BodyInPieces,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<BodyInPieces> {
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const compressed: Uint8Array[] = [];
  for await (const part of Readable.from(pieces).pipe(encoder)) compressed.push(part as Uint8Array);
  return compressed;
}

/** Shorter bodies are not compressed. They need only a few packets, so compression would save nothing. */
const COMPRESSED_FROM_BYTES = 4_096;

/** The memory that an encoder itself needs. */
const ENCODER_BYTES = 1_000_000;

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

const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
    gzip: (bytes) => promisify(gzip)(bytes, GZIP),
  };

/** A response that is ready to be sent. */
export interface FinishedResponse {
  readonly status: number;
  /** Alternating names and values, because node:http writes this form fastest. */
  readonly headers: readonly string[];
  readonly body: HttpResponse['body'];
  /** the length of a complete body; null if the body comes in parts */
  readonly bytes: number | null;
}

/** Properties of a route that decide about headers of its responses. */
export interface ResponseRules {
  /** whether responses have headers for the client, such as the state of its budget */
  readonly isForClient: boolean;
  /** Whether the path contains a secret, so that other websites must not read the response. Default: false. */
  readonly isSecret?: boolean;
}

export function finishResponse(
  request: HttpRequest,
  answer: HttpResponse,
  { isForClient, isSecret }: ResponseRules,
): Soon<FinishedResponse> {
  const { status, body } = answer;
  const { requester } = request;
  const common = isSecret ? CLOSED_HEADERS : OPEN_HEADERS;
  const named = [...common, ...requestHeaders(requester, status, isForClient)];
  const headers =
    isForClient && requester.clients.haveKeys
      ? headersForKeys(answer.headers, requester.client)
      : answer.headers;
  if (!isWhole(body)) return { status, headers: flat(headers, named), body, bytes: body === null ? 0 : null };
  const bytes = bytesOf(body);
  const mayCompress = bytes >= COMPRESSED_FROM_BYTES && headers['Content-Encoding'] === undefined;
  // A response with status 304 needs Vary too, because a cache copies its headers to the stored response.
  const varied = mayCompress ? { ...headers, Vary: withEncoding(headers['Vary']) } : headers;
  const tag = tagOf(request, answer);
  if (tag !== null && isCopyFresh(request, tag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = varied;
    return { status: 304, headers: flat(kept, named, 'ETag', tag), body: null, bytes: 0 };
  }
  const tagged = tag === null || headers['ETag'] !== undefined ? varied : { ...varied, ETag: tag };
  const encoding = mayCompress ? preferredEncoding(request) : 'identity';
  // If the gateway has too little memory for the encoder, it sends the body uncompressed.
  if (
    encoding === 'identity' ||
    request.method === 'HEAD' ||
    !request.work.growResponse(ENCODER_BYTES + bytes)
  ) {
    return { status, headers: flat(tagged, named, 'Content-Length', String(bytes)), body, bytes };
  }
  return compressed(status, tagged, named, body, encoding);
}

async function compressed(
  status: number,
  headers: HttpResponse['headers'],
  named: readonly string[],
  whole: WholeBody,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<FinishedResponse> {
  const body = isInPieces(whole)
    ? await compressedPieces(whole, encoding)
    : await encoders[encoding](Buffer.from(whole as string));
  const encoded = { ...headers, 'Content-Encoding': encoding };
  const bytes = bytesOf(body);
  return { status, headers: flat(encoded, named, 'Content-Length', String(bytes)), body, bytes };
}

type WholeBody = Exclude<HttpResponse['body'], AsyncIterable<Uint8Array> | null>;

function isWhole(body: HttpResponse['body']): body is WholeBody {
  return typeof body === 'string' || body instanceof Uint8Array || isInPieces(body);
}

function bytesOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return isInPieces(body) ? byteLengthOf(body) : body.byteLength;
}

/**
 * A list of alternating names and values: first the list `named`, then `headers`. Then one more header, if `headers`
 * does not have it.
 */
export function flat(
  headers: HttpResponse['headers'],
  named: readonly string[],
  name?: string,
  value?: string,
): string[] {
  const list = [...named];
  for (const known in headers) {
    const text = headers[known];
    if (text !== undefined) list.push(known, text);
  }
  if (name !== undefined && headers[name] === undefined) list.push(name, value as string);
  return list;
}

function withEncoding(vary: string | undefined): string {
  if (vary === undefined) return 'Accept-Encoding';
  return vary.includes('Accept-Encoding') ? vary : `${vary}, Accept-Encoding`;
}

/** The gateway writes at most this many bytes of a body to the socket at once. */
const PART_BYTES = 65_536;

/**
 * Writes a long body, or a body in parts, as fast as the client reads. Returns a promise for the end of such a body,
 * else undefined. If a part fails, destroys the connection, so that the client notices the missing end.
 */
export function sendResponse(
  response: ServerResponse,
  { status, headers, body, bytes }: FinishedResponse,
): Promise<void> | undefined {
  // The limits for slow clients read this header with `getHeader`. It does not return headers of `writeHead`.
  const isLong = bytes !== null && bytes > PART_BYTES;
  if (isLong) response.setHeader('Content-Length', bytes);
  response.writeHead(status, headers as string[]);
  if (body !== null && (isLong || !isWhole(body))) {
    return writeParts(response, isWhole(body) ? partsOf(body) : body).catch(() => void response.destroy());
  }
  if (typeof body === 'string' && response.socket !== null) sendText(response, response.socket, body);
  // In response to HEAD, Node omits the body.
  else response.end(isInPieces(body) ? Buffer.concat(body) : body);
  return undefined;
}

/**
 * Call it if the client left before its response was sent. Ends a body in parts, so that the body frees its resources,
 * and returns a promise for its end. Undefined for a complete body.
 */
export function dropResponse({ body }: FinishedResponse): Promise<void> | undefined {
  return body === null || isWhole(body) ? undefined : takeOnePart(body).catch(() => undefined);
}

/** Reads one part, because a generator runs its `finally` only after its first part. */
async function takeOnePart(parts: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of parts) return;
}

function* partsOf(body: WholeBody): Generator<Uint8Array> {
  const pieces = isInPieces(body) ? body : [typeof body === 'string' ? Buffer.from(body) : body];
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += PART_BYTES) yield piece.subarray(at, at + PART_BYTES);
  }
}

/** Sends head and body in one write. `response.end(body)` would write a second, empty part, which takes time. */
function sendText(response: ServerResponse, socket: Socket, body: string): void {
  socket.cork();
  response.write(body);
  socket.uncork();
  response.end();
}

async function writeParts(
  response: ServerResponse,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let resume = (): void => undefined;
  response.on('drain', () => resume()).on('close', () => resume());
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
  }
  response.end();
}
