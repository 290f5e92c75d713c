// Texts that stay as they are: compressed once for each encoding, off the main thread.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpRequest } from '../exchange.ts';
import { type Encoding, preferredEncoding } from '../negotiate.ts';

// Quality 5 takes a tenth of a second for the largest file; 11 would take ten, for a sixth fewer bytes.
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: (bytes) => promisify(gzip)(bytes),
  };

/** A text in the encoding that the client likes best, with the header that says so. */
export type Compressed = (
  name: string,
  text: () => Promise<string>,
  request: Pick<HttpRequest, 'header'>,
) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }>;

/** Keeps what it made by name: a name stands for one text for good. */
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
