// A large body in pieces: what is known of it as a whole, without putting it together.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Encoding } from './negotiate.ts';

export type BodyInPieces = readonly Uint8Array[];

/** The same qualities as for a body in one text. */
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
export const GZIP = { level: 4 };

export function isInPieces(body: unknown): body is BodyInPieces {
  return Array.isArray(body);
}

export function byteLengthOf(pieces: BodyInPieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
}

/** What `etag` gives for all of it in one text. */
export function weakTagOf(pieces: BodyInPieces): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return `W/"${byteLengthOf(pieces).toString(16)}-${hash.digest('base64').substring(0, 27)}"`;
}

/** Piece by piece: memory holds the body and what it becomes, no second copy of the body. */
export async function compressedPieces(
  pieces: BodyInPieces,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<BodyInPieces> {
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const compressed: Uint8Array[] = [];
  for await (const part of Readable.from(pieces).pipe(encoder)) compressed.push(part as Uint8Array);
  return compressed;
}
