// HTTP/1.1 as bytes: makes requests, and reads responses.

import { connect, type Socket } from 'node:net';

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

interface ResponseSink {
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

const EMPTY = Buffer.alloc(0);

/** @param hasBodies false for responses to HEAD */
export function createResponseReader(sink: ResponseSink, hasBodies = true): ResponseReader {
  /** The bytes that have arrived and are not yet read. A generator below that needs more bytes yields until they have arrived. */
  let bytes: Buffer = EMPTY;
  let isBetweenResponses = true;
  /** the status of a response that has neither a Content-Length nor chunks, and so ends with its connection */
  let statusUntilClose: number | null = null;

  /** Returns the text before a mark. */
  function* upTo(mark: string): Generator<void, string> {
    while (!bytes.includes(mark)) yield;
    const end = bytes.indexOf(mark);
    const text = bytes.toString('latin1', 0, end);
    bytes = bytes.subarray(end + mark.length);
    return text;
  }

  /** Passes bytes of a body to the sink as soon as they arrive. */
  function* pass(length: number): Generator<void> {
    for (let left = length; left > 0; ) {
      while (bytes.length === 0) yield;
      const part = bytes.subarray(0, left);
      bytes = bytes.subarray(part.length);
      left -= part.length;
      sink.body?.(part);
    }
  }

  function* readChunks(): Generator<void> {
    let size = 1;
    while (size !== 0) {
      size = Number.parseInt(yield* upTo('\r\n'), 16);
      // The bytes are not HTTP, so no response follows.
      while (Number.isNaN(size)) yield;
      yield* pass(size);
      // The line end after a chunk, or the empty line after the last chunk: the gateway sends no trailers.
      yield* upTo('\r\n');
    }
  }

  function* readResponses(): Generator<void> {
    for (;;) {
      const head = yield* upTo('\r\n\r\n');
      const status = Number(head.slice(9, 12));
      if (status >= 100 && status < 200) {
        sink.interim?.(head);
        continue;
      }
      isBetweenResponses = false;
      sink.head?.(status, head);
      const length = fieldOf(head, 'content-length');
      if (hasBodies && status !== 204 && status !== 304) {
        if (length !== null) yield* pass(Number(length));
        else if (fieldOf(head, 'transfer-encoding') === 'chunked') yield* readChunks();
        else {
          statusUntilClose = status;
          yield* pass(Number.POSITIVE_INFINITY);
        }
      }
      isBetweenResponses = true;
      sink.end(status);
    }
  }

  const responses = readResponses();
  return {
    read(more) {
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
      responses.next();
    },
    close() {
      if (statusUntilClose === null) return isBetweenResponses && bytes.length === 0;
      sink.end(statusUntilClose);
      return true;
    },
  };
}

/**
 * Opens a connection to a server on this machine, and passes the responses to a sink.
 * @param onClose Called once. `error` is why the connection failed.
 */
export function openConnection(
  port: number,
  sink: ResponseSink,
  onClose: (error?: Error) => void,
  localAddress = '127.0.0.1',
): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress });
  const reader = createResponseReader(sink);
  let failure: Error | undefined;
  socket.on('data', reader.read);
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('close', () => {
    // When Node's own parser refuses a request, the response has no Content-Length and ends with its connection.
    reader.close();
    onClose(failure);
  });
  return socket;
}

export interface WholeResponse {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

const SILENT_MS = 60_000;

/** Sends one request on its own connection. Rejects if the connection ends first, or after a minute without a byte. */
export function exchange(port: number, request: Buffer, localAddress?: string): Promise<WholeResponse> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let head = '';
    const sink: ResponseSink = {
      head: (_, text) => {
        head = text;
      },
      body: (bytes) => parts.push(bytes),
      end(status) {
        socket.destroy();
        done({ status, head, text: Buffer.concat(parts).toString() });
      },
    };
    const ended = new Error('the connection ended before the response');
    const socket = openConnection(port, sink, (error = ended) => fail(error), localAddress);
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.write(request);
  });
}
