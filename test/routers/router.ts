// Routers of federated graphs, each from its own folder and as its own process. For *.process.test.ts only.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import type { GraphqlResult } from '../support/gateway.ts';

/** The folders of the routers. `hive-unlocked` has the newest versions of everything, as npm installs them for a user. */
type RouterFolder = 'apollo' | 'hive' | 'hive-unlocked';

/** The file that `npx @graphql-hive/gateway` runs, in the folder of Hive Gateway. */
export const HIVE_COMMAND = 'node_modules/@graphql-hive/gateway/dist/bin.js';

export const folderOf = (router: string): string => fileURLToPath(new URL(router, import.meta.url));

/**
 * Whether to leave out a suite that needs a router. Says so in one line. In CI nothing is left out: there the start
 * fails.
 */
export function withoutRouter(router: RouterFolder): boolean {
  if (existsSync(`${folderOf(router)}/node_modules`) || process.env['CI']) return false;
  process.stderr.write(
    `skipped: test/routers/${router}: not installed (npm ci --prefix test/routers/${router})\n`,
  );
  return true;
}

export interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Router {
  /** `http://127.0.0.1:…`, without a slash at its end */
  readonly url: string;
  query<Data = Record<string, unknown>>(query: string, request?: Request): Promise<GraphqlResult<Data>>;
  stop(): Promise<void>;
}

/** Runs Node with arguments that depend on the port, and waits until the process prints its URL. */
export async function startRouter(
  router: RouterFolder,
  argsFor: (port: string) => readonly string[],
): Promise<Router> {
  const port = String(await freePort());
  const child = spawn(process.execPath, argsFor(port), {
    cwd: folderOf(router),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await untilPrinted(child, `http://127.0.0.1:${port}`);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async query<Data>(query: string, { headers = {}, signal }: Request = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
        ...(signal && { signal }),
      });
      return (await response.json()) as GraphqlResult<Data>;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Rejects with all that the process printed if it ends first. */
async function untilPrinted(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        if (output.includes(text)) resolve();
      });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The router ended before it listened:\n${output}`)));
  });
}
