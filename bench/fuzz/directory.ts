// The servers that the fuzzed gateway asks: a directory and an agency's service, whose responses follow from the seed,
// and a server that it must never ask. They run in this process.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DirectoryServer, startDirectoryServer } from '../../test/support/directory-server.ts';
import { type DirectoryAnswer, whole } from './answer-parts.ts';
import { API_KEY } from './canaries.ts';
import { AGENCY, answerOf, type DirectoryFace, FORBIDDEN } from './directory-answers.ts';

export interface FuzzDirectory {
  readonly url: string;
  /** of the agency's service, with its port: the one host for metadata */
  readonly agencyHost: string;
  /** how often the servers sent each kind of response */
  readonly sent: ReadonlyMap<string, number>;
  /** the forbidden requests since the last call */
  forbiddenRequests(): string[];
  close(): Promise<void>;
}

export async function startFuzzDirectory(seed: number): Promise<FuzzDirectory> {
  const sent = new Map<string, number>();
  const wrong: string[] = [];

  function answer(request: IncomingMessage, face: DirectoryFace, asked: readonly string[]): DirectoryAnswer {
    if (JSON.stringify(request.headers).includes(API_KEY)) wrong.push(`an API key at ${request.url}`);
    if (request.method !== 'GET') wrong.push(`${request.method} ${request.url}`);
    const given = answerOf(seed, face, asked);
    sent.set(given.kind, (sent.get(given.kind) ?? 0) + 1);
    return given;
  }

  const forbidden = await startAnsweringServer(({ method, url }) => {
    wrong.push(`${method} ${url} of a server that may not be asked`);
    return whole({ kind: 'wrong', body: Buffer.from('{"title":"T"}') });
  });
  const agency = await startAnsweringServer((request) =>
    placed(answer(request, 'agency', [request.url ?? ''])),
  );
  const directory = await startAnsweringServer((request) => {
    const { face, asked } = readTarget(request.url ?? '');
    return placed(answer(request, face, asked));
  });

  /** A `Location` names servers whose ports the seed does not know. */
  function placed(given: DirectoryAnswer): DirectoryAnswer {
    const { location } = given.headers;
    if (location === undefined) return given;
    const to = location.replaceAll(AGENCY, agency.url.host).replaceAll(FORBIDDEN, forbidden.url.host);
    return { ...given, headers: { ...given.headers, location: to } };
  }

  return {
    url: directory.url.origin,
    agencyHost: agency.url.host,
    sent,
    forbiddenRequests: () => wrong.splice(0),
    async close() {
      await Promise.all([directory, agency, forbidden].map((server) => server.close()));
    },
  };
}

function readTarget(target: string): { face: DirectoryFace; asked: string[] } {
  const [path = ''] = target.split('?');
  const record = /^\/api\/handles\/(.*)$/.exec(path);
  if (record) return { face: 'handles', asked: [decoded(record[1] ?? '')] };
  const agencies = /^\/doiRA\/(.*)$/.exec(path);
  if (agencies) return { face: 'doiRA', asked: (agencies[1] ?? '').split(',').map(decoded) };
  return { face: 'metadata', asked: [decoded(path.slice(1))] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A server in this process that sends the given responses, byte for byte. */
async function startAnsweringServer(
  answerTo: (request: IncomingMessage) => DirectoryAnswer,
): Promise<DirectoryServer> {
  const server = await startDirectoryServer();
  server.behaveAlways((request, response) => {
    response.on('error', () => undefined);
    const answer = answerTo(request);
    if (answer.waitMs === 0) send(answer, request, response);
    else setTimeout(() => send(answer, request, response), answer.waitMs);
  });
  return server;
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
