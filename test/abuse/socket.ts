// Bytes on a socket that no HTTP client would send.

import { connect } from 'node:net';

export interface ConverseOptions {
  /** ends the sending half after the last byte; otherwise the server must end the connection */
  readonly hangUp?: boolean;
}

/** Sends bytes, and resolves with all received bytes once the connection is closed. */
export function converse(
  url: string,
  sent: string | Buffer,
  { hangUp = false }: ConverseOptions = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    // A reset also closes a connection. The bytes before it count.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
    if (hangUp) socket.end(sent);
    else socket.write(sent);
  });
}

/** The status codes of the responses in received bytes. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** A POST to the GraphQL endpoint, with `Connection: close`. */
export function rawPost(headers: readonly string[], body: string | Buffer = ''): Buffer {
  const lines = ['POST /graphql HTTP/1.1', 'Connection: close', 'Content-Type: application/json', ...headers];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** A GET without a body, with `Connection: close`. */
export function rawGet(target: string, headers: readonly string[] = ['Host: gateway.test']): Buffer {
  return Buffer.from(
    [`GET ${target} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n'),
    'latin1',
  );
}
