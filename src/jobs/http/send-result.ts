// GET /jobs/{id}/result: the result of a finished job, or a byte range of the result.

import { open } from 'node:fs/promises';
import { GatewayError, gatewayBusy } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { Requesting } from '../../slices.ts';
import { TURNS } from '../../turns.ts';
import type { JobKey } from '../job-id.ts';
import { HEAD_BYTES } from '../store/chunk-files.ts';
import type { JobManifest, JobStore, JobTask } from '../store/job-store.ts';
import { errorResponse, NO_SUCH_JOB } from './job-responses.ts';

const DOWNLOAD_BYTES = RESERVED_BYTES.downloadPart + RESERVED_BYTES.downloadObjects;

const TYPES: Readonly<Record<JobTask['format'], string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

const NOT_DONE = new GatewayError('BAD_USER_INPUT', {
  message:
    'The job is not done yet, so there is no result. The address without /result shows the progress of the job.',
  httpStatus: 409,
});

/**
 * Sends the result only when the job is done, for two reasons. A client could mistake a part of the result for the whole
 * file. And a client needs the length of the result to continue an interrupted download.
 */
export async function sendResult(
  request: HttpRequest,
  key: JobKey,
  manifest: JobManifest,
  store: JobStore,
): Promise<HttpResponse> {
  const end = await store.end(key);
  if (end === null) return errorResponse(NOT_DONE, { 'Retry-After': '5' });
  if (end.state === 'failed') {
    const message = `The job failed, so there is no result: ${end.reason}`;
    return errorResponse(new GatewayError('BAD_USER_INPUT', { message, httpStatus: 409 }));
  }
  const size = end.chunkBytes.reduce((sum, bytes) => sum + bytes, 0);
  // The result never changes, so its tag is a part of the job's key. The key does not reveal the job's address.
  const tag = `"${key.slice(0, 16)}"`;
  const condition = request.header('if-range');
  const isSame = condition === undefined || condition === tag;
  const range = isSame ? readRange(request.header('range'), size) : null;
  const headers = {
    'Content-Type': TYPES[manifest.work.format],
    'Content-Disposition': dispositionOf(manifest),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  };
  if (range === 'beyond') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null };
  }
  const sent = range ?? { begin: 0, end: size };
  const rangeHeader = range ? { 'Content-Range': `bytes ${sent.begin}-${sent.end - 1}/${size}` } : {};
  const isHead = request.method === 'HEAD';
  if (!isHead && !request.reservation.admitDownload(DOWNLOAD_BYTES, request)) throw gatewayBusy();
  return {
    status: range ? 206 : 200,
    headers: { ...headers, ...rangeHeader, 'Content-Length': String(sent.end - sent.begin) },
    body: isHead ? null : await withFirstPart(parts(store, key, end.chunkBytes, sent, request.requester)),
  };
}

/** Writes the name of the file in ASCII and, if the name has other characters, also in UTF-8 (RFC 6266). */
function dispositionOf({ name, work }: JobManifest): string {
  const file = `${name ? `${name}-` : ''}doi-names.${work.format}`;
  const ascii = file.replaceAll(/[^\x20-\x7E]/g, '_');
  const encoded = encodeURIComponent(file).replaceAll(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"${ascii === file ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/** Waits for the first part before the response begins. Rejects with a GatewayError if the job was deleted meanwhile. */
async function withFirstPart(all: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  let first = await all.next().catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? NO_SUCH_JOB : error;
  });
  /** Forgets the first part. Otherwise the download would keep two parts in memory. */
  const takeFirst = (): Uint8Array | undefined => {
    const { value } = first;
    first = { done: true, value: undefined };
    return value ?? undefined;
  };
  return (async function* allParts() {
    try {
      if (!first.done) yield takeFirst() as Uint8Array;
      yield* all;
    } finally {
      await all.return(undefined);
    }
  })();
}

/** A part counts this time for its client, because Node reads and sends the part after the turn. */
const PART_MS = 0.5;

/** Reads a part when the caller takes it. A stream would read ahead, and keep a second part in memory. */
async function* parts(
  store: JobStore,
  key: JobKey,
  chunkBytes: readonly number[],
  range: ByteRange,
  requester: Requesting,
): AsyncGenerator<Uint8Array> {
  let before = 0;
  for (const [chunk, bytes] of chunkBytes.entries()) {
    const begin = Math.max(0, range.begin - before);
    const end = Math.min(bytes, range.end - before);
    before += bytes;
    if (begin >= end) continue;
    const file = await open(store.chunkPath(key, chunk));
    try {
      for (let at = begin; at < end; at += RESERVED_BYTES.downloadPart) {
        await TURNS.next(requester.client.key, PART_MS);
        const part = Buffer.allocUnsafeSlow(Math.min(RESERVED_BYTES.downloadPart, end - at));
        const { bytesRead } = await file.read(part, 0, part.length, HEAD_BYTES + at);
        if (bytesRead < part.length)
          throw new Error(`The result of a job ends ${part.length - bytesRead} bytes early.`);
        yield part;
      }
    } finally {
      await file.close();
    }
  }
}

/** A byte range of a file (RFC 9110, section 14). `end` is the offset after the last byte. */
interface ByteRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * Returns null for no range, several ranges or an invalid range. The response is then the whole file. Returns `beyond`
 * if the range begins after the end of the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'beyond' : { begin: size - length, end: size };
  }
  const begin = Number(first);
  if (last !== '' && Number(last) < begin) return null;
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return begin >= size ? 'beyond' : { begin, end };
}
