// Sends one request of the fuzzer on its own connection, and reads the responses strictly.

import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createResponseReader } from '../../bench/http-bytes.ts';
import type { FuzzRequest } from './whole-request.ts';

export interface Conversation {
  readonly received: Buffer;
  /** how the connection ended: the gateway closed it, reset it or refused it, or the time limit passed */
  readonly ending: 'closed' | 'reset' | 'refused' | 'late';
}

/** An operation may take 5 seconds, and longer on a busy machine. */
const WHOLE_WITHIN_MS = 20_000;

/** If the bytes are no whole request, the gateway may wait for more. Then the fuzzer closes the connection. */
const QUIET_MS = 300;

/** When the client closes the connection: after it has sent or received some bytes, or some time after its last byte. */
export type Departure =
  | { readonly after: 'sent' | 'received'; readonly bytes: number }
  | { readonly after: 'time'; readonly ms: number };

/** @param departure default: the client waits until the gateway closes the connection */
export function converse(port: number, request: FuzzRequest, departure?: Departure): Promise<Conversation> {
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
    let bytesLeft = departure?.after === 'received' ? departure.bytes : Number.POSITIVE_INFINITY;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytesLeft -= chunk.length;
      if (bytesLeft <= 0) socket.destroy();
    });
    socket.once('close', () => resolve({ received: Buffer.concat(chunks), ending }));
    const bytes = Buffer.from(request.bytes, 'latin1');
    if (departure?.after === 'sent') {
      socket.write(bytes.subarray(0, departure.bytes % (bytes.length + 1)), () => socket.destroy());
      return;
    }
    socket.write(bytes);
    if (departure?.after === 'time') setTimeout(() => socket.destroy(), departure.ms);
  });
}

export interface ReadResponse {
  readonly status: number;
  /** The keys are in lower case. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  /** without its Content-Encoding */
  readonly body: Buffer;
  readonly text: string;
}

export class NotHttp extends Error {}

const STATUS_LINE = /^HTTP\/1\.1 [1-5]\d\d [\x20-\x7e]*$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** Returns all responses in the received bytes. Throws NotHttp. @param hasBodies false for responses to HEAD */
export function readResponses(received: Buffer, hasBodies: boolean): ReadResponse[] {
  const responses: ReadResponse[] = [];
  let headers: ReadResponse['headers'] = {};
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
        responses.push({ status, headers, body, text: body.toString('utf8') });
      },
    },
    hasBodies,
  );
  reader.read(received);
  if (!reader.close()) {
    throw new NotHttp(`no whole response: ${JSON.stringify(received.toString('latin1', 0, 300))}`);
  }
  return responses;
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
