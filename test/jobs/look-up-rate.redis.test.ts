// Jobs share a budget of look-ups in turn. A stopped job stops waiting.

import { beforeAll, describe, expect, it } from 'vitest';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { createLookUpRate, type LookUpRate } from '../../src/jobs/look-up-rate.ts';
import { CHUNK_KINDS, type ChunkKind } from '../../src/jobs/queue/chunk-kinds.ts';
import { connectForRequests } from '../../src/jobs/queue/queue-connection.ts';
import { type RedisServer, withoutRedis } from '../support/redis-server.ts';
import { createGate, type JobRedis, startJobRedis } from './job-folder.ts';

describe.skipIf(withoutRedis('the budget of jobs'))('the budget of jobs', () => {
  let parts: JobRedis;
  let server: RedisServer;
  let redis: JobRedis['redis'];

  beforeAll(async () => {
    parts = await startJobRedis();
    ({ server, redis } = parts);
    return () => parts.close();
  });

  const unaborted = () => new AbortController().signal;
  /** A time in microseconds. It is after the end of the test, even on a slow machine. */
  const far = (): string => String((Date.now() + 50_000) * 1_000);
  const unexpected = (): Promise<void> => Promise.reject(new Error('no job has to wait'));

  const takesOf = (rate: LookUpRate, order: string[]) => (job: string, kind: ChunkKind, count: number) =>
    Array.from({ length: count }, () =>
      rate
        .budgetOf(job, kind, unaborted())
        .take(1)
        .then(() => order.push(job)),
    );

  it('serves the jobs in turn, even if one job requested more look-ups earlier', async () => {
    const order: string[] = [];
    const take = takesOf(createLookUpRate(redis, 'turns:', 1_000), order);
    await Promise.all([...take('one', 'first', 6), ...take('two', 'first', 2)]);
    expect(order.join(' ')).toBe('one two one two one one one one');
  });

  it('is free for further chunks while no first chunk is active', async () => {
    // The part of further chunks is spent for a long time.
    await server.client.set('alone:rate:spent-further', far());
    const rate = createLookUpRate(redis, 'alone:', 20, unexpected);
    await rate.budgetOf('job', 'further', unaborted()).take(1);
  });

  it('is free after the clock of Redis goes back by an hour, although its times are in the future', async () => {
    const anHourAhead = String((Date.now() + 3_600_000) * 1_000);
    await server.client.set('back:rate:spent', anHourAhead);
    await server.client.set('back:rate:spent-further', anHourAhead);
    await server.client.set('back:rate:first-ask', '1', 'PX', 3_600_000);
    const rate = createLookUpRate(redis, 'back:', 20, unexpected);
    await rate.budgetOf('job', 'further', unaborted()).take(1);
    await rate.budgetOf('job', 'first', unaborted()).take(1);
  });

  it('is free for first chunks even if another process has spent the part of further chunks', async () => {
    await server.client.set('part:rate:first-ask', '1', 'PX', 50_000);
    await server.client.set('part:rate:spent-further', far());
    const order: string[] = [];
    const goOn = createGate();
    const rate = createLookUpRate(redis, 'part:', 1_000, () => goOn.opened);
    const take = takesOf(rate, order);
    const further = take('large', 'further', 3);
    await Promise.all(take('small', 'first', 60));
    expect(new Set(order)).toEqual(new Set(['small']));
    await server.client.del('part:rate:first-ask');
    goOn.open();
    await Promise.all(further);
  });

  it('costs further chunks four times as much while first chunks are active', async () => {
    await server.client.set('cost:rate:first-ask', '1', 'PX', 50_000);
    // The rate is so low that the spent budget is still in Redis when the test reads it, even on a slow machine.
    const rate = createLookUpRate(redis, 'cost:', 0.01, unexpected);
    await rate.budgetOf('job', 'further', unaborted()).take(1);
    const [all, part] = await server.client.mget('cost:rate:spent', 'cost:rate:spent-further');
    // Each look-up costs 100 seconds, because the rate is one look-up in 100 seconds. The unit is a microsecond.
    expect(Number(part) - Number(all)).toBe(3 * 100_000_000);
  });

  it('is not reserved while chunks with references search', async () => {
    const rate = createLookUpRate(redis, 'search:', 20, unexpected);
    await rate.budgetOf('search', 'references', unaborted()).take(1);
    expect(await server.client.exists('search:rate:first-ask')).toBe(0);
  });

  it('makes look-ups wait if another process with the same Redis has spent it', async () => {
    for (const kind of CHUNK_KINDS) {
      await server.client.set('spent:rate:spent', far());
      const waits: number[] = [];
      const sleep = async (ms: number): Promise<void> => {
        waits.push(ms);
        await server.client.flushall();
      };
      const rate = createLookUpRate(redis, 'spent:', 20, sleep);
      await rate.budgetOf('job', kind, unaborted()).take(1);
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThan(1_000);
    }
  });

  it('makes look-ups wait while Redis is down, and refuses no look-up', async () => {
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const away = connectForRequests(redisUrl.parse('redis://127.0.0.1:1'));
    away.on('error', () => {});
    const stop = new AbortController();
    const sleep = async (ms: number): Promise<void> => {
      if (ms === 1_000) wake();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const rate = createLookUpRate(away, 'away', 20, sleep);
    const taken = rate.budgetOf('job', 'first', stop.signal).take(1);
    await asleep;
    stop.abort(new Error('stopped'));
    await expect(taken).rejects.toThrow('stopped');
    await expect(rate.budgetOf('job', 'first', stop.signal).take(1)).rejects.toThrow('stopped');
    away.disconnect();
  });
});
