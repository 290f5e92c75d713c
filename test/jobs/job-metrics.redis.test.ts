// /metrics and /readyz report the jobs.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { until, withoutRedis } from '../support/redis-server.ts';
import { addressOf, ended, JOB_HEADER, newFleet, uploadTo } from './job-fleet.ts';
import { createGatedDirectory } from './job-folder.ts';

/** The metrics of jobs, by name and label. */
async function metricsOf({ url }: ListeningGateway): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^doi_gateway_((?:jobs?_?|redis_)\S*) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

async function readiness({ url }: ListeningGateway) {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, ...((await response.json()) as object) };
}

const problemMetric = (problem: string) => `redis_problem{redis="jobs",problem="${problem}"}`;

// The tests run at the same time, because they mostly wait.
describe.skipIf(withoutRedis('metrics of jobs')).concurrent('for jobs', () => {
  it('each process reports the jobs of all processes, and the names that this process has looked up', async (context) => {
    const fleet = await newFleet(context);
    const directory = createFakeDirectory({ records: { '10.1000/1': [urlValue('https://example.org/1')] } });
    const worker = await fleet.start({ directory }, { JOBS_MAX_BYTES: '5000' });
    const other = await fleet.start({ directory }, { ROLE: 'gateway' });
    const file = '10.1000/1\n10.1000/none\nno name\n';
    await ended(other, await addressOf(await uploadTo(other, file, '?fields=exists')));
    await ended(other, await addressOf(await uploadTo(other, '10.1000/1\n', '?fields=name')));
    const [ofWorker, ofOther] = [await metricsOf(worker), await metricsOf(other)];
    for (const metrics of [ofWorker, ofOther]) {
      expect(metrics).toMatchObject({
        'jobs{state="done"}': 2,
        'jobs{state="running"}': 0,
        'job_chunks{state="waiting"}': 0,
        'job_chunks{state="running"}': 0,
        jobs_redis_up: 1,
        job_failed_attempts_total: 0,
      });
      expect(metrics['jobs_bytes']).toBeGreaterThan(file.length);
    }
    expect(ofWorker).toMatchObject({
      'job_names_total{outcome="found"}': 1,
      'job_names_total{outcome="absent"}': 1,
      'job_names_total{outcome="invalid"}': 1,
      'job_names_total{outcome="failed"}': 0,
      'job_names_total{outcome="answered"}': 1,
      jobs_bytes_limit: 5_000,
    });
    expect(ofOther).not.toHaveProperty(['job_names_total{outcome="found"}']);
  });

  it('the metrics count running and waiting chunks', async (context) => {
    const fleet = await newFleet(context);
    const directory = createGatedDirectory('10.1000/0');
    const limits = { concurrentChunks: 1, chunksOfClient: 3 };
    const gateway = await fleet.start({ directory, limits });
    const file = Array.from({ length: 4_000 }, (_, at) => `10.1000/${at}\n`).join('');
    const address = await addressOf(await uploadTo(gateway, file, '?fields=exists'));
    await directory.reached;
    expect(await metricsOf(gateway)).toMatchObject({
      'jobs{state="running"}': 1,
      'job_chunks{state="running"}': 1,
      'job_chunks{state="waiting"}': 2,
    });
    directory.open();
    expect(await ended(gateway, address)).toMatchObject({ state: 'done' });
  });

  it('the metrics count failed attempts', async (context) => {
    const fleet = await newFleet(context);
    const directory = createGatedDirectory('10.1000/1');
    const gateway = await fleet.start({ directory });
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=exists'));
    await directory.reached;
    const [job = ''] = await fleet.jobsOnDisk();
    const results = join(fleet.folder, 'jobs', job, 'output');
    await rm(results, { recursive: true });
    directory.open();
    await until('it has failed', async () => (await metricsOf(gateway))['job_failed_attempts_total'] === 1);
    await mkdir(results);
    expect(await ended(gateway, address)).toMatchObject({ state: 'done', absent: 1 });
  });

  it('a worker with an address for operators serves no metrics at its public address', async (context) => {
    const fleet = await newFleet(context);
    const env = { ROLE: 'worker', OPS_ADDRESS: '127.0.0.1:0' };
    const worker = await fleet.start({ directory: createFakeDirectory() }, env);
    const paths = ['/healthz', '/readyz', '/metrics'];
    const responses = await Promise.all(paths.map((path) => fetch(worker.url + path)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404]);
  });

  it('the metrics of all processes are missing while Redis is down, and /readyz reports the outage', async (context) => {
    const fleet = await newFleet(context);
    const gateway = await fleet.start({ directory: createFakeDirectory() });
    expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'ready', jobs: 'up' });
    await fleet.redis.kill();
    await until('it is noticed', async () => (await metricsOf(gateway))['jobs_redis_up'] === 0);
    expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'degraded', jobs: 'down' });
    expect(Object.keys(await metricsOf(gateway)).filter((name) => name.includes('state='))).toEqual([]);
    await fleet.redis.restart();
    await until('it is back', async () => (await metricsOf(gateway))['jobs_redis_up'] === 1);
    expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'ready', jobs: 'up' });
  });

  it('the gateway reports a full Redis and accepts no job, but clients can read and delete jobs', async (context) => {
    const fleet = await newFleet(context);
    const kept = keepLog();
    const gateway = await fleet.start({ directory: createFakeDirectory(), log: kept.log });
    const address = gateway.url + (await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=name')));
    await fleet.redis.client.config('SET', 'maxmemory', '1mb');
    await until('it is noticed', async () => (await metricsOf(gateway))[problemMetric('full')] === 1);
    expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'degraded', jobs: 'full' });
    expect((await metricsOf(gateway))['jobs_redis_up']).toBe(1);
    expect((await uploadTo(gateway, '10.1000/1\n')).status).toBe(503);
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address, { method: 'DELETE', headers: JOB_HEADER })).status).toBe(204);
    await fleet.redis.client.config('SET', 'maxmemory', '0');
    await kept.until('The Redis of the jobs is not full, and does not evict.', 1);
    expect(await readiness(gateway)).toMatchObject({ status: 'ready', jobs: 'up' });
    expect(
      kept.of('The Redis of the jobs is full and refuses writes. Give it more memory (maxmemory).'),
    ).toHaveLength(1);
  });

  it('the gateway reports a Redis that begins to evict keys, and the jobs continue', async (context) => {
    const fleet = await newFleet(context);
    const kept = keepLog();
    const gateway = await fleet.start({ directory: createFakeDirectory(), log: kept.log });
    await fleet.redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const message = 'The Redis of the jobs may evict data. Set maxmemory-policy noeviction.';
    const [line] = await kept.until(message, 1);
    expect(line).toMatchObject({ policy: 'allkeys-lru' });
    expect(await metricsOf(gateway)).toMatchObject({
      [problemMetric('evicting')]: 1,
      [problemMetric('full')]: 0,
    });
    expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'degraded', jobs: 'evicting' });
    expect((await uploadTo(gateway, '10.1000/1\n')).status).toBe(201);
  });
});
