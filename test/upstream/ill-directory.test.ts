// A directory that is ill is found by what many names come to, and found well by probes; names that fail are not it.

import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const names = Array.from({ length: 200 }, (_, index) => handleName(`10.5555/${index}`));
const [first = expect.unreachable()] = names;
const notFound: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: requestedNames(request).names[0] });
const destroyed: Behaviour = ({ socket }) => void socket.destroy();

/** A directory that was found ill, with one name that was found before. */
async function startIll(options: Partial<ProxyDirectoryOptions> = {}) {
  const time = createManualTime();
  const started = await startProxy(notFound, { time, random: () => 1, ...options });
  started.server.behaveAlways(destroyed);
  for (const name of names.slice(0, 5)) await failureOf(started.directory.resolve(name));
  await expect.poll(() => started.directory.status().available).toBe(false);
  return { ...started, time };
}

describe('a directory that is ill', () => {
  test('is found well by a probe, and all that waited are asked for in their order', async () => {
    const { directory, server, time } = await startIll({ maxConnections: 1 });
    const asked = server.targets.length;
    const records = names.slice(0, 100).map(async (name) => (await directory.resolve(name)).status);
    time.advance(499);
    expect(server.targets).toHaveLength(asked);
    server.behave(notFound);
    time.advance(1);
    expect(new Set(await Promise.all(records))).toEqual(new Set(['HANDLE_NOT_FOUND']));
    expect(server.targets.slice(asked)).toEqual(names.slice(0, 100).map((name) => `/api/handles/${name}`));
  });

  test('is waited for over several probes, and by nobody beyond their deadline', async () => {
    const { directory, server, time } = await startIll({ deadlineMs: 700 });
    const asked = server.targets.length;
    const failure = failureOf(directory.resolve(first));
    const probes = server.probes.length;
    time.advance(500);
    await expect.poll(() => server.probes.length).toBe(probes + 1);
    time.advance(200);
    const { code, details } = await failure;
    expect([code, Object.keys(details)]).toEqual(['UPSTREAM_UNAVAILABLE', ['retryAfterSeconds', 'heldBack']]);
    expect(server.targets).toHaveLength(asked);
  });

  test('is not waited for by a client who goes', async () => {
    const { directory, server } = await startIll();
    const asked = server.targets.length;
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const record = directory.resolve(first, { signal: controller.signal });
    controller.abort(reason);
    await expect(record).rejects.toBe(reason);
    expect(server.targets).toHaveLength(asked);
  });

  test('does not cost those their attempts who meet it', async () => {
    const time = createManualTime();
    const sockets: { destroy(): void }[] = [];
    const held: Behaviour = ({ socket }) => void sockets.push(socket);
    const { directory, server } = await startProxy(held, { time, random: () => 1, retries: 1 });
    const record = directory.resolve(handleName('10.5555/held'));
    await expect.poll(() => sockets.length).toBe(1);
    server.behaveAlways(destroyed);
    const signs = Promise.allSettled(names.slice(0, 5).map((name) => directory.resolve(name)));
    await expect.poll(() => directory.status().available).toBe(false);
    sockets[0]?.destroy();
    await time.slept(6);
    server.behave(answering(500, '', { 'content-type': 'text/html' }));
    time.advance(500);
    // Those that were its signs have now spent both of their attempts, this one the first.
    for (const { status } of await signs) expect(status).toBe('rejected');
    await time.slept(7);
    server.behave(notFound);
    time.advance(500);
    expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  });
});

describe('names that fail for themselves', () => {
  const hostile = (behaviour: Behaviour): Behaviour => {
    return (request, response) => {
      if (requestedNames(request).names[0]?.startsWith('10.5555/')) behaviour(request, response);
      else notFound(request, response);
    };
  };

  test.each<[string, Behaviour]>([
    ['reset', destroyed],
    ['answer 500', answering(500, '', { 'content-type': 'text/html' })],
    [
      'answer that their server is out of order',
      (request, response) =>
        sendJson(response, 500, { responseCode: 2, handle: requestedNames(request).names[0] }),
    ],
  ])('and %s hold back nothing, and cost a probe', async (_, behaviour) => {
    const metrics = createMetrics();
    const { directory, server } = await startProxy(hostile(behaviour), { metrics, time: createManualTime() });
    await Promise.allSettled(names.slice(0, 200).map((name) => directory.resolve(name)));
    const honest = await directory.resolve(handleName('10.1234/honest'));
    expect(honest).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.probes).toHaveLength(1);
    expect((await metrics.directoryCircuit.get()).values.map(({ value }) => value)).toEqual([0]);
  });
});

test('an attempt that the deadline ends counts as a time-out where it had half of its time', async () => {
  const time = createManualTime();
  const options = { time, timeoutMs: 60_000, deadlineMs: 1_000, maxConnections: 16 };
  const { directory, server } = await startProxy(() => {}, options);
  const failures = names.slice(0, 10).map((name) => failureOf(directory.resolve(name)));
  await expect.poll(() => server.targets.length).toBe(10);
  time.advance(1_000);
  await Promise.all(failures);
  await expect.poll(() => server.probes.length).toBeGreaterThan(0);
});

test('a directory is probed for the given name, and one that it found lately', async () => {
  const { directory, server } = await startProxy(
    (request, response) => {
      const values = [
        { index: 1, type: 'URL', data: { format: 'string', value: 'https://example.org/' }, ttl: 60 },
      ];
      sendJson(response, 200, { responseCode: 1, handle: requestedNames(request).names[0], values });
    },
    { probesAtStart: true, probeName: handleName('10.77/always') },
  );
  await expect.poll(() => server.probes).toEqual(['/api/handles/10.77/always?type=HS_SERV']);
  await directory.resolve(first);
  server.behave(destroyed);
  for (const name of names.slice(0, 5)) await failureOf(directory.resolve(name));
  await expect
    .poll(() => server.probes.slice(1))
    .toEqual(['/api/handles/10.77/always?type=HS_SERV', `/api/handles/${first}?type=HS_SERV`]);
});

test('a probe that is answered with an error of the directory is not answered', async () => {
  const time = createManualTime();
  const { directory, server } = await startProxy(notFound, { time, random: () => 1 });
  server.behaveAlways((request, response) =>
    sendJson(response, 500, { responseCode: 2, handle: requestedNames(request).names[0] }),
  );
  await Promise.all(names.slice(0, 5).map((name) => directory.resolve(name)));
  await expect
    .poll(() => directory.status())
    .toEqual({ available: false, reached: false, problem: 'OUTAGE' });
});
