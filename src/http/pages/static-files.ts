// Files for browsers: compressed once for each encoding, under an address that changes with their content.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Bytes = Uint8Array<ArrayBuffer>;

export interface StaticFile {
  /** its Content-Type */
  readonly type: string;
  text(): Promise<string>;
}

/** What to answer; `body` is null for HEAD. */
export interface StaticAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Bytes | null;
}

/** The types of what the gateway serves, by the ending of a file's name. */
export const STATIC_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

// Quality 5 takes a tenth of a second for the largest file; 11 would take ten, for a sixth fewer bytes.
const encoders: Record<string, (bytes: Bytes) => Promise<Bytes>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The `preferred` option is there since 1.0, but not in the types. */
type PreferringNegotiator = Negotiator & {
  encoding(available: string[], options: { readonly preferred: string[] }): string | undefined;
};

function negotiateEncoding(accepted: string): string {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as PreferringNegotiator;
  return negotiator.encoding([...Object.keys(encoders), 'identity'], { preferred: ['br'] }) ?? 'identity';
}

/** A text in the encoding that the client likes best, with the headers that say so. */
export type Compressed = (
  name: string,
  text: () => Promise<string>,
  request: Request,
) => Promise<{ readonly headers: Record<string, string>; readonly bytes: Bytes }>;

/** Keeps what it made by name: a name stands for one text for good. Compresses off the main thread. */
export function createCompressed(): Compressed {
  const made = new Map<string, Promise<Bytes>>();

  function bytesOf(name: string, text: () => Promise<string>, encoding: string): Promise<Bytes> {
    const key = `${name} ${encoding}`;
    let bytes = made.get(key);
    if (!bytes) {
      const encode = encoders[encoding];
      bytes = encode ? bytesOf(name, text, 'identity').then(encode) : text().then((it) => Buffer.from(it));
      made.set(key, bytes);
      bytes.catch(() => made.delete(key));
    }
    return bytes;
  }

  return async (name, text, { headers }) => {
    const encoding = negotiateEncoding(headers.get('accept-encoding') ?? '');
    const bytes = await bytesOf(name, text, encoding);
    const length = { 'Content-Length': String(bytes.byteLength) };
    return {
      headers: encoding === 'identity' ? length : { ...length, 'Content-Encoding': encoding },
      bytes,
    };
  };
}

/**
 * Answers for every path below `folder`, which ends with a slash and changes whenever a file does: so there
 * is no ETag, and browsers keep the files for good.
 */
export function createStaticFiles(
  folder: string,
  files: ReadonlyMap<string, StaticFile>,
): (request: Request, path: string) => Promise<StaticAnswer> {
  const compressed = createCompressed();

  return async (request, path) => {
    const { method } = request;
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    const file = files.get(name);
    if (!file) return refusal(404, 'No such file.\n');
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'GET or HEAD.\n', { Allow: 'GET, HEAD' });
    const { headers, bytes } = await compressed(name, () => file.text(), request);
    return {
      status: 200,
      headers: {
        'Content-Type': file.type,
        ...headers,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...closed,
      },
      body: method === 'HEAD' ? null : bytes,
    };
  };
}

// A worker is ruled by the policy of its own script, not by the page's: this one lets it load nothing.
const closed = { 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' };

function refusal(status: number, text: string, headers: Record<string, string> = {}): StaticAnswer {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers: { ...type, ...closed, ...headers }, body: Buffer.from(text) };
}
