// HTTP/1.1 as bytes: requests to be written to a socket as they are, and responses read off one.

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

/** A POST of GraphQL. */
export function graphqlBytes(params: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const body = typeof params === 'string' ? params : JSON.stringify(params);
  return requestBytes({ target: '/graphql', headers: { ...JSON_HEADERS, ...headers }, body });
}

export interface ResponseSink {
  head?(status: number, head: string): void;
  body?(bytes: Buffer): void;
  end(status: number): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/**
 * Takes what a connection receives, in pieces of any size, and tells of each response in it. A response that
 * only the end of its connection ends is told of without an end.
 */
export function createResponseReader(sink: ResponseSink): (bytes: Buffer) => void {
  let read: (bytes: Buffer) => Buffer | null = readHead;
  let kept: Buffer | null = null;
  let status = 0;
  let left = 0;

  /** Keeps what is not a whole unit yet. */
  function keep(bytes: Buffer): null {
    kept = bytes.length > 0 ? bytes : null;
    return null;
  }

  function readHead(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return keep(bytes);
    const head = bytes.toString('latin1', 0, end);
    status = Number(head.slice(9, 12));
    const rest = bytes.subarray(end + HEAD_END.length);
    if (status >= 100 && status < 200) return rest;
    sink.head?.(status, head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (status === 204 || status === 304 || length === '0') return finish(rest);
    if (length !== undefined) {
      left = Number(length);
      read = readLength;
    } else read = /\r\ntransfer-encoding: *chunked/i.test(head) ? readChunkSize : readToClose;
    return rest;
  }

  function readLength(bytes: Buffer): Buffer | null {
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (part.length > 0) sink.body?.(part);
    return left === 0 ? finish(bytes.subarray(part.length)) : null;
  }

  function readToClose(bytes: Buffer): null {
    if (bytes.length > 0) sink.body?.(bytes);
    return null;
  }

  function readChunkSize(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(LINE_END);
    if (end === -1) return keep(bytes);
    left = Number.parseInt(bytes.toString('latin1', 0, end), 16);
    read = left === 0 ? readTrailer : readChunk;
    return bytes.subarray(end + LINE_END.length);
  }

  function readChunk(bytes: Buffer): Buffer | null {
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (part.length > 0) sink.body?.(part);
    if (left > 0) return null;
    read = readChunkEnd;
    return bytes.subarray(part.length);
  }

  function readChunkEnd(bytes: Buffer): Buffer | null {
    if (bytes.length < LINE_END.length) return keep(bytes);
    read = readChunkSize;
    return bytes.subarray(LINE_END.length);
  }

  /** No trailers are expected: an empty line. */
  function readTrailer(bytes: Buffer): Buffer | null {
    return bytes.length < LINE_END.length ? keep(bytes) : finish(bytes.subarray(LINE_END.length));
  }

  function finish(rest: Buffer): Buffer {
    read = readHead;
    sink.end(status);
    return rest;
  }

  return (bytes) => {
    let rest: Buffer | null = kept === null ? bytes : Buffer.concat([kept, bytes]);
    kept = null;
    while (rest !== null && rest.length > 0) rest = read(rest);
  };
}
