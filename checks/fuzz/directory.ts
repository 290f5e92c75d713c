// Three servers for the fuzzed gateway, in this process. The gateway sends requests to a directory and to an agency that
// serves metadata; the seed decides their responses. The gateway must never send a request to the third server.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DirectoryServer, startDirectoryServer } from '../../test/support/directory-server.ts';
import { API_KEY } from './canaries.ts';
import { AGENCY, type DirectoryEndpoint, FORBIDDEN, responseOf } from './directory-responses.ts';
import { type DirectoryResponse, withDefaults } from './response-parts.ts';

export interface FuzzDirectory {
  readonly url: string;
  /** The agency's host and port. The gateway may load metadata from no other host. */
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

  /** Records the violations of a request, and returns the response that the seed decides. */
  function respondTo(
    request: IncomingMessage,
    endpoint: DirectoryEndpoint,
    requested: readonly string[],
  ): DirectoryResponse {
    if (JSON.stringify(request.headers).includes(API_KEY))
      violations.push(`an API key in the request for ${request.url}`);
    if (request.method !== 'GET') violations.push(`${request.method} ${request.url}`);
    const given = responseOf(seed, endpoint, requested);
    sent.set(given.kind, (sent.get(given.kind) ?? 0) + 1);
    return given;
  }

  const forbidden = await startRespondingServer(({ method, url }) => {
    violations.push(`${method} ${url} to the server that the gateway must not use`);
    return withDefaults({ kind: 'forbidden', body: Buffer.from('{"title":"T"}') });
  });
  const agency = await startRespondingServer((request) =>
    withRealHosts(respondTo(request, 'agency', [request.url ?? ''])),
  );
  const directory = await startRespondingServer((request) => {
    const { endpoint, requested } = readTarget(request.url ?? '');
    return withRealHosts(respondTo(request, endpoint, requested));
  });

  /** Replaces the placeholder hosts in a `Location` with real hosts and ports. */
  function withRealHosts(given: DirectoryResponse): DirectoryResponse {
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
  const [, face, names = ''] = /^\/(api\/handles|doiRA)\/(.*)$/.exec(path) ?? [];
  if (face === undefined) return { endpoint: 'metadata', requested: [decoded(path.slice(1))] };
  if (face === 'doiRA') return { endpoint: 'doiRA', requested: names.split(',').map(decoded) };
  return { endpoint: 'handles', requested: [decoded(names)] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Starts a server that sends the given responses byte for byte. */
async function startRespondingServer(
  responseTo: (request: IncomingMessage) => DirectoryResponse,
): Promise<DirectoryServer> {
  const server = await startDirectoryServer();
  server.behaveAlways((request, response) => {
    response.on('error', () => undefined);
    const planned = responseTo(request);
    const respond = (): void => send(planned, request, response);
    if (planned.waitMs === 0) respond();
    else setTimeout(respond, planned.waitMs);
  });
  return server;
}

function send(planned: DirectoryResponse, { socket }: IncomingMessage, response: ServerResponse): void {
  if (socket.destroyed) return;
  const { status, headers, body, ending } = planned;
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
