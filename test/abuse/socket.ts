// Bytes on a socket, as no HTTP client would send them.

import { connect } from 'node:net';

export interface Manners {
  /** ends the sending half once everything is sent; otherwise the server is to end the connection */
  readonly hangUp?: boolean;
}

/** Sends bytes and resolves with all that comes back, once the connection is closed. */
export function converse(
  url: string,
  sent: string | Buffer,
  { hangUp = false }: Manners = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    // A reset is one way to close; what came before it counts.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
    if (hangUp) socket.end(sent);
    else socket.write(sent);
  });
}

/** The status codes of the responses in what a server sent. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** A POST to the GraphQL endpoint, line by line, that asks for the connection to be closed. */
export function rawPost(headers: readonly string[], body: string | Buffer = ''): Buffer {
  const lines = ['POST /graphql HTTP/1.1', 'Connection: close', 'Content-Type: application/json', ...headers];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** A GET without a body that asks for the connection to be closed. */
export function rawGet(target: string, headers: readonly string[] = ['Host: gateway.test']): Buffer {
  return Buffer.from(
    [`GET ${target} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n'),
    'latin1',
  );
}
