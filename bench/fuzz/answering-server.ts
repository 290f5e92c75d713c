// A server in this process that answers as it is told to, byte for byte.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DirectoryAnswer } from './answer-parts.ts';

export interface AnsweringServer {
  /** `127.0.0.1:…` */
  readonly host: string;
  close(): Promise<void>;
}

export async function startAnsweringServer(
  answerTo: (request: IncomingMessage) => DirectoryAnswer,
): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const answer = answerTo(request);
    if (answer.waitMs === 0) send(answer, request, response);
    else setTimeout(() => send(answer, request, response), answer.waitMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(answer: DirectoryAnswer, { socket }: IncomingMessage, response: ServerResponse): void {
  if (socket.destroyed) return;
  const { status, headers, body, ending } = answer;
  if (ending === 'raw') {
    socket.end(body);
    return;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (ending === 'reset') {
    response.writeHead(status, { 'content-length': String(body.length + 1) }).write(body);
    setImmediate(() => socket.resetAndDestroy());
    return;
  }
  response.writeHead(status).end(body);
}
