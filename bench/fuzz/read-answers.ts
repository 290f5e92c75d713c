// The answers in the bytes of a connection, read strictly: what is not HTTP/1.1 is said to be none.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface ReadAnswer {
  readonly status: number;
  /** by names in lower case */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  /** decoded */
  readonly body: Buffer;
  readonly text: string;
}

export class NotHttp extends Error {}

const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** @param isHead whether the answers have no bodies. Throws NotHttp. */
export function readAnswers(received: Buffer, isHead: boolean): ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  let rest = received;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new NotHttp(`a head without an end: ${excerpt(rest)}`);
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new NotHttp(`no status line: ${JSON.stringify(first.slice(0, 200))}`);
    const headers = Object.fromEntries(lines.map(readField));
    rest = rest.subarray(end + 4);
    if (status < 200) continue;
    const hasBody = !isHead && status !== 204 && status !== 304;
    const [encoded, after] = hasBody ? readBody(rest, headers) : [Buffer.alloc(0), rest];
    rest = after;
    const body = decoded(encoded, headers['content-encoding'] ?? 'identity');
    answers.push({ status, headers, body, text: body.toString('utf8') });
  }
  return answers;
}

function readField(line: string): [string, string] {
  const [, name = '', value = ''] = FIELD.exec(line) ?? [];
  if (name === '') throw new NotHttp(`no header: ${JSON.stringify(line.slice(0, 200))}`);
  return [name.toLowerCase(), value];
}

function readBody(rest: Buffer, headers: ReadAnswer['headers']): [Buffer, Buffer] {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(rest);
  const { 'content-length': length } = headers;
  if (length === undefined) return [rest, Buffer.alloc(0)];
  if (!/^\d+$/.test(length)) throw new NotHttp(`no length: ${length}`);
  if (rest.length < Number(length)) throw new NotHttp(`${rest.length} of ${length} bytes of a body`);
  return [rest.subarray(0, Number(length)), rest.subarray(Number(length))];
}

function readChunks(received: Buffer): [Buffer, Buffer] {
  const chunks: Buffer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.toString('latin1', 0, end), 16);
    if (end === -1 || Number.isNaN(size) || rest.length < end + size + 4)
      throw new NotHttp('a chunk without an end');
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + size + 4);
    if (size === 0) return [Buffer.concat(chunks), rest];
  }
}

function decoded(body: Buffer, encoding: string): Buffer {
  if (encoding === 'identity' || body.length === 0) return body;
  try {
    return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
  } catch {
    throw new NotHttp(`a body that is not ${encoding}`);
  }
}

const excerpt = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1', 0, 300));
