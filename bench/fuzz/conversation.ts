// One request of the fuzzer on a connection of its own, and the responses, read strictly.

import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createResponseReader } from '../http-bytes.ts';
import type { FuzzRequest } from './whole-request.ts';

export interface Conversation {
  readonly received: Buffer;
  /** how it ended: by the gateway, by a reset, by a refused connection, or not in time */
  readonly ending: 'closed' | 'reset' | 'refused' | 'late';
}

/** An operation has 5 seconds, and a machine may be busy. */
const WHOLE_WITHIN_MS = 20_000;

/** The gateway may wait for the rest of bytes that are no whole request. The fuzzer does not. */
const QUIET_MS = 300;

/** When the client leaves: after it has sent or received so many bytes, or some time after it has sent all. */
export type Leaving =
  | { readonly after: 'sent' | 'received'; readonly bytes: number }
  | { readonly after: 'time'; readonly ms: number };

/** @param leaving left out: the client stays until the gateway closes */
export function converse(port: number, request: FuzzRequest, leaving?: Leaving): Promise<Conversation> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let ending: Conversation['ending'] = 'closed';
    const socket = connect({ port, host: '127.0.0.1' });
    const isWhole = request.kind === 'whole';
    socket.setTimeout(isWhole ? WHOLE_WITHIN_MS : QUIET_MS);
    socket.on('timeout', () => {
      if (isWhole) ending = 'late';
      socket.destroy();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      ending = code === 'ECONNREFUSED' ? 'refused' : 'reset';
    });
    let left = leaving?.after === 'received' ? leaving.bytes : Number.POSITIVE_INFINITY;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      left -= chunk.length;
      if (left <= 0) socket.destroy();
    });
    socket.once('close', () => resolve({ received: Buffer.concat(chunks), ending }));
    const bytes = Buffer.from(request.bytes, 'latin1');
    if (leaving?.after === 'sent') {
      socket.write(bytes.subarray(0, leaving.bytes % (bytes.length + 1)), () => socket.destroy());
      return;
    }
    socket.write(bytes);
    if (leaving?.after === 'time') setTimeout(() => socket.destroy(), leaving.ms);
  });
}

export interface ReadAnswer {
  readonly status: number;
  /** by names in lower case */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  /** decoded */
  readonly body: Buffer;
  readonly text: string;
}

export class NotHttp extends Error {}

const STATUS_LINE = /^HTTP\/1\.1 [1-5]\d\d [\x20-\x7e]*$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** @param hasBodies false for responses to HEAD. Throws NotHttp. */
export function readAnswers(received: Buffer, hasBodies: boolean): ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  let headers: ReadAnswer['headers'] = {};
  let parts: Buffer[] = [];
  const reader = createResponseReader(
    {
      interim: headersOf,
      head(_, head) {
        headers = headersOf(head);
        parts = [];
      },
      body: (bytes) => parts.push(bytes),
      end(status) {
        const body = decoded(Buffer.concat(parts), headers['content-encoding'] ?? 'identity');
        answers.push({ status, headers, body, text: body.toString('utf8') });
      },
    },
    hasBodies,
  );
  reader.read(received);
  if (!reader.close()) {
    throw new NotHttp(`no whole response: ${JSON.stringify(received.toString('latin1', 0, 300))}`);
  }
  return answers;
}

function headersOf(head: string): Record<string, string> {
  const [first = '', ...lines] = head.split('\r\n');
  if (!STATUS_LINE.test(first)) throw new NotHttp(`no status line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = FIELD.exec(line) ?? [];
    if (name === '') throw new NotHttp(`no header: ${JSON.stringify(line.slice(0, 200))}`);
    if (/^content-length$/i.test(name) && !/^\d+$/.test(value)) throw new NotHttp(`no length: ${value}`);
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(headers);
}

function decoded(body: Buffer, encoding: string): Buffer {
  if (encoding === 'identity' || body.length === 0) return body;
  try {
    return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
  } catch {
    throw new NotHttp(`a body that is not ${encoding}`);
  }
}
