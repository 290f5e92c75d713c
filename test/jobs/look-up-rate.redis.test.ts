// One budget of look-ups for all jobs: they wait for it in turn, and leave when their job is stopped.

import { beforeAll, describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../src/config-variables/redis-url.ts';
import { createLookUpRate } from '../../src/jobs/look-up-rate.ts';
import { connectQuickly } from '../../src/jobs/queue/queue-connection.ts';
import { type RedisServer, startRedisServer, withoutRedis } from '../support/redis-server.ts';

describe.skipIf(withoutRedis('the budget of jobs'))('the budget of jobs', () => {
  let server: RedisServer;
  let redis: ReturnType<typeof connectQuickly>;

  beforeAll(async () => {
    server = await startRedisServer();
    redis = connectQuickly(parseRedisUrl(server.url));
    redis.on('error', () => {});
    await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
    return async () => {
      redis.disconnect();
      await server.close();
    };
  });

  const living = () => new AbortController().signal;

  it('is given to the jobs in turn, whoever asked for more, and sooner', async () => {
    const rate = createLookUpRate({ perSecond: 1_000, redis, prefix: 'turns' });
    const order: string[] = [];
    const ask = (job: string, count: number) =>
      Array.from({ length: count }, () =>
        rate
          .budgetOf(job, living())
          .take(1)
          .then(() => order.push(job)),
      );
    await Promise.all([...ask('large', 6), ...ask('small', 2)]);
    expect(order.join(' ')).toBe('large small large small large large large large');
  });

  it('goes first to jobs that have had little', async () => {
    const rate = createLookUpRate({ perSecond: 10_000, redis, prefix: 'little' });
    await rate.budgetOf('large', living()).take(5_000);
    const order: string[] = [];
    const ask = (job: string, count: number) =>
      Array.from({ length: count }, () =>
        rate
          .budgetOf(job, living())
          .take(1)
          .then(() => order.push(job)),
      );
    await Promise.all([...ask('large', 12), ...ask('small', 9)]);
    expect(order.slice(0, 12).filter((job) => job === 'small')).toHaveLength(9);
    expect(order.slice(0, 4)).toContain('large');
  });

  it('is waited for where it is spent, and is one for all who share a Redis', async () => {
    const [first, second] = ['first', 'second'].map((name) => {
      const waits: number[] = [];
      const sleep = async (ms: number): Promise<void> => {
        waits.push(ms);
        // The second is over at once.
        await server.client.flushall();
      };
      return { waits, name, rate: createLookUpRate({ perSecond: 20, redis, prefix: 'spent', sleep }) };
    });
    for (const spender of [first, second]) {
      // As others have left it: for longer than a second, however slow this machine is.
      await server.client.set('spentrate:jobs', 1_000, 'PX', 60_000);
      await spender?.rate.budgetOf('job', living()).take(1);
      expect(spender?.waits).toHaveLength(1);
    }
  });

  it('is waited for while Redis is away, and nobody is refused', async () => {
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const away = connectQuickly(parseRedisUrl('redis://127.0.0.1:1'));
    away.on('error', () => {});
    const stop = new AbortController();
    const sleep = async (ms: number): Promise<void> => {
      if (ms === 1_000) wake();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const rate = createLookUpRate({ perSecond: 20, redis: away, prefix: 'away', sleep });
    const taken = rate.budgetOf('job', stop.signal).take(1);
    await asleep;
    stop.abort(new Error('stopped'));
    await expect(taken).rejects.toThrow('stopped');
    await expect(rate.budgetOf('job', stop.signal).take(1)).rejects.toThrow('stopped');
    away.disconnect();
  });
});
