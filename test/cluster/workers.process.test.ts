// Several worker processes behind one port.

import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { heapOfWorker, memoryMiB } from '../../src/cluster/heap-limit.ts';
import { parseConfig } from '../../src/config.ts';
import { exchange } from '../http/exchange.ts';
import {
  type GatewayProcess,
  postQuery,
  start,
  startUp,
  untilConnectionsAreRefused,
} from '../support/gateway-process.ts';

interface Cluster extends GatewayProcess {
  readonly url: string;
  readonly port: number;
  readonly line: string;
  /** process ids of the workers, in the order in which they came to listen */
  readonly pids: number[];
}

/** The next message that matches. Skips other messages. */
async function message({ messages }: GatewayProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error(`ended without the message ${pattern}`);
    const found = pattern.exec(value);
    if (found) return found;
  }
}

const nextWorker = async (gateway: GatewayProcess): Promise<number> =>
  Number((await message(gateway, /^Worker (\d+) listens\.$/))[1]);

async function startCluster(
  environment: Readonly<Record<string, string>> = {},
  workers = 2,
): Promise<Cluster> {
  const gateway = start({ WORKERS: String(workers), LOG_LEVEL: 'debug', ...environment });
  const pids: number[] = [];
  while (pids.length < workers) pids.push(await nextWorker(gateway));
  return { ...gateway, ...(await startUp(gateway)), pids };
}

const resultAt = async (url: string): Promise<unknown> =>
  (await postQuery(url, '{ doi(input: "doi:10.1000/182") { exists } }')).json();

const EXISTS = { data: { doi: { exists: true } } };

/** Retries while a worker does not reply in time: then there are no metrics. */
const metricsOf = (url: string) =>
  vi.waitUntil(async () => {
    const { status, text } = await exchange(`${url}/metrics`);
    return status === 200 && text;
  }, 15_000);

/** The value of a metric, by its name with labels. Null if there is no such metric. */
async function metric(url: string, name: string): Promise<number | null> {
  const text = await metricsOf(url);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
}

const OPERATIONS = 'doi_gateway_graphql_operation_seconds_count{outcome="ok"}';

/** The heap limit of each of two workers. The limit holds new objects also, which differ by version and machine. */
const heapOfEachMiB = async (url: string): Promise<number> =>
  ((await metric(url, 'doi_gateway_heap_limit_bytes')) ?? 0) / 2 / 2 ** 20;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('two workers', () => {
  test('log one start message, share an address for operators with merged metrics, and end on SIGTERM', async () => {
    const gateway = await startCluster({ OPS_ADDRESS: '127.0.0.1:0' });
    const { line, url, pids } = gateway;
    expect(line).toMatch(/^DOI gateway on http:\/\/localhost:\d+\/graphql\. .* 2 workers share the port\.$/);
    const ops = / Metrics for operators on (http:\/\/localhost:\d+)\/metrics\. /.exec(line)?.[1] ?? '';
    const [alive, ready] = await Promise.all(['/healthz', '/readyz'].map((path) => exchange(ops + path)));
    expect([alive?.status, ready?.status]).toEqual([200, 200]);
    expect((await exchange(`${url}/metrics`)).status).toBe(404);

    // The primary gives connections to the workers in turn.
    for (let sent = 0; sent < 6; sent += 1) {
      expect(
        (await exchange(`${url}/graphql?query={__typename}`, { headers: { accept: 'application/json' } }))
          .status,
      ).toBe(200);
    }
    const seen = [
      await metric(ops, OPERATIONS),
      await metric(ops, OPERATIONS),
      await metric(ops, OPERATIONS),
    ];
    expect(seen).toEqual([6, 6, 6]);
    expect(await metric(ops, 'doi_gateway_processes')).toBe(2);
    expect(await metric(ops, 'process_cpu_seconds_total')).toBeGreaterThan(0);

    // Each worker has its share of the memory.
    const { heapMiB } = heapOfWorker({ config: parseConfig({}), workers: 2, memoryMiB: memoryMiB() });
    expect(Math.abs((await heapOfEachMiB(ops)) - heapMiB)).toBeLessThan(250);

    gateway.stop();
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect((await gateway.messages.next()).value).toBe('DOI gateway stopped.');
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('are replaced when they end, keep their counters, and end with their primary', async () => {
    const gateway = await startCluster();
    const { url, pids } = gateway;
    for (let sent = 0; sent < 4; sent += 1) await exchange(`${url}/graphql?query={__typename}`);
    const before = await metric(url, OPERATIONS);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await message(
      gateway,
      new RegExp(`^Worker ${pids[0]} ended by SIGKILL\\. The gateway starts another worker\\.$`),
    );
    expect(await resultAt(url)).toEqual(EXISTS);
    const replacement = await nextWorker(gateway);
    expect(pids).not.toContain(replacement);
    // Merged metrics may be a second or two old.
    await expect.poll(() => metric(url, OPERATIONS)).toBe((before ?? 0) + 1);
    await expect.poll(() => metric(url, 'doi_gateway_processes')).toBe(2);

    process.kill(replacement, 'SIGTERM');
    await message(gateway, new RegExp(`^Worker ${replacement} ended by exit status 0\\.`));
    await nextWorker(gateway);
    expect(await resultAt(url)).toEqual(EXISTS);

    gateway.stop('SIGKILL');
    // The output ends, and the port is free, when the last process is gone.
    await gateway.ended;
    await untilConnectionsAreRefused(gateway.port);
  });

  test('have the heap of NODE_OPTIONS, and a killed worker leaves no open connection', async () => {
    const { url, port, pids } = await startCluster({ NODE_OPTIONS: '--max-old-space-size=300' });
    expect(Math.abs((await heapOfEachMiB(url)) - 300)).toBeLessThan(250);
    const [stuck = 0] = pids;
    process.kill(stuck, 'SIGSTOP');
    const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
    const outcomes = sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('data', () => resolve('answered')).once('close', () => resolve('ended'));
          socket.on('error', () => undefined);
          socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        }),
    );
    // The other worker has responded, so the primary has distributed all connections.
    await Promise.race(outcomes);
    process.kill(stuck, 'SIGKILL');
    expect([...new Set(await Promise.all(outcomes))].sort()).toEqual(['answered', 'ended']);
  });

  test('are killed and replaced after 10 seconds without a reply', async () => {
    const gateway = await startCluster();
    const [stuck = 0] = gateway.pids;
    process.kill(stuck, 'SIGSTOP');
    await message(gateway, new RegExp(`^Worker ${stuck} has not answered for 10 seconds\\.`));
    await message(gateway, new RegExp(`^Worker ${stuck} ended by SIGKILL\\.`));
    expect(gateway.pids).not.toContain(await nextWorker(gateway));
    expect(await resultAt(gateway.url)).toEqual(EXISTS);
  });

  test('end with status 1 when they die repeatedly', async () => {
    // All at once, because the start of a replacement may take longer than deaths count.
    const gateway = await startCluster({}, 6);
    for (const pid of gateway.pids) process.kill(pid, 'SIGKILL');
    await message(gateway, /6 workers have ended within 10 seconds\. The gateway stops\.$/);
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.pids.filter(isRunning)).toEqual([]);
  });

  test('end together if a terminal also sends them the signal', async () => {
    const gateway = await startCluster();
    for (const pid of gateway.pids) process.kill(pid, 'SIGINT');
    gateway.stop('SIGINT');
    expect((await gateway.ended).signal).toBeNull();
    expect(gateway.pids.filter(isRunning)).toEqual([]);
  });

  test('drain on SIGTERM: they respond, and are not ready. SIGINT ends the drain', async () => {
    const gateway = await startCluster({ SHUTDOWN_DRAIN_MS: '600000' });
    const { url } = gateway;
    gateway.stop();
    const codes: number[] = [];
    // Two responses in a row come from both workers.
    while (codes.slice(-2).join() !== '503,503') codes.push((await exchange(`${url}/readyz`)).status);
    expect(await resultAt(url)).toEqual(EXISTS);
    gateway.stop('SIGINT');
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(gateway.pids.filter(isRunning)).toEqual([]);
  });
});

describe('workers that cannot start end with status 1 and one message about', () => {
  test('the configuration', async () => {
    const { code, stderr } = await start({ WORKERS: '0' }).ended;
    expect([code, stderr.split('\n')[1]]).toEqual([
      1,
      '  WORKERS="0": must be a whole number from 1 to 256, or auto',
    ]);
  });

  test('the directory', async () => {
    const file = join(tmpdir(), 'doi-gateway-no-such-file');
    const ending = await start({ WORKERS: '3', DOI_DIRECTORY_FILE: file }).ended;
    expect(ending).toEqual({
      code: 1,
      signal: null,
      stderr: `DOI_DIRECTORY_FILE: ${file}: cannot be read (ENOENT)\n`,
    });
  });

  test('the port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await start({ WORKERS: '2', PORT: String(port) }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Cannot listen: bind EADDRINUSE 127.0.0.1:${port}. Set HOST and PORT, or OPS_ADDRESS, to another address.\n`,
    );
  });
});

test('`WORKERS=auto` starts a worker for each processor, and no cluster for one processor', async () => {
  const { line } = await startUp(start({ WORKERS: 'auto' }));
  const { availableParallelism } = await import('node:os');
  const count = availableParallelism();
  expect(line.endsWith(` ${count} workers share the port.`)).toBe(count > 1);
});
