// Three servers for the fuzzed gateway, in this process. The gateway sends requests to two of them, a directory and an
// agency's service; the seed decides their responses. The gateway must never send a request to the third.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DirectoryServer, startDirectoryServer } from '../../test/support/directory-server.ts';
import { type DirectoryAnswer, whole } from './answer-parts.ts';
import { API_KEY } from './canaries.ts';
import { AGENCY, answerOf, type DirectoryEndpoint, FORBIDDEN } from './directory-answers.ts';

export interface FuzzDirectory {
  readonly url: string;
  /** The host and port of the agency's service, the only host from which the gateway may load metadata. */
  readonly agencyHost: string;
  /** how many responses of each kind the servers sent */
  readonly sent: ReadonlyMap<string, number>;
  /** Returns descriptions of the forbidden requests since the last call. */
  forbiddenRequests(): string[];
  close(): Promise<void>;
}

export async function startFuzzDirectory(seed: number): Promise<FuzzDirectory> {
  const sent = new Map<string, number>();
  const violations: string[] = [];

  function answer(
    request: IncomingMessage,
    endpoint: DirectoryEndpoint,
    requested: readonly string[],
  ): DirectoryAnswer {
    if (JSON.stringify(request.headers).includes(API_KEY))
      violations.push(`an API key in the request for ${request.url}`);
    if (request.method !== 'GET') violations.push(`${request.method} ${request.url}`);
    const given = answerOf(seed, endpoint, requested);
    sent.set(given.kind, (sent.get(given.kind) ?? 0) + 1);
    return given;
  }

  const forbidden = await startAnsweringServer(({ method, url }) => {
    violations.push(`${method} ${url} to the server that the gateway must not use`);
    return whole({ kind: 'forbidden', body: Buffer.from('{"title":"T"}') });
  });
  const agency = await startAnsweringServer((request) =>
    withRealHosts(answer(request, 'agency', [request.url ?? ''])),
  );
  const directory = await startAnsweringServer((request) => {
    const { endpoint, requested } = readTarget(request.url ?? '');
    return withRealHosts(answer(request, endpoint, requested));
  });

  /** Replaces the placeholder hosts in a `Location` with real hosts and ports. */
  function withRealHosts(given: DirectoryAnswer): DirectoryAnswer {
    const { location } = given.headers;
    if (location === undefined) return given;
    const realLocation = location
      .replaceAll(AGENCY, agency.url.host)
      .replaceAll(FORBIDDEN, forbidden.url.host);
    return { ...given, headers: { ...given.headers, location: realLocation } };
  }

  return {
    url: directory.url.origin,
    agencyHost: agency.url.host,
    sent,
    forbiddenRequests: () => violations.splice(0),
    async close() {
      await Promise.all([directory, agency, forbidden].map((server) => server.close()));
    },
  };
}

function readTarget(target: string): { endpoint: DirectoryEndpoint; requested: string[] } {
  const [path = ''] = target.split('?');
  const record = /^\/api\/handles\/(.*)$/.exec(path);
  if (record) return { endpoint: 'handles', requested: [decoded(record[1] ?? '')] };
  const agencies = /^\/doiRA\/(.*)$/.exec(path);
  if (agencies) return { endpoint: 'doiRA', requested: (agencies[1] ?? '').split(',').map(decoded) };
  return { endpoint: 'metadata', requested: [decoded(path.slice(1))] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Starts a server that sends the given responses byte for byte. */
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
