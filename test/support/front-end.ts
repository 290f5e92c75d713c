// The built front-end example on loopback, with the gateway behind the same origin, as in production.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

const dist = new URL('../../examples/front-end/dist/', import.meta.url);

const notBuilt = 'examples/front-end is not built (there: npm ci && npm run build)';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Whether to skip a suite that needs the example built. Writes one line about it. In CI nothing is skipped:
 * there the start fails.
 */
export function withoutFrontEnd(suite: string): boolean {
  if (existsSync(dist) || process.env['CI']) return false;
  process.stderr.write(`skipped: ${suite}: ${notBuilt}\n`);
  return true;
}

export interface FrontEnd {
  /** `http://127.0.0.1:…/` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the example. `/graphql` is the gateway's, and breaks off while the gateway is down.
 * Throws when the example is not built.
 */
export async function startFrontEnd(gateway: { readonly url: string }): Promise<FrontEnd> {
  if (!existsSync(dist)) throw new Error(notBuilt);
  const server = createServer((received, response) => {
    if (received.url?.startsWith('/graphql')) forward(received, response, gateway.url);
    else void serveFile(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(received: IncomingMessage, response: ServerResponse, gatewayUrl: string): void {
  const { method, headers } = received;
  const onward = request(gatewayUrl + received.url, { method, headers, agent: false }, (upstream) => {
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    upstream.pipe(response);
    upstream.once('error', () => response.destroy());
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  received.pipe(onward);
}

async function serveFile({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = url === '/' ? 'index.html' : url.slice(1);
  try {
    const content = await readFile(new URL(file, dist));
    response.setHeader('content-type', contentTypes[extname(file)] ?? 'application/octet-stream');
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}
