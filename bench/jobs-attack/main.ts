// npm run jobs-attack: hostile uploads and event streams, with an honest client and its small jobs beside them.
// Needs redis-server (REDIS_SERVER_PATH).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRedisServer } from '../../test/support/redis-server.ts';
import { LIMITS } from '../attack/play.ts';
import { startTarget, type Target } from '../attack/target.ts';
import { builtGateway, endServers } from '../node-process.ts';
import { agenciesFile, directoryFile, names } from '../peers/data.mjs';
import { readMemory } from '../process-usage.ts';
import { printTable } from '../table.ts';
import { FILES, LONG_JOB } from './files.ts';
import { listen, newClient, type Sent, send } from './requests.ts';

const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const HONEST_EVERY_MS = 500;
const counted = (words: readonly (string | number)[]): string =>
  [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} × ${word}`).join(', ');

async function tenUploads(port: number, query: string, file: string): Promise<string> {
  const client = newClient();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      send(port, client, `/jobs?${query}`, { method: 'POST', body: file }).catch((error: Error) => ({
        status: 0,
        text: error.message,
        location: undefined,
      })),
    ),
  );
  await settled(port, client, answers);
  const refused = answers.find(({ status }) => status !== 201)?.text.slice(0, 300) ?? '';
  return `${counted(answers.map(({ status }) => status))} ${refused}`;
}

/** Waits a while for the jobs, and deletes them. */
async function settled(port: number, client: string, answers: readonly Sent[]): Promise<void> {
  const until = performance.now() + 15_000;
  for (const { location } of answers) {
    while (location !== undefined && performance.now() < until) {
      if (/"state":"(done|failed)"/.test((await send(port, client, location)).text)) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    if (location) await send(port, client, location, { method: 'DELETE' });
  }
}

async function twoLongJobs(port: number, meanwhile: (jobs: readonly Started[]) => Promise<string>) {
  const jobs = await Promise.all(
    [newClient(), newClient()].map(async (client) => {
      const job = await send(port, client, '/jobs?fields=exists', { method: 'POST', body: LONG_JOB });
      return { client, path: job.location ?? '' };
    }),
  );
  const outcome = await meanwhile(jobs);
  for (const { client, path } of jobs) await send(port, client, path, { method: 'DELETE' });
  return outcome;
}

interface Started {
  readonly client: string;
  readonly path: string;
}

async function thousandStreams(port: number): Promise<string> {
  return twoLongJobs(port, async ([its, other]) => {
    const streams = await Promise.all(
      Array.from({ length: 1_002 }, () => listen(port, its?.client ?? '', its?.path ?? '')),
    );
    const own = await listen(port, other?.client ?? '', other?.path ?? '');
    for (const { sent } of [...streams, own]) sent.destroy();
    return `attacker: ${counted(streams.map(({ status }) => status))}; honest: ${own.status}`;
  });
}

/** Small jobs of an honest client, one after the other, until stopped. */
function smallJobs(port: number) {
  let isOver = false;
  const told = { jobs: 0, failed: 0, longestMs: 0, why: '' as string };
  const over = (async () => {
    const client = newClient();
    const body = `doi\n${names.slice(0, 20).join('\n')}\n`;
    while (!isOver) {
      const start = performance.now();
      try {
        const job = await send(port, client, '/jobs', { method: 'POST', body });
        const events = await send(port, client, job.location ?? '/none', { accept: 'text/event-stream' });
        const isDone = events.text.includes('"state":"done"');
        if (!isDone) {
          told.failed += 1;
          told.why = `${job.status} ${job.text.slice(0, 200)} ${events.text.slice(0, 200)}`;
        }
        if (job.location) await send(port, client, job.location, { method: 'DELETE' });
      } catch (error) {
        told.failed += 1;
        told.why = String(error);
      }
      told.jobs += 1;
      told.longestMs = Math.max(told.longestMs, performance.now() - start);
      await new Promise((done) => setTimeout(done, HONEST_EVERY_MS));
    }
    return told;
  })();
  return () => {
    isOver = true;
    return over;
  };
}

const attacks: Readonly<Record<string, (port: number) => Promise<string>>> = {
  ...Object.fromEntries(
    Object.entries(FILES).map(([name, [query, file]]) => [
      `${name} (${Math.round(file.length / 1_000)} kB, 10 at once)`,
      (port: number) => tenUploads(port, query, file),
    ]),
  ),
  'two ordinary jobs of 100,000 names': (port) =>
    twoLongJobs(port, () => new Promise((done) => setTimeout(done, 5_000, 'taken'))),
  '1,002 event streams of one job': thousandStreams,
};

async function main(): Promise<void> {
  const file = builtGateway();
  const folder = mkdtempSync(join(tmpdir(), 'doi-jobs-attack-'));
  const redis = await startRedisServer();
  const records = join(folder, 'records.jsonl');
  const agencies = join(folder, 'agencies.json');
  writeFileSync(records, directoryFile());
  writeFileSync(agencies, agenciesFile());
  const env = {
    DOI_DIRECTORY_FILE: records,
    DOI_AGENCIES_FILE: agencies,
    JOBS_REDIS_URL: redis.url,
    JOBS_DIR: join(folder, 'jobs'),
    TRUSTED_PROXIES: '127.0.0.1',
  };
  let target: Target | undefined;
  const rows: (string | number)[][] = [];
  try {
    target = await startTarget({ file, env });
    for (const [name, play] of Object.entries(attacks)) {
      if (!name.includes(flags.only)) continue;
      const { port, pid } = target.server();
      const stop = smallJobs(port);
      await target.settle();
      const outcome = await play(port).catch((error: unknown) => String(error));
      const honest = await target.settle();
      const jobs = await stop();
      const rss = Math.round((readMemory(pid)?.peakRssBytes ?? 0) / 1e6);
      const isWell = honest.longestWaitMs < LIMITS.waitMs && honest.failed + jobs.failed === 0;
      rows.push([
        `${isWell ? ' ' : '✗'} ${name}`,
        Math.round(honest.longestWaitMs),
        honest.failed,
        `${jobs.jobs}, ${jobs.failed} failed${jobs.why && `: ${jobs.why}`}`,
        Math.round(jobs.longestMs),
        rss,
        outcome,
      ]);
      console.log(rows.at(-1)?.join(' | '));
      if (!isWell) process.exitCode = 1;
    }
    printTable(
      'Jobs under attack',
      ['attack', 'honest max ms', 'failed', 'small jobs', 'slowest ms', 'peak RSS MB', 'attacker got'],
      rows,
    );
  } finally {
    await target?.end();
    await redis.close();
    await endServers();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
