// From the start of a process to its first answer, and what it holds when nothing is asked.

import { setTimeout } from 'node:timers/promises';
import { requestBytes } from '../http-bytes.ts';
import { listening, type StartOptions, spawnServer } from '../node-process.ts';
import { readMemory } from '../process-usage.ts';
import { median, printTable } from '../table.ts';
import { exchange } from './check.ts';
import { ROWS } from './rows.ts';
import { PEERS, type Servers, TITLES } from './servers.ts';

const ROUNDS = 5;
const POLL_MS = 4;
const IDLE_MS = 1_000;

export interface Start {
  readonly firstAnswerMs: number;
  readonly idleRssMb: number;
}

export async function measureStarts(servers: Servers): Promise<Start> {
  const peers = await Promise.all(
    PEERS.map(async (name) => ({ title: TITLES[name], options: await servers.startOptions(name) })),
  );
  const { file } = await servers.startOptions('ours');
  const ours = { title: 'ours, the bundled sample', options: { file } };
  const starts = new Map([...peers, ours].map(({ title }) => [title, [] as Start[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { title, options } of [...peers, ours]) starts.get(title)?.push(await measureStart(options));
  }
  const rows = [...starts].map(([title, measured]) => ({ title, ...medians(measured) }));
  printTable(
    `start, the median of ${ROUNDS}`,
    ['server', 'first answer ms', 'idle RSS MB'],
    rows.map(({ title, firstAnswerMs, idleRssMb }) => [title, firstAnswerMs, idleRssMb]),
  );
  return rows.at(-1) as Start;
}

function medians(starts: readonly Start[]): Start {
  return {
    firstAnswerMs: Math.round(median(starts.map((start) => start.firstAnswerMs))),
    idleRssMb: median(starts.map((start) => start.idleRssMb)),
  };
}

async function measureStart(options: StartOptions): Promise<Start> {
  const start = performance.now();
  const server = await spawnServer(options);
  await listening(server, POLL_MS);
  await exchange(server.port, firstRequest());
  const firstAnswerMs = performance.now() - start;
  await setTimeout(IDLE_MS);
  const idleRssMb = (readMemory(server.pid)?.rssBytes ?? Number.NaN) / 1e6;
  await server.end();
  return { firstAnswerMs, idleRssMb };
}

/** The query of the first row: a record, found or not, is an answer. */
function firstRequest(): Buffer {
  return ROWS[0]?.requests[0] ?? requestBytes({ target: '/' });
}
