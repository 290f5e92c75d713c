// Finishes and sends every response: CORS, ETag, compression, and writing.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Soon } from '../../time.ts';
import { headersForKeys, requestHeaders } from '../request/clients/client-headers.ts';
import type { Answer, HttpRequest } from '../request/exchange.ts';
import { type BodyInPieces, byteLengthOf, isInPieces } from './body-in-pieces.ts';
import { isCopyFresh, tagOf } from './etag.ts';
import { type Encoding, preferredEncoding } from './negotiate.ts';

/** Fast rather than small, because each body is different and a client waits for it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

/** Compresses piece by piece, so that memory holds no second copy of the body. */
async function compressedPieces(
  pieces: BodyInPieces,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<BodyInPieces> {
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const compressed: Uint8Array[] = [];
  for await (const part of Readable.from(pieces).pipe(encoder)) compressed.push(part as Uint8Array);
  return compressed;
}

/** Shorter bodies fit in a few packets, so compression saves nothing. */
const COMPRESSED_FROM_BYTES = 4_096;

/** The memory of an encoder, without the body and the compressed body. */
const ENCODER_BYTES = 1_000_000;

/** CORS for a public, read-only service: any origin, without credentials. */
export const OPEN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
];

/** Pages of other origins cannot read the response. */
const CLOSED_HEADERS = ['Cross-Origin-Resource-Policy', 'same-origin', 'X-Content-Type-Options', 'nosniff'];

const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
    gzip: (bytes) => promisify(gzip)(bytes, GZIP),
  };

/** A response as it is sent. Header names and values alternate, because node:http writes this form fastest. */
export interface FinishedAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Answer['body'];
  /** The length of a complete body. Null if the body comes in parts. */
  readonly bytes: number | null;
}

/** The properties that all answers of a route share. */
export interface AnswerRules {
  /** whether responses depend on the client */
  readonly isForClient: boolean;
  /** Whether the path contains a secret. If so, pages of other origins cannot use it. Default: false. */
  readonly isSecret?: boolean;
}

export function finishAnswer(
  request: HttpRequest,
  answer: Answer,
  { isForClient, isSecret }: AnswerRules,
): Soon<FinishedAnswer> {
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
  // A 304 needs Vary too, because a cache copies its headers to the stored response.
  const varied = mayCompress ? { ...headers, Vary: withEncoding(headers['Vary']) } : headers;
  const tag = tagOf(request, answer);
  if (tag !== null && isCopyFresh(request, tag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = varied;
    return { status: 304, headers: flat(kept, named, 'ETag', tag), body: null, bytes: 0 };
  }
  const tagged = tag === null || headers['ETag'] !== undefined ? varied : { ...varied, ETag: tag };
  const encoding = mayCompress ? preferredEncoding(request) : 'identity';
  // Without memory for the encoder, the body is sent uncompressed.
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
  headers: Answer['headers'],
  named: readonly string[],
  whole: WholeBody,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<FinishedAnswer> {
  const body = isInPieces(whole)
    ? await compressedPieces(whole, encoding)
    : await encoders[encoding](Buffer.from(whole as string));
  const encoded = { ...headers, 'Content-Encoding': encoding };
  const bytes = bytesOf(body);
  return { status, headers: flat(encoded, named, 'Content-Length', String(bytes)), body, bytes };
}

/** A body that is complete. */
type WholeBody = Exclude<Answer['body'], AsyncIterable<Uint8Array> | null>;

function isWhole(body: Answer['body']): body is WholeBody {
  return typeof body === 'string' || body instanceof Uint8Array || isInPieces(body);
}

function bytesOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return isInPieces(body) ? byteLengthOf(body) : body.byteLength;
}

/**
 * A list of alternating names and values: `named`, then `headers`, then one more header if `headers` does not have it.
 */
export function flat(
  headers: Answer['headers'],
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

/** The socket gets at most this many bytes of a body at once. */
const PART_BYTES = 65_536;

/**
 * Sends a response. Writes a long body, or a body in parts, as fast as the client reads. If a part fails, closes the
 * connection. The promise resolves after the last part. Undefined if nothing is left to write.
 */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body, bytes }: FinishedAnswer,
): Promise<void> | undefined {
  // `setHeader`, because the limits of connections read the length with `getHeader`.
  const isLong = bytes !== null && bytes > PART_BYTES;
  if (isLong) response.setHeader('Content-Length', bytes);
  response.writeHead(status, headers as string[]);
  if (body !== null && (isLong || !isWhole(body))) {
    return writeParts(response, isWhole(body) ? partsOf(body) : body).catch(() => void response.destroy());
  }
  if (typeof body === 'string' && response.socket !== null) sendText(response, response.socket, body);
  // For HEAD, Node itself does not send the body.
  else response.end(isInPieces(body) ? Buffer.concat(body) : body);
  return undefined;
}

/**
 * Ends a body in parts whose client left before the head was sent, so that the body frees its resources. Resolves when
 * the body has ended. Undefined if the body is complete.
 */
export function dropResponse({ body }: FinishedAnswer): Promise<void> | undefined {
  return body === null || isWhole(body) ? undefined : takeOnePart(body).catch(() => undefined);
}

/** Reads one part, because a generator runs its `finally` only if it was read. */
async function takeOnePart(parts: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of parts) return;
}

function* partsOf(body: WholeBody): Generator<Uint8Array> {
  const pieces = isInPieces(body) ? body : [typeof body === 'string' ? Buffer.from(body) : body];
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += PART_BYTES) yield piece.subarray(at, at + PART_BYTES);
  }
}

/**
 * Sends head and body in one write. With `end` alone, Node writes an empty second part. Two parts take 1.5 times as long.
 */
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
