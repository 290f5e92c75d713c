// The fuzzer's directory: a server in this process whose answers follow from the seed.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, type DirectoryAnswer } from './directory-answers.ts';

export interface FuzzDirectory {
  readonly url: string;
  /** how often each kind of answer was given */
  readonly told: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startFuzzDirectory(seed: number): Promise<FuzzDirectory> {
  const told = new Map<string, number>();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const { face, asked } = readTarget(request.url ?? '');
    const answer = answerOf(seed, face, asked);
    told.set(answer.kind, (told.get(answer.kind) ?? 0) + 1);
    if (answer.waitMs === 0) send(answer, request, response);
    else setTimeout(() => send(answer, request, response), answer.waitMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
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

function readTarget(target: string): { face: 'handles' | 'doiRA'; asked: string[] } {
  const [path = ''] = target.split('?');
  const record = /^\/api\/handles\/(.*)$/.exec(path);
  if (record) return { face: 'handles', asked: [decoded(record[1] ?? '')] };
  return {
    face: 'doiRA',
    asked: path
      .replace(/^\/doiRA\//, '')
      .split(',')
      .map(decoded),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
