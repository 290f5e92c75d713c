// The federation example, started as its README says. If its own packages are not installed, Node finds the packages of
// the project, which are the same packages.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const exampleFolder = fileURLToPath(new URL('../../examples/federation', import.meta.url));

export interface FederationExample {
  /** by the name that it prints */
  readonly parts: Readonly<Record<string, { readonly url: string; readonly pid: number }>>;
  /** its output, line by line */
  readonly lines: readonly string[];
  query(part: string, text: string): Promise<unknown>;
  /** Sends a signal. Resolves with the exit code, and the signal that ended it. */
  end(signal: 'SIGINT' | 'SIGTERM'): Promise<unknown[]>;
}

const ANY_FREE = { PORT: '0', CATALOG_PORT: '0', REVIEWS_PORT: '0', DOI_GATEWAY_PORT: '0' };

/** All parts on free ports. */
export async function startFederationExample(): Promise<FederationExample> {
  const example = spawn(process.execPath, ['start.mjs'], {
    cwd: exampleFolder,
    env: { PATH: process.env['PATH'], ...ANY_FREE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(example, 'exit');
  const parts: Record<string, { url: string; pid: number }> = {};
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const output = createInterface({ input: example.stdout });
    output.on('line', (line) => {
      lines.push(line);
      const [, name = '', url = '', pid] = /^(.+?) +(http:\S+) {2}process (\d+)$/.exec(line) ?? [];
      if (pid) parts[name] = { url, pid: Number(pid) };
      if (name === 'federated gateway') resolve();
    });
    output.on('close', () => reject(new Error('The example ended before it listened.')));
  });
  return {
    parts,
    lines,
    async query(part, query) {
      const response = await fetch(parts[part]?.url ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return response.json();
    },
    end(signal) {
      example.kill(signal);
      return ended;
    },
  };
}
