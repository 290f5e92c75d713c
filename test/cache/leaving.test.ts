// Clients that hang up: a look-up that nobody waits for any more is given up, one that is shared is not.

import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/cache/clock.ts';
import { createRedisTier } from '../../src/cache/redis.ts';
import { NO_SHARED_TIER, type SharedTier } from '../../src/cache/shared.ts';
import type { Directory } from '../../src/directory/directory.ts';
import type { ProxyDirectoryOptions } from '../../src/directory/proxy.ts';
import type { HandleName } from '../../src/doi/name.ts';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createManualTime } from '../directory/manual-time.ts';
import { answering, createProxyAt } from '../directory/proxy-under-test.ts';
import { askedNames, type Behaviour, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createVirtualClock, settled, type VirtualClock } from '../support/virtual-clock.ts';
import {
  type CacheParts,
  counted,
  createCacheUnderTest,
  HOUR,
  livingFor,
  SECOND,
} from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');
const reason = new Error('the client has gone');

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await settled();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

interface LookUp {
  readonly name: HandleName;
  isGivenUp(): boolean;
  /** with a record that lives for so many seconds */
  answer(seconds: number): Promise<void>;
}

/** A cache before a directory whose look-ups the test answers one by one; one that is given up ends at once. */
function createCacheOfLookUps(parts: CacheParts & { readonly clock?: VirtualClock } = {}) {
  const clock = parts.clock ?? createVirtualClock();
  const lookUps: LookUp[] = [];
  const directory = {
    ...createFakeDirectory(),
    resolve: (name: HandleName, { signal }: { readonly signal?: AbortSignal | undefined } = {}) =>
      new Promise<ReturnType<typeof createRecord>>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        lookUps.push({
          name,
          isGivenUp: () => signal?.aborted ?? false,
          async answer(seconds) {
            const values = decodeValues(livingFor(seconds));
            resolve(createRecord({ responseCode: 1, values, handle: name, fetchedAt: clock.now() }));
            await settled();
          },
        });
      }),
  };
  const cache = createCacheUnderTest({ directory, ...parts, clock });
  /** Whoever asks for a name, until he leaves. */
  function ask(name = NAME) {
    const controller = new AbortController();
    const answer = cache.directory.resolve(name, { signal: controller.signal });
    answer.catch(() => undefined);
    return { answer, leave: () => controller.abort(reason) };
  }
  return { ...cache, clock, lookUps, ask };
}

describe('a look-up', () => {
  test('is given up when the last who waits for it has gone', async () => {
    const { ask, lookUps } = createCacheOfLookUps();
    const [one, other] = [ask(), ask()];
    await settled();
    one.leave();
    await expect(one.answer).rejects.toBe(reason);
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([false]);
    other.leave();
    await expect(other.answer).rejects.toBe(reason);
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([true]);
  });

  test('goes on for those who stay, with a signal and without', async () => {
    const { ask, lookUps, directory } = createCacheOfLookUps();
    const [leaving, staying, unending] = [ask(), ask(), directory.resolve(NAME)];
    await settled();
    leaving.leave();
    await settled();
    await lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
    expect(await unending).toMatchObject({ status: 'SUCCESS' });
    expect(lookUps).toHaveLength(1);
  });

  // How many microtasks the newcomer is behind the one who leaves decides what he meets.
  test.each(Array.from({ length: 24 }, (_, ticks) => ticks))(
    'that is given up is nothing to one who comes %i microtasks after: he gets an answer',
    async (ticks) => {
      const { ask, lookUps } = createCacheOfLookUps();
      const first = ask();
      await settled();
      first.leave();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      const second = ask();
      await settled();
      await lookUps.at(-1)?.answer(60);
      expect(await second.answer).toMatchObject({ status: 'SUCCESS' });
    },
  );

  test('that is given up leaves the next one alone: it is found, and joined, until its answer', async () => {
    const { ask, lookUps } = createCacheOfLookUps();
    const first = ask();
    await settled();
    first.leave();
    await settled();
    const second = ask();
    await settled();
    const third = ask();
    await settled();
    await lookUps[1]?.answer(60);
    for (const { answer } of [second, third]) expect(await answer).toMatchObject({ status: 'SUCCESS' });
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([true, false]);
  });

  test('that is given up is no failure: what is known of the name is refreshed as ever', async () => {
    const { ask, lookUps, clock, directory } = createCacheOfLookUps();
    const first = ask();
    await settled();
    first.leave();
    await settled();
    const past = directory.resolve(NAME, { auth: true });
    await lookUps[1]?.answer(10);
    await past;
    await clock.advance(10 * SECOND);
    expect(await directory.resolve(NAME)).toMatchObject({ stale: true });
    await settled();
    expect(lookUps).toHaveLength(3);
  });

  test.each([
    ['with a shared tier', createFakeSharedTier],
    ['without one', () => NO_SHARED_TIER],
  ])('is not begun for who left before it could be, %s', async (_, createTier) => {
    const clock = createVirtualClock();
    const { ask, lookUps } = createCacheOfLookUps({ clock, shared: createTier(clock) });
    const { answer, leave } = ask();
    leave();
    await expect(answer).rejects.toBe(reason);
    await settled();
    expect(lookUps).toEqual([]);
  });

  test('is not begun for who left while another replica might have had the answer; its lock is free', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    let reads = 0;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((done) => {
      letGo = done;
    });
    const getMany: SharedTier['getMany'] = async (keys) => {
      reads += 1;
      if (reads === 2) await gate;
      return shared.getMany(keys);
    };
    const { ask, lookUps } = createCacheOfLookUps({ clock, shared: { ...shared, getMany } });
    const { leave } = ask();
    await settled();
    expect(reads).toBe(2);
    leave();
    await settled();
    letGo();
    await settled();
    expect(lookUps).toEqual([]);
    expect((await shared.lock(`record:${NAME}`, SECOND)).got).toBe('lock');
  });
});

describe('a refresh', () => {
  test.each([
    ['behind an answer', HOUR],
    ['that its reader waits for', 2 * HOUR + 1],
  ])('%s goes on without the reader, and without who joined it', async (_, age) => {
    const { ask, lookUps, clock } = createCacheOfLookUps();
    const cold = ask();
    await settled();
    await lookUps[0]?.answer(3_600);
    await cold.answer;
    await clock.advance(age);
    const [reader, other] = [ask(), ask()];
    await settled();
    reader.leave();
    other.leave();
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([false, false]);
    await lookUps[1]?.answer(3_600);
    expect(await ask().answer).toMatchObject({ stale: false });
    expect(lookUps).toHaveLength(2);
  });
});

describe('replicas', () => {
  test('that wait for the lock of a look-up that is given up get it at once', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    const [one, other] = [1, 2].map(() => createCacheOfLookUps({ clock, shared }));
    if (!one || !other) expect.unreachable();
    const leaving = one.ask();
    await settled();
    const staying = other.ask();
    await clock.advance(1_000);
    expect(other.lookUps).toEqual([]);
    leaving.leave();
    await clock.advance(320);
    await other.lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
    expect(one.lookUps).toHaveLength(1);
  });

  test('wait for the lock of another no longer than somebody waits for them', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { ask, lookUps, metrics } = createCacheOfLookUps({ clock, shared });
    const { leave } = ask();
    await clock.advance(1_000);
    expect(clock.sleepers).toBe(1);
    leave();
    await clock.advance(320);
    expect(clock.sleepers).toBe(0);
    expect(lookUps).toEqual([]);
    expect(await counted(metrics.lockWaits, {})).toBe(0);
  });

  test('do not mistake the end of a look-up that was given up for that of the next one', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { ask } = createCacheOfLookUps({ clock, shared });
    const first = ask();
    await settled();
    first.leave();
    await settled();
    ask();
    await clock.advance(20);
    expect(clock.sleepers).toBe(1);
    ask();
    await settled();
    expect(clock.sleepers).toBe(1);
  });
});

describe.skipIf(withoutRedis('leaving with a lock on Redis'))('on Redis', () => {
  test('the lock of a look-up that is given up goes to the replica that waits for it', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.close());
    const clock = { ...createVirtualClock(), now: systemClock.now, sleep: systemClock.sleep };
    const replicas = [1, 2].map(() => {
      const shared = createRedisTier({ url: server.url, log: createLog('silent'), metrics: createMetrics() });
      return { shared, ...createCacheOfLookUps({ clock, shared }) };
    });
    onTestFinished(() =>
      Promise.all(replicas.map(({ directory }) => directory.close())).then(() => undefined),
    );
    const [one, other] = replicas;
    if (!one || !other) expect.unreachable();
    await until('both are up', () => replicas.every(({ shared }) => shared.state === 'up'));
    const leaving = one.ask();
    await until('one asks', () => one.lookUps.length === 1);
    const staying = other.ask();
    await until('the other waits', async () => (await server.calls('set')) >= 2);
    const startedAt = performance.now();
    leaving.leave();
    await until('the other asks', () => other.lookUps.length === 1);
    // A lock that is left behind runs out after five seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    await other.lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a proxy behind the cache', () => {
  const notFound: Behaviour = (request, response) =>
    sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] });
  const namesOf = (what: string, count: number) =>
    Array.from({ length: count }, (_, index) => doiName(`10.5555/${what}.${index}`));
  const targetsOf = (names: readonly HandleName[]) => names.map((name) => `/api/handles/${name}`);

  async function startCachedProxy(behaviour: Behaviour, options: Partial<ProxyDirectoryOptions>) {
    const server = await startDirectoryServer(behaviour);
    const metrics = createMetrics();
    const { directory: proxy } = createProxyAt(server.url, { ...options, metrics });
    const { directory } = createCacheUnderTest({ directory: proxy });
    onTestFinished(async () => {
      await directory.close();
      await server.close();
    });
    return { server, directory, metrics };
  }

  /** A client that asks for all these names in one request. */
  function askAll(directory: Directory, names: readonly HandleName[]) {
    const controller = new AbortController();
    const { signal } = controller;
    setMaxListeners(0, signal);
    const outcomes = Promise.allSettled(names.map((name) => directory.resolve(name, { signal })));
    return { outcomes, leave: () => controller.abort(reason) };
  }

  test('is asked for nothing more for a client who is gone: the next one has its turn at once', async () => {
    const { server, directory, metrics } = await startCachedProxy(() => {}, { maxConnections: 16 });
    const gone = askAll(directory, namesOf('gone', 1_000));
    while (server.targets.length < 16) await nextTurn();
    gone.leave();
    expect(await gone.outcomes).toEqual(Array(1_000).fill({ status: 'rejected', reason }));
    // The answers to what was sent are still held back.
    server.behave(notFound);
    const next = namesOf('next', 12);
    const outcomes = await askAll(directory, next).outcomes;
    expect(outcomes.map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'));
    expect(server.targets.slice(16).toSorted()).toEqual(targetsOf(next).toSorted());
    expect(directory.status()).toEqual({ available: true });
    const { values } = await metrics.directoryRequests.get();
    expect(values.map(({ labels, value }) => [labels.outcome, value]).toSorted()).toEqual([
      ['aborted', 16],
      ['ok', 12],
    ]);
  });

  test('goes on with the names of it that another client wants, and with those alone', async () => {
    const { server, directory } = await startCachedProxy(() => {}, { maxConnections: 1 });
    const names = namesOf('both', 100);
    const gone = askAll(directory, names);
    const stays = askAll(directory, names.slice(40, 45));
    while (server.targets.length < 1) await nextTurn();
    gone.leave();
    server.behave(notFound);
    expect((await stays.outcomes).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(server.targets.slice(1)).toEqual(targetsOf(names.slice(40, 45)));
  });

  test('is not asked again for a client who leaves between two attempts', async () => {
    const time = createManualTime();
    const { server, directory } = await startCachedProxy(answering(503), {
      time,
      retries: 2,
      maxConnections: 1,
    });
    const [first, second] = [namesOf('first', 1), namesOf('second', 1)];
    const gone = askAll(directory, first);
    await time.slept(1);
    gone.leave();
    await gone.outcomes;
    server.behave(notFound);
    time.advance(10 * SECOND);
    await askAll(directory, second).outcomes;
    expect(server.targets).toEqual(targetsOf([...first, ...second]));
  });
});
