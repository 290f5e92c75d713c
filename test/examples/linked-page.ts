// A page with <doi-link> elements on one port, and a gateway that a test plays on another.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../../examples/front-end/src/doi-link/doi-link.ts', import.meta.url));

/** The element as one minified module. */
export async function buildDoiLink(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** A promise that a test resolves by hand. */
export function gate<Value = void>(): {
  readonly opened: Promise<Value>;
  readonly open: (value: Value) => void;
} {
  let open: (value: Value) => void = () => {};
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export interface PlayedGateway {
  /** `http://127.0.0.1:…/graphql` */
  readonly url: string;
  /** each request for data, by its inputs */
  readonly requests: { readonly method: string; readonly inputs: readonly string[] }[];
  respond: (request: Request) => Response | Promise<Response>;
  close(): Promise<void>;
}

/** Preflights go to `respond` too, and are not in `requests`. */
export async function playGateway(): Promise<PlayedGateway> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  const origin = await listen(server);
  const played: PlayedGateway = {
    url: `${origin}/graphql`,
    requests: [],
    respond: () => Response.error(),
    close: () => close(server),
  };
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '', origin);
    const body = method === 'POST' ? Buffer.concat(await incoming.toArray()).toString() : null;
    const variables =
      body === null ? url.searchParams.get('variables') : JSON.stringify(JSON.parse(body).variables);
    if (variables !== null) played.requests.push({ method, inputs: JSON.parse(variables).inputs });
    const response = await played.respond(
      new Request(url, { method, body, headers: headers as HeadersInit }),
    );
    if (outgoing.destroyed) return;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  }
  return played;
}

export interface LinkedPage {
  /** `http://127.0.0.1:…/` */
  readonly url: string;
  /** the body of the next page; a later part follows when `more` resolves */
  body: string;
  more: Promise<string>;
  /** The response with the script waits for this promise. */
  script: Promise<unknown>;
  close(): Promise<void>;
}

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>References</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css"><script type="module" async src="doi-link.js"></script>`;

/** The Content-Security-Policy of the page allows no inline style and no inline script. */
export async function serveLinkedPage(script: Uint8Array, css: string): Promise<LinkedPage> {
  const server = createServer(async ({ url }, response) => {
    if (url?.startsWith('/doi-link.js')) {
      await page.script;
      response.setHeader('content-type', 'text/javascript').end(script);
    } else if (url === '/page.css') {
      response.setHeader('content-type', 'text/css').end(css);
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src http://127.0.0.1:*",
      );
      response.write(HEAD + page.body);
      response.end(await page.more);
    }
  });
  const origin = await listen(server);
  const page: LinkedPage = {
    url: `${origin}/`,
    body: '',
    more: Promise.resolve(''),
    script: Promise.resolve(),
    close: () => close(server),
  };
  return page;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
