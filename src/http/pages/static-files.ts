// Files for browsers. Their path changes with their content. Each text is compressed once for each encoding.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer, Handler, HttpRequest } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/method-not-allowed.ts';
import { type Encoding, preferredEncoding } from '../response/negotiate.ts';

/** Quality 5 takes 0.1 s for the largest file. Quality 11 takes 10 s and saves a sixth of the bytes. */
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: (bytes) => promisify(gzip)(bytes),
  };

/** Returns a text in the encoding that the client prefers, and its Content-Encoding header. */
type Compressed = (
  name: string,
  text: () => Promise<string>,
  request: Pick<HttpRequest, 'header'>,
) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }>;

/** Remembers the compressed text by its name. The text of a name must never change. */
export function createCompressed(): Compressed {
  const made = new Map<string, Promise<Uint8Array>>();

  function bytesOf(name: string, text: () => Promise<string>, encoding: Encoding): Promise<Uint8Array> {
    const key = `${name} ${encoding}`;
    let bytes = made.get(key);
    if (!bytes) {
      bytes =
        encoding === 'identity'
          ? text().then((it) => Buffer.from(it))
          : bytesOf(name, text, 'identity').then(encoders[encoding]);
      made.set(key, bytes);
      bytes.catch(() => made.delete(key));
    }
    return bytes;
  }

  return async (name, text, request) => {
    const encoding = preferredEncoding(request);
    const body = await bytesOf(name, text, encoding);
    return { headers: encoding === 'identity' ? {} : { 'Content-Encoding': encoding }, body };
  };
}

export interface StaticFile {
  /** the Content-Type */
  readonly type: string;
  text(): Promise<string>;
}

/** The Content-Type by the ending of the file name. */
export const STATIC_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Serves every path below `folder`. `folder` must end with a slash and must change if a file changes, because browsers
 * keep the files for ever.
 */
export function createStaticFiles(folder: string, files: ReadonlyMap<string, StaticFile>): Handler {
  const compressed = createCompressed();

  return async (request) => {
    const { method, path } = request;
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    const file = files.get(name);
    if (!file) return NO_SUCH_FILE;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD', closed);
    const { headers, body } = await compressed(name, () => file.text(), request);
    return {
      status: 200,
      headers: {
        'Content-Type': file.type,
        ...headers,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...closed,
      },
      body,
    };
  };
}

// A worker is ruled by the policy of its own script, not by the page's: this one lets it load nothing.
const closed = { 'Content-Security-Policy': "default-src 'none'" };

const NO_SUCH_FILE: Answer = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...closed },
  body: 'No such file.\n',
};
