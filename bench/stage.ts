// What the benches are played on: processes on loopback, each ended by its own handle.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order } from './directory-process.ts';

const children = new Set<ChildProcess>();

/** Since it was last told to count. */
export interface Seen {
  readonly records: number;
  readonly agencies: number;
  readonly connections: number;
}

export interface BenchDirectory {
  readonly url: string;
  readonly port: number;
  tell(order: Order): Promise<Seen>;
}

/** `records`: a file of JSON Lines, for what it is to answer of some names. */
export async function startDirectory(order: Order = {}, port = 0, records?: string): Promise<BenchDirectory> {
  const args = [String(port), ...(records === undefined ? [] : [records])];
  const child = startProcess('./directory-process.ts', args, {});
  const [{ port: listening }] = (await once(child, 'message')) as [{ port: number }];
  const tell: BenchDirectory['tell'] = async (next) => {
    child.send(next);
    if (next.mode === 'gone') {
      await once(child, 'exit');
      return { records: 0, agencies: 0, connections: 0 };
    }
    const [seen] = (await once(child, 'message')) as [Seen];
    return seen;
  };
  await tell(order);
  return { url: `http://127.0.0.1:${listening}`, port: listening, tell };
}

export function startProcess(
  file: string,
  args: string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export async function endAll(): Promise<void> {
  const ended = [...children].map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ended);
}
