// Clients that hang up, as the DOI proxy sees it: what they alone wanted is not asked for.

import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HandleName } from 'doi-names';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import {
  type Behaviour,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { doiName } from '../support/doi-names.ts';
import { askerAt } from '../upstream/askers.ts';
import { createManualTime } from '../upstream/manual-time.ts';
import { answering, createProxyAt } from '../upstream/proxy-under-test.ts';
import { expectNoUnhandledRejections, reason } from './cache-of-look-ups.ts';
import { createCacheUnderTest, SECOND } from './cache-under-test.ts';

expectNoUnhandledRejections();

describe('a proxy behind the cache', () => {
  const notFound: Behaviour = (request, response) =>
    sendJson(response, 404, { responseCode: 100, handle: requestedNames(request).names[0] });
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
  function askAll(directory: Directory, names: readonly HandleName[], client = '127.0.0.1') {
    const controller = new AbortController();
    const { signal } = controller;
    setMaxListeners(0, signal);
    const outcomes = Promise.allSettled(
      names.map((name) => directory.resolve(name, { signal, requester: askerAt(client) })),
    );
    return { outcomes, leave: () => controller.abort(reason) };
  }

  test('is asked for nothing more for a client who is gone: the next one has its turn', async () => {
    const { server, directory, metrics } = await startCachedProxy(() => {}, { maxConnections: 16 });
    const gone = askAll(directory, namesOf('gone', 1_000));
    while (server.targets.length < 16) await nextTurn();
    gone.leave();
    expect(await gone.outcomes).toEqual(Array(1_000).fill({ status: 'rejected', reason }));
    // The answers to what was sent are still held back: some of the sixteen slots are needed.
    server.behave(notFound);
    const next = namesOf('next', 12);
    const outcomes = await askAll(directory, next, '127.0.0.2').outcomes;
    expect(outcomes.map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'));
    expect(server.targets.slice(16).toSorted()).toEqual(targetsOf(next).toSorted());
    expect(directory.status()).toMatchObject({ available: true });
    const { values } = await metrics.directoryRequests.get();
    const aborted = values.find(({ labels }) => labels.outcome === 'aborted')?.value;
    expect(aborted).toBeGreaterThanOrEqual(1);
    expect(aborted).toBeLessThanOrEqual(12);
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
