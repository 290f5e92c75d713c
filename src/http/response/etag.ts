// Makes the ETag of a response, and decides about status 304: whether the client's copy is still fresh.

import { createHash } from 'node:crypto';
import etag from 'etag';
import fresh from 'fresh';
import type { HttpRequest, HttpResponse } from '../request/exchange.ts';
import { type BodyInPieces, byteLengthOf, isInPieces } from './body-in-pieces.ts';

/** The package `etag` would make the same tag from the joined pieces. */
function weakTagOf(pieces: BodyInPieces): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return `W/"${byteLengthOf(pieces).toString(16)}-${hash.digest('base64').substring(0, 27)}"`;
}

/** Null unless caches can keep the response: status 200 for GET or HEAD, with a public Cache-Control. */
export function tagOf({ method }: HttpRequest, { status, headers, body }: HttpResponse): string | null {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return null;
  if (headers['ETag'] !== undefined) return headers['ETag'];
  const isKept = headers['Cache-Control']?.startsWith('public') ?? false;
  if (!isKept) return null;
  if (isInPieces(body)) return weakTagOf(body);
  return typeof body === 'string' ? etag(body, { weak: true }) : null;
}

export function isCopyFresh(request: HttpRequest, tag: string): boolean {
  const known = request.header('if-none-match');
  // `fresh` returns false if the client sends Cache-Control: no-cache, because the client then wants a new response.
  const condition = { 'if-none-match': known, 'cache-control': request.header('cache-control') };
  return known !== undefined && fresh(condition, { etag: tag });
}
