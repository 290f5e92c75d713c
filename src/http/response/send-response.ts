// What is the same for the answers of all faces: who may read them, whether a client's copy is still good,
// compression, and how they are written.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Soon } from '../../time.ts';
import { headersForKeys, requestHeaders } from '../request/clients/client-headers.ts';
import type { Answer, HttpRequest } from '../request/exchange.ts';
import { type BodyInPieces, byteLengthOf, isInPieces } from './body-in-pieces.ts';
import { isCopyGood, tagOf } from './etag.ts';
import { type Encoding, preferredEncoding } from './negotiate.ts';

/** The same qualities as for a body in one text. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

/** Piece by piece: memory holds the body and what it becomes, no second copy of the body. */
async function compressedPieces(
  pieces: BodyInPieces,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<BodyInPieces> {
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const compressed: Uint8Array[] = [];
  for await (const part of Readable.from(pieces).pipe(encoder)) compressed.push(part as Uint8Array);
  return compressed;
}

/** A packet or two: to compress less saves nothing. */
const COMPRESSED_FROM_BYTES = 4_096;

/** What compressing takes beside the body and what it becomes. */
const ENCODER_BYTES = 1_000_000;

/** CORS for a public, read-only service: any origin, never with credentials. */
export const OPEN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
];

/** No page of another origin gets to see it. */
const CLOSED_HEADERS = ['Cross-Origin-Resource-Policy', 'same-origin', 'X-Content-Type-Options', 'nosniff'];

// Each body is different, and a client waits for it: so fast rather than small.
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
    gzip: (bytes) => promisify(gzip)(bytes, GZIP),
  };

/** An answer as it goes over the wire: header names and values in turn, as node:http takes them soonest. */
export interface FinishedAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Answer['body'];
  /** of a whole body; null where it comes in parts */
  readonly bytes: number | null;
}

/** The properties that all answers of a route share. */
export interface AnswerRules {
  /** whether its answers depend on who asks */
  readonly isForClient: boolean;
  /** its path contains a secret, and pages of other origins may not use it; left out: they may */
  readonly isSecret?: boolean;
}

/** The answer as it is sent. */
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
  // For a 304 too: a cache copies its headers to the stored response.
  const varied = mayCompress ? { ...headers, Vary: withEncoding(headers['Vary']) } : headers;
  const tag = tagOf(request, answer);
  if (tag !== null && isCopyGood(request, tag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = varied;
    return { status: 304, headers: flat(kept, named, 'ETag', tag), body: null, bytes: 0 };
  }
  const tagged = tag === null || headers['ETag'] !== undefined ? varied : { ...varied, ETag: tag };
  const encoding = mayCompress ? preferredEncoding(request) : 'identity';
  // Uncompressed rather than not at all.
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

/** All of it is there. */
type WholeBody = Exclude<Answer['body'], AsyncIterable<Uint8Array> | null>;

function isWhole(body: Answer['body']): body is WholeBody {
  return typeof body === 'string' || body instanceof Uint8Array || isInPieces(body);
}

function bytesOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return isInPieces(body) ? byteLengthOf(body) : body.byteLength;
}

/** Names and values in turn, then those of this answer, and one more that was found out last. */
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

/** The socket gets at most so many bytes of a body at a time. */
const PART_BYTES = 65_536;

/**
 * Sends an answer. A long one, and one in parts, is written as fast as the client takes it; it is cut short where a
 * part fails. The promise resolves when no more parts come.
 */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body, bytes }: FinishedAnswer,
): Promise<void> | undefined {
  // What is set, not only written, can be read again: the limits of connections count it.
  const isLong = bytes !== null && bytes > PART_BYTES;
  if (isLong) response.setHeader('Content-Length', bytes);
  response.writeHead(status, headers as string[]);
  if (body !== null && (isLong || !isWhole(body))) {
    return writeParts(response, isWhole(body) ? partsOf(body) : body).catch(() => void response.destroy());
  }
  if (typeof body === 'string' && response.socket !== null) sendText(response, response.socket, body);
  // Node itself leaves out the body of an answer to HEAD.
  else response.end(isInPieces(body) ? Buffer.concat(body) : body);
  return undefined;
}

/**
 * Releases what the body of a response in parts has opened, if its client left before the head was sent. Resolves when
 * the body has ended; undefined: the body is whole.
 */
export function dropResponse({ body }: FinishedAnswer): Promise<void> | undefined {
  return body === null || isWhole(body) ? undefined : takeOnePart(body).catch(() => undefined);
}

/** Only a body that has begun can end: a generator that was never read does not run its `finally`. */
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
 * Head and body in one write: `end` would write what it ends with, which is nothing, as a second part, and to send two
 * parts takes half as long again.
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
  let goOn = (): void => undefined;
  response.on('drain', () => goOn()).on('close', () => goOn());
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
  }
  response.end();
}
