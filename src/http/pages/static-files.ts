// Serves documents, and files for browsers. Compresses each text once for each encoding.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from 'etag';
import type { Handler, HttpRequest, HttpResponse } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/failure-headers.ts';
import { type Encoding, preferredEncoding } from '../response/negotiate.ts';

/** Quality 5, because the highest quality takes much longer and saves few bytes. */
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: (bytes) => promisify(gzip)(bytes),
  };

/**
 * Returns a function that encodes a text as the client prefers, and adds the header Content-Encoding. The function
 * remembers encoded texts by `name`, so a name must always stand for the same text.
 */
function createCompressor() {
  const made = new Map<string, Promise<Uint8Array>>();

  function bytesOf(name: string, text: () => Promise<string>, encoding: Encoding): Promise<Uint8Array> {
    const key = `${name} ${encoding}`;
    let bytes = made.get(key);
    if (!bytes) {
      bytes =
        encoding === 'identity'
          ? text().then((plain) => Buffer.from(plain))
          : bytesOf(name, text, 'identity').then(encoders[encoding]);
      made.set(key, bytes);
      bytes.catch(() => made.delete(key));
    }
    return bytes;
  }

  return async (name: string, text: () => Promise<string>, request: HttpRequest) => {
    const encoding = preferredEncoding(request);
    const body = await bytesOf(name, text, encoding);
    return { headers: encoding === 'identity' ? {} : { 'Content-Encoding': encoding }, body };
  };
}

/** Makes the text at the first request, and keeps it until the process ends. */
export function createDocument(headers: HttpResponse['headers'], make: () => Promise<string>) {
  const compress = createCompressor();
  let made: Promise<{ readonly text: string; readonly tag: string }> | undefined;

  return async (request: HttpRequest): Promise<HttpResponse> => {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD, OPTIONS');
    // A weak ETag, because the same document has several encodings.
    made ??= make().then((text) => ({ text, tag: etag(text, { weak: true }) }));
    const { text, tag } = await made;
    const { headers: encoded, body } = await compress('document', async () => text, request);
    return { status: 200, headers: { ...headers, ETag: tag, ...encoded }, body };
  };
}

/** Content-Types by the ending of the file name. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Serves every path below `folder`, which must end with a slash. When a file changes, use another folder name, because
 * browsers keep each file for a year.
 * @param files by name: the text, or a function that returns the text at the first request
 */
export function createStaticFiles(
  folder: string,
  files: ReadonlyMap<string, string | (() => Promise<string>)>,
): Handler {
  const compress = createCompressor();

  return async (request) => {
    const { method, path } = request;
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    const text = files.get(name);
    if (text === undefined) return NO_SUCH_FILE;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD', NO_LOADING);
    const read = typeof text === 'string' ? async () => text : text;
    const { headers, body } = await compress(name, read, request);
    return {
      status: 200,
      headers: {
        'Content-Type': TYPES[name.split('.').at(-1) ?? ''],
        ...headers,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...NO_LOADING,
      },
      body,
    };
  };
}

// A web worker has the policy of its script, not of the page. With this policy, the worker cannot load anything.
const NO_LOADING = { 'Content-Security-Policy': "default-src 'none'" };

const NO_SUCH_FILE: HttpResponse = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...NO_LOADING },
  body: 'No such file.\n',
};
