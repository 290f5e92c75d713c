// Several clients of one directory over HTTP: no client can use up the shares of others.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { createCacheUnderTest } from '../cache/cache-under-test.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { requesterAt } from './clients.ts';
import { createManualTime } from './manual-time.ts';
import { handleName, startProxy } from './proxy-under-test.ts';

const [honest, hostile, third] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].map(requesterAt);

/** Names that contain `hang` get no response. */
const behaviour: Behaviour = (request, response) => {
  const { face, names } = requestedNames(request);
  if (names[0]?.includes('hang')) return;
  if (face === 'handles') sendJson(response, 404, { responseCode: 100, handle: names[0] });
  else
    sendJson(
      response,
      200,
      names.map((DOI) => ({ DOI, RA: 'Crossref' })),
    );
};

const namesOf = (group: string, count: number) =>
  Array.from({ length: count }, (_, index) => handleName(`10.5555/${group}-${index}`));

async function startCached(options: Parameters<typeof startProxy>[1] = {}) {
  const metrics = createMetrics();
  const proxy = await startProxy(behaviour, { maxConnections: 8, metrics, ...options });
  const { directory } = createCacheUnderTest({ directory: proxy.directory });
  onTestFinished(() => directory.close());
  return { ...proxy, directory, metrics };
}

test('names without response delay only the client that looks them up', async () => {
  const { directory, metrics, logged } = await startCached();
  const hanging = Promise.allSettled(
    namesOf('hang', 200).map((name) => directory.resolve(name, { requester: hostile })),
  );
  const records = await Promise.all(
    namesOf('honest', 30).map((name) => directory.resolve(name, { requester: honest })),
  );
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['HANDLE_NOT_FOUND']));
  expect(metrics.directoryQueue.takenBack).toBeGreaterThanOrEqual(1);
  // The directory did not fail when slots were taken back.
  expect(directory.status()).toMatchObject({ available: true });
  expect(logged()).not.toContain('UPSTREAM_');
  await directory.close();
  expect((await hanging).every(({ status }) => status === 'rejected')).toBe(true);
});

test('a look-up of two clients is sent once, and continues when one client leaves', async () => {
  const { directory, server } = await startCached({ maxConnections: 1 });
  const leaving = new AbortController();
  const many = Promise.allSettled(
    namesOf('cold', 20).map((name) =>
      directory.resolve(name, { requester: hostile, signal: leaving.signal }),
    ),
  );
  const [, , wanted] = namesOf('cold', 20);
  const record = directory.resolve(wanted ?? expect.unreachable(), { requester: honest });
  leaving.abort(new Error('the client has gone'));
  expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  await many;
  expect(server.targets.filter((target) => target.endsWith('cold-2'))).toHaveLength(1);
  expect(server.targets.length).toBeLessThanOrEqual(2);
});

test('a look-up of two clients is sent when it is next in the queue of either client', async () => {
  const { directory, server } = await startCached({ maxConnections: 1 });
  const names = namesOf('cold', 100);
  const many = Promise.all(names.map((name) => directory.resolve(name, { requester: hostile })));
  const [wanted = expect.unreachable()] = names.slice(80);
  await directory.resolve(wanted, { requester: honest });
  expect(server.targets.indexOf(`/api/handles/${wanted}`)).toBeLessThan(5);
  await many;
});

test('names of two clients in one tick go in two Which RA requests', async () => {
  const { directory, server } = await startCached();
  const [one, other] = [namesOf('one', 3), namesOf('other', 2)];
  await Promise.all([
    ...directory.whichRa(one, { requester: honest }),
    ...directory.whichRa(other, { requester: third }),
  ]);
  expect(server.targets).toEqual([`/doiRA/${one.join(',')}`, `/doiRA/${other.join(',')}`]);
});

test('refused look-ups are one log line per second, with their count', async () => {
  const time = createManualTime();
  const { directory, server, logged } = await startCached({ maxConnections: 1, time });
  const lookUps = namesOf('hang', 300).map((name) => directory.resolve(name, { requester: hostile }));
  const outcomes = Promise.allSettled(lookUps);
  while (server.targets.length < 1) await nextTurn();
  time.advance(15_000);
  const codes = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(codes.filter((code) => code === 'GATEWAY_BUSY')).toHaveLength(299);
  time.advance(1_000);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('GATEWAY_BUSY'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { count: 1, path: '/api/handles/10.5555/hang-1', requestId: 'of 127.0.0.2' },
    { count: 298, path: '/api/handles/10.5555/hang-2', requestId: 'of 127.0.0.2' },
  ]);
});
