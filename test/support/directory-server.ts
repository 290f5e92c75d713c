// A real HTTP server that plays a DOI proxy. It finds no name until a test sets another behaviour, and keeps the
// target of each request.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends a response, or sends no response. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface DirectoryServer {
  readonly url: URL;
  /** request targets exactly as they came, in order, without probes */
  readonly targets: string[];
  readonly probes: string[];
  /** headers of the last request */
  lastHeaders(): IncomingMessage['headers'];
  /** Sets what the server does with requests from now on. Probes still get a response. */
  behave(behaviour: Behaviour): void;
  /** Sets what the server does with requests and probes. */
  behaveAlways(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function startDirectoryServer(initial: Behaviour = notFound): Promise<DirectoryServer> {
  let behaviour = initial;
  let toProbes: Behaviour = notFound;
  let headers: IncomingMessage['headers'] = {};
  const targets: string[] = [];
  const probes: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (isProbe(url)) {
      probes.push(url);
      toProbes(request, response);
      return;
    }
    targets.push(url);
    headers = request.headers;
    behaviour(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    targets,
    probes,
    lastHeaders: () => headers,
    behave(next) {
      behaviour = next;
      toProbes = notFound;
    },
    behaveAlways(next) {
      behaviour = next;
      toProbes = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends JSON with the content type that the proxy uses. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** Whether the gateway only checks that the directory works. */
export function isProbe(target: string): boolean {
  return target.endsWith('?type=HS_SERV');
}

/** The handle name in a request for a record, or the names in one for registration agencies. */
export function requestedNames(request: IncomingMessage): { face: 'handles' | 'doiRA'; names: string[] } {
  const [path = ''] = (request.url ?? '').split('?');
  const record = /^\/api\/handles(?:\/|%2F)(.*)$/.exec(path);
  if (record) return { face: 'handles', names: [decodeURIComponent(record[1] ?? '')] };
  const names = path.replace(/^\/doiRA(?:\/|%2F)/, '').split(',');
  return { face: 'doiRA', names: names.map(decodeURIComponent) };
}

function notFound(request: IncomingMessage, response: ServerResponse): void {
  const { face, names } = requestedNames(request);
  if (face === 'handles') sendJson(response, 404, { responseCode: 100, handle: names[0] });
  else
    sendJson(
      response,
      200,
      names.map((DOI) => ({ DOI, status: 'DOI does not exist' })),
    );
}
