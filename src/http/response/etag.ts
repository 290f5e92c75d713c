// The ETag of a response, and whether the client's copy is still fresh.

import { createHash } from 'node:crypto';
import etag from 'etag';
import fresh from 'fresh';
import type { Answer, HttpRequest } from '../request/exchange.ts';
import { type BodyInPieces, byteLengthOf, isInPieces } from './body-in-pieces.ts';

/** The same tag that `etag` makes for the joined pieces. */
function weakTagOf(pieces: BodyInPieces): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return `W/"${byteLengthOf(pieces).toString(16)}-${hash.digest('base64').substring(0, 27)}"`;
}

/** The weak ETag of a response to GET or HEAD that caches may keep, else null. */
export function tagOf({ method }: HttpRequest, { status, headers, body }: Answer): string | null {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return null;
  if (headers['ETag'] !== undefined) return headers['ETag'];
  const isKept = headers['Cache-Control']?.startsWith('public') ?? false;
  if (!isKept) return null;
  if (isInPieces(body)) return weakTagOf(body);
  return typeof body === 'string' ? etag(body, { weak: true }) : null;
}

export function isCopyFresh(request: HttpRequest, tag: string): boolean {
  const known = request.header('if-none-match');
  // With Cache-Control: no-cache, the client wants a new response even if its copy is fresh.
  const condition = { 'if-none-match': known, 'cache-control': request.header('cache-control') };
  return known !== undefined && fresh(condition, { etag: tag });
}
