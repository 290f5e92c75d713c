// What is the same for the answers of all faces: who may read them, whether a client's copy is still good,
// compression, and how they are written.

import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import type { Answer, HttpRequest } from './exchange.ts';
import { type Encoding, preferredEncoding } from './negotiate.ts';

/** A packet or two: compressing less saves nobody anything. */
const COMPRESSED_FROM_BYTES = 4_096;

/** CORS for a public, read-only service: any origin, never with credentials. */
const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

// What is compressed is different each time, and somebody waits for it: quick rather than small.
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    gzip: (bytes) => promisify(gzip)(bytes, { level: 4 }),
  };

/** The answer as it is sent. @param compresses whether what is worth it is compressed */
export function finishAnswer(
  request: HttpRequest,
  answer: Answer,
  compresses: boolean,
): Answer | Promise<Answer> {
  const { status, body } = answer;
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...answer.headers };
  if (body === null || (typeof body !== 'string' && !(body instanceof Uint8Array))) {
    return { status, headers, body };
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  const mayCompress =
    compresses && bytes >= COMPRESSED_FROM_BYTES && headers['Content-Encoding'] === undefined;
  // Of a 304 as well: a cache takes its headers for those of the copy.
  if (mayCompress) headers['Vary'] = withEncoding(headers['Vary']);
  if (isCopyGood(request, answer, headers)) {
    delete headers['Content-Type'];
    delete headers['Content-Encoding'];
    return { status: 304, headers, body: null };
  }
  if (mayCompress) {
    const encoding = preferredEncoding(request);
    if (encoding !== 'identity' && request.method !== 'HEAD') {
      return compressed(status, headers, Buffer.from(body as string), encoding);
    }
  }
  headers['Content-Length'] = String(bytes);
  return { status, headers, body };
}

function withEncoding(vary: string | undefined): string {
  if (vary === undefined) return 'Accept-Encoding';
  return vary.includes('Accept-Encoding') ? vary : `${vary}, Accept-Encoding`;
}

async function compressed(
  status: number,
  headers: Record<string, string>,
  bytes: Uint8Array,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<Answer> {
  const body = await encoders[encoding](bytes);
  headers['Content-Encoding'] = encoding;
  headers['Content-Length'] = String(body.byteLength);
  return { status, headers, body };
}

/**
 * Gives a GET that may be kept an ETag, and says whether the client's copy has the same. The tag is weak: one
 * answer has the same meaning in several types and codings.
 */
function isCopyGood(
  request: HttpRequest,
  { status, body }: Answer,
  headers: Record<string, string>,
): boolean {
  const { method } = request;
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return false;
  const isKept = headers['Cache-Control']?.startsWith('public') ?? false;
  if (headers['ETag'] === undefined && (!isKept || typeof body !== 'string')) return false;
  headers['ETag'] ??= etag(body as string, { weak: true });
  const known = request.header('if-none-match');
  // A reload past all caches (Cache-Control: no-cache) is a condition, too.
  const condition = { 'if-none-match': known, 'cache-control': request.header('cache-control') };
  return known !== undefined && fresh(condition, { etag: headers['ETag'] });
}

/** Sends an answer. One in parts is written as fast as the client takes it; it is cut short where a part fails. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  if (typeof body === 'string' || body === null || body instanceof Uint8Array) {
    // Node itself leaves out the body of an answer to HEAD.
    response.end(body ?? undefined);
    return;
  }
  writeParts(response, body).catch(() => response.destroy());
}

async function writeParts(response: ServerResponse, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) {
      await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
    }
  }
  response.end();
}
