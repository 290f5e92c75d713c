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

export interface BenchGateway {
  readonly url: string;
  readonly process: ChildProcess;
}

/** The real process, on a free port. */
export async function startGateway(env: Readonly<Record<string, string>>): Promise<BenchGateway> {
  const child = startProcess('../src/main.ts', [], { PORT: '0', LOG_LEVEL: 'info', ...env });
  for await (const line of child.stdout ?? []) {
    const url = /http:\/\/localhost:(\d+)/.exec(String(line));
    if (url) {
      child.stdout?.resume();
      return { url: `http://127.0.0.1:${url[1]}`, process: child };
    }
  }
  throw new Error('the gateway did not start');
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

export interface Answer {
  readonly data?: { readonly dois: readonly { readonly record: { readonly stale: boolean } | null }[] };
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** One query for the records of many names. */
export async function askRecords(url: string, names: readonly string[], agencies = false): Promise<Answer> {
  const more = agencies ? 'whichRa { status }' : '';
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `query ($inputs: [String!]!) { dois(inputs: $inputs) { record { status stale } ${more} } }`,
      variables: { inputs: names },
    }),
  });
  return (await response.json()) as Answer;
}

/** The URL of each name's record. Rejects when any part of the answer is an error. */
export async function askTexts(url: string, inputs: readonly string[]): Promise<(string | undefined)[]> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($inputs: [String!]!) { dois(inputs: $inputs) { record { values { text } } } }',
      variables: { inputs },
    }),
  });
  const { data, errors } = (await response.json()) as {
    data: { dois: { record: { values: { text: string }[] } }[] };
    errors?: unknown[];
  };
  if (errors) throw new Error('an answer has errors');
  return data.dois.map(({ record }) => record.values[0]?.text);
}

export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.5555/${prefix}-${index}`);
}

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: Math.round(performance.now() - start), result };
}

export function print(title: string, rows: readonly Readonly<Record<string, unknown>>[]): void {
  console.log(`\n${title}`);
  console.table(rows);
}
