// What is attacked: the gateway as a process with a heap of 512 MB, and the honest client beside it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { graphqlBytes } from '../http-bytes.ts';
import { type ServerProcess, type StartOptions, startServer } from '../node-process.ts';
import { names } from '../peers/data.mjs';
import type { HonestOrder, HonestReport } from './honest.ts';

const HEAP = '--max-old-space-size=512';

export interface Target {
  server(): ServerProcess;
  /** Waits until the honest client is answered at once again. */
  settle(): Promise<HonestReport>;
  /** Starts the gateway anew. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** @param prepare done with each gateway that is started, before anything else, such as filling its caches */
export async function startTarget(
  { file, env = {} }: StartOptions,
  prepare: (port: number) => Promise<void> = async () => undefined,
): Promise<Target> {
  const start = (): Promise<ServerProcess> => startServer({ file, env, nodeOptions: [HEAP] });
  let server = await start();
  const honest = fork(fileURLToPath(new URL('./honest.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const settle = (): Promise<HonestReport> => reportOf(honest);
  const meet = async (): Promise<void> => {
    await prepare(server.port);
    honest.send({ port: server.port, pid: server.pid, request: ordinaryQuery() } satisfies HonestOrder);
    await settle();
    await warm(settle);
  };
  await meet();
  return {
    server: () => server,
    settle,
    async restart() {
      await server.end();
      server = await start();
      await meet();
    },
    async end() {
      honest.disconnect();
      await server.end();
    },
  };
}

/** A second of nothing but the honest client, so that its own way is warm. */
async function warm(settle: () => Promise<HonestReport>): Promise<void> {
  await new Promise((done) => setTimeout(done, 1_000));
  await settle();
}

async function reportOf(honest: ChildProcess): Promise<HonestReport> {
  honest.send('settle');
  const [report] = (await once(honest, 'message')) as [HonestReport];
  return report;
}

function ordinaryQuery(): string {
  const query =
    'query($n:[String!]!){dois(inputs:$n){name url record{values{type text}}registrationAgency{name}}}';
  return graphqlBytes({ query, variables: { n: names.slice(0, 1) } }).toString('base64');
}
