// What the cache and the resilience are for, measured: cold, warm, stampede, outage, throttled, stopped.
// npx tsx bench/resilience.ts; needs redis-server for the parts with two replicas.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { askRecords, askTexts, endAll, names, print, startDirectory, startGateway, timed } from './stage.ts';

const CONNECTIONS = 64;
const LATENCY_MS = 50;

async function coldAndWarm(): Promise<void> {
  const directory = await startDirectory({ latencyMs: LATENCY_MS });
  const gateway = await startGateway({
    DOI_DIRECTORY_URL: directory.url,
    DIRECTORY_CONNECTIONS: String(CONNECTIONS),
  });
  // The first thousands are slower, until the code has been compiled.
  for (const round of [1, 2, 3]) await askRecords(gateway.url, names(`warm-up-${round}`, 1_000));
  const cold = names('cold', 1_000);
  await directory.tell({ count: true });
  const first = await timed(() => askRecords(gateway.url, cold));
  const coldCalls = await directory.tell({ count: true });
  const second = await timed(() => askRecords(gateway.url, cold));
  const warmCalls = await directory.tell({ count: true });
  const ideal = Math.ceil(1_000 / CONNECTIONS) * LATENCY_MS;
  print('1,000 names, a directory that takes 50 ms, 64 connections', [
    {
      run: 'cold',
      ms: first.ms,
      'ideal ms': ideal,
      ratio: +(first.ms / ideal).toFixed(2),
      calls: coldCalls.records,
    },
    { run: 'warm', ms: second.ms, 'ideal ms': 0, ratio: '-', calls: warmCalls.records },
  ]);

  const crowd = names('crowd', 1_000);
  const together = await timed(() =>
    Promise.all(Array.from({ length: 10 }, () => askRecords(gateway.url, crowd))),
  );
  print('10 clients, the same 1,000 cold names, one replica', [
    { ms: together.ms, calls: (await directory.tell({ count: true })).records },
  ]);
  await endAll();
}

async function twoReplicas(): Promise<void> {
  const redis = await startRedis();
  const directory = await startDirectory({ latencyMs: LATENCY_MS });
  const env = { DOI_DIRECTORY_URL: directory.url, REDIS_URL: redis.url };
  const replicas = await Promise.all([startGateway(env), startGateway(env)]);
  for (const { url } of replicas) await askRecords(url, names('warm-up', 500));
  await directory.tell({ count: true });
  const crowd = names('fleet', 1_000);
  const clients = replicas.flatMap(({ url }) => Array.from({ length: 5 }, () => askRecords(url, crowd)));
  const together = await timed(() => Promise.all(clients));
  print('10 clients, the same 1,000 cold names, two replicas with Redis', [
    { ms: together.ms, calls: (await directory.tell({ count: true })).records },
  ]);
  redis.process.kill('SIGKILL');
  await endAll();
}

/** What befalls Redis in mid-run, and what a test of its own would do to set it right. */
const BLOWS: readonly { readonly name: string; readonly strike: (redis: BenchRedis) => void }[] = [
  { name: 'nothing', strike: () => {} },
  { name: 'flushed', strike: ({ command }) => command('FLUSHALL') },
  {
    name: 'fed garbage',
    strike: ({ command }) =>
      command(
        'EVAL',
        "for _, key in ipairs(redis.call('keys', '*record*')) do redis.call('set', key, '{\"not\": [\"ours') end",
        '0',
      ),
  },
  { name: 'frozen', strike: ({ process }) => process.kill('SIGSTOP') },
  { name: 'stopped', strike: ({ process }) => process.kill('SIGKILL') },
];

async function redisBlows(): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for (const { name, strike } of BLOWS) {
    const redis = await startRedis();
    const directory = await startDirectory({ latencyMs: 5 });
    const gateway = await startGateway({ DOI_DIRECTORY_URL: directory.url, REDIS_URL: redis.url });
    await askRecords(gateway.url, names('known', 500));
    const latencies: number[] = [];
    let wrong = 0;
    let failed = 0;
    const end = performance.now() + 4_000;
    setTimeout(() => strike(redis), 1_500);
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let round = 0; performance.now() < end; round += 1) {
        const asked = [...names('known', 20), ...names(`fresh-${client}-${round}`, 3)];
        const { ms, result } = await timed(() => askTexts(gateway.url, asked).catch(() => null));
        latencies.push(ms);
        if (result === null) failed += 1;
        else wrong += asked.filter((one, index) => result[index] !== `https://example.org/${one}`).length;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
    await Promise.all(clients);
    latencies.sort((a, b) => a - b);
    const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
    rows.push({
      'Redis is': name,
      requests: latencies.length,
      wrong,
      failed,
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
    });
    redis.process.kill('SIGCONT');
    redis.process.kill('SIGKILL');
    await endAll();
  }
  print('what befalls Redis in mid-run, under load', rows);
}

async function outage(): Promise<void> {
  const directory = await startDirectory({ ttl: 1 });
  const gateway = await startGateway({ DOI_DIRECTORY_URL: directory.url });
  const known = names('known', 1_000);
  await askRecords(gateway.url, known);
  await directory.tell({ mode: 'gone' });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const old = await timed(() => askRecords(gateway.url, known));
  const unknown = await timed(() => askRecords(gateway.url, names('unknown', 1_000)));
  const codes = new Set(unknown.result.errors?.map(({ extensions }) => extensions.code));
  print('the directory is gone', [
    {
      names: '1,000 known',
      ms: old.ms,
      answers: old.result.data?.dois.filter(({ record }) => record).length,
      stale: old.result.data?.dois.filter(({ record }) => record?.stale).length,
      errors: old.result.errors?.length ?? 0,
      codes: '',
    },
    {
      names: '1,000 unknown',
      ms: unknown.ms,
      answers: unknown.result.data?.dois.filter(({ record }) => record).length,
      stale: 0,
      errors: unknown.result.errors?.length ?? 0,
      codes: [...codes].join(', '),
    },
  ]);
  await endAll();
}

async function throttled(): Promise<void> {
  const directory = await startDirectory();
  const gateway = await startGateway({ DOI_DIRECTORY_URL: directory.url });
  const known = names('known', 200);
  await askRecords(gateway.url, known);
  await directory.tell({ count: true, mode: '429' });
  const end = performance.now() + 5_000;
  let errors = 0;
  let rounds = 0;
  while (performance.now() < end) {
    const answers = await Promise.all([
      askRecords(gateway.url, known),
      askRecords(gateway.url, names(`new-${rounds}`, 20)),
    ]);
    errors += answers[0]?.errors?.length ?? 0;
    rounds += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { records } = await directory.tell({ count: true, mode: 'ok' });
  const recovery = await timed(async () => {
    for (let attempt = 0; ; attempt += 1) {
      const { errors: left } = await askRecords(gateway.url, names(`after-${attempt}`, 1));
      if (!left) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  print('429 to everything for 5 s, Retry-After 1 s', [
    {
      'rounds of 20 new names': rounds,
      'calls in 5 s': records,
      'errors for cached names': errors,
      'recovered after ms': recovery.ms,
    },
  ]);
  await endAll();
}

async function stopped(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const directory = await startDirectory({ latencyMs: 20 });
  const env = { DOI_DIRECTORY_URL: directory.url, SHUTDOWN_DRAIN_MS: '500' };
  const replicas = await Promise.all([startGateway(env), startGateway(env)]);
  const ready = new Set(replicas.map(({ url }) => url));
  let failed = 0;
  let sent = 0;
  const end = performance.now() + 4_000;
  // A balancer in small: it asks the ready ones in turn, and looks every 100 ms who that is.
  const watching = (async () => {
    while (performance.now() < end) {
      for (const { url } of replicas) {
        const isReady = await fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(url);
        else ready.delete(url);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const clients = Array.from({ length: 16 }, async (_, client) => {
    while (performance.now() < end) {
      const urls = [...ready];
      const url = urls[sent % urls.length] ?? '';
      sent += 1;
      const load = names(`load-${client}-${sent}`, 3);
      await askRecords(url, load).catch(async (error) => {
        // Nobody has taken the request: a balancer gives it to another.
        const other = replicas.find((replica) => replica.url !== url)?.url ?? '';
        if (error.cause?.code !== 'ECONNREFUSED') failed += 1;
        else await askRecords(other, load).catch(() => (failed += 1));
      });
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  replicas[0]?.process.kill(signal);
  await Promise.all([watching, ...clients]);
  print(`${signal} to one of two replicas under load`, [{ requests: sent, failed }]);
  await endAll();
}

interface BenchRedis {
  readonly url: string;
  readonly process: ChildProcess;
  command(...words: string[]): void;
}

async function startRedis(): Promise<BenchRedis> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--save',
    '',
    '--appendonly',
    'no',
    '--bind',
    '127.0.0.1',
  ]);
  for await (const line of redis.stdout) if (String(line).includes('Ready to accept')) break;
  redis.stdout.resume();
  const command = (...words: string[]): void => {
    spawn('redis-cli', ['-p', String(port), ...words], { stdio: 'ignore' });
  };
  return { url: `redis://127.0.0.1:${port}`, process: redis, command };
}

try {
  await coldAndWarm();
  await twoReplicas();
  await redisBlows();
  await outage();
  await throttled();
  await stopped('SIGTERM');
  await stopped('SIGKILL');
} finally {
  await endAll();
}
