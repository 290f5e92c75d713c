// HTTP/1.1 as bytes: makes requests, and reads responses.

import { connect } from 'node:net';

export interface RequestParts {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export function requestBytes({ method, target, headers = {}, body }: RequestParts): Buffer {
  const content = Buffer.from(body ?? '');
  const fields: Record<string, string> = { host: '127.0.0.1', ...headers };
  if (body !== undefined) fields['content-length'] ??= String(content.length);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const head = Buffer.from(`${verb} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, content]);
}

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** A POST request with the parameters of a GraphQL request, or with a text as its body. */
export function graphqlBytes(params: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const body = typeof params === 'string' ? params : JSON.stringify(params);
  return requestBytes({ target: '/graphql', headers: { ...JSON_HEADERS, ...headers }, body });
}

export interface ResponseSink {
  /** Takes a head without its empty line. `interim` takes the heads of 1xx responses. */
  head?(status: number, head: string): void;
  interim?(head: string): void;
  body?(bytes: Buffer): void;
  end(status: number): void;
}

export interface ResponseReader {
  /** Takes what a connection receives, in pieces of any size. */
  read(bytes: Buffer): void;
  /**
   * Call this when the connection has ended. It also ends a response that has no Content-Length and no chunks. Returns
   * true if no response is incomplete.
   */
  close(): boolean;
}

/** Returns the value of a header field, or null if the head has no such field. */
export function fieldOf(head: string, name: string): string | null {
  return new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1] ?? null;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/** @param hasBodies false for responses to HEAD */
export function createResponseReader(sink: ResponseSink, hasBodies = true): ResponseReader {
  /** The function for the next part of a response. It returns the bytes after the part, or null if it needs more bytes. */
  let step: (bytes: Buffer) => Buffer | null = readHead;
  let pending: Buffer | null = null;
  let status = 0;
  let bytesLeft = 0;

  function keep(bytes: Buffer): null {
    pending = bytes.length > 0 ? bytes : null;
    return null;
  }

  function readHead(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return keep(bytes);
    const head = bytes.toString('latin1', 0, end);
    status = Number(head.slice(9, 12));
    const rest = bytes.subarray(end + HEAD_END.length);
    if (status >= 100 && status < 200) {
      sink.interim?.(head);
      return rest;
    }
    sink.head?.(status, head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (!hasBodies || status === 204 || status === 304 || length === '0') return finish(rest);
    bytesLeft = Number(length);
    if (length !== undefined) step = readSizedBody;
    else step = /\r\ntransfer-encoding: *chunked/i.test(head) ? readChunkSize : readToClose;
    return rest;
  }

  /** Passes at most `bytesLeft` bytes of the body to the sink. */
  function pass(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, bytesLeft);
    bytesLeft -= part.length;
    if (part.length > 0) sink.body?.(part);
    return bytes.subarray(part.length);
  }

  function readSizedBody(bytes: Buffer): Buffer | null {
    const rest = pass(bytes);
    return bytesLeft === 0 ? finish(rest) : null;
  }

  function readToClose(bytes: Buffer): null {
    sink.body?.(bytes);
    return null;
  }

  function readChunkSize(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(LINE_END);
    if (end === -1) return keep(bytes);
    bytesLeft = Number.parseInt(bytes.toString('latin1', 0, end), 16);
    if (Number.isNaN(bytesLeft)) step = skipAll;
    else step = bytesLeft === 0 ? readTrailer : readChunk;
    return bytes.subarray(end + LINE_END.length);
  }

  function readChunk(bytes: Buffer): Buffer | null {
    const rest = pass(bytes);
    if (bytesLeft > 0) return null;
    step = readChunkEnd;
    return rest;
  }

  function readChunkEnd(bytes: Buffer): Buffer | null {
    if (bytes.length < LINE_END.length) return keep(bytes);
    step = readChunkSize;
    return bytes.subarray(LINE_END.length);
  }

  /** Reads the empty line after the last chunk. The gateway sends no trailers. */
  function readTrailer(bytes: Buffer): Buffer | null {
    return bytes.length < LINE_END.length ? keep(bytes) : finish(bytes.subarray(LINE_END.length));
  }

  /** The bytes are not HTTP, so no response follows. */
  function skipAll(): null {
    return null;
  }

  function finish(rest: Buffer): Buffer {
    step = readHead;
    sink.end(status);
    return rest;
  }

  return {
    read(bytes) {
      let rest: Buffer | null = pending === null ? bytes : Buffer.concat([pending, bytes]);
      pending = null;
      while (rest !== null && rest.length > 0) rest = step(rest);
    },
    close() {
      if (step === readToClose) finish(Buffer.alloc(0));
      return step === readHead && pending === null;
    },
  };
}

export interface WholeResponse {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

const SILENT_MS = 60_000;

/** Sends one request on its own connection. Rejects if the connection ends first, or after a minute without a byte. */
export function exchange(port: number, request: Buffer): Promise<WholeResponse> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    const parts: Buffer[] = [];
    let head = '';
    const reader = createResponseReader({
      head: (_, text) => {
        head = text;
      },
      body: (bytes) => parts.push(bytes),
      end(status) {
        socket.destroy();
        done({ status, head, text: Buffer.concat(parts).toString() });
      },
    });
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('data', reader.read);
    socket.on('error', fail);
    socket.on('close', () => {
      reader.close();
      fail(new Error('the connection ended before the response'));
    });
  });
}
