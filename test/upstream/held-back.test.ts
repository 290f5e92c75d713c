// While the circuit is open, the gateway sends only probes.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { type Behaviour, startDirectoryServer } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import {
  answering,
  closesConnection,
  createProxyAt,
  failureOf,
  HTML,
  handleName,
  notFound,
  startProxy,
} from './proxy-under-test.ts';

const names = Array.from({ length: 1_000 }, (_, index) => handleName(`10.5555/${index}`));
const [first = expect.unreachable(), second = expect.unreachable(), third = expect.unreachable()] = names;
const tooMany = answering(429, '', { ...HTML, 'retry-after': '5' });

describe('after a 429 for one name', () => {
  test('look-ups of all names fail until a probe is answered', async () => {
    const time = createManualTime();
    const metrics = createMetrics();
    const { directory, server, logged } = await startProxy(tooMany, { time, metrics });
    const base = server.url.origin;
    const expectState = async (available: boolean) => {
      expect(directory.status()).toMatchObject({ available });
      const gauge = { labels: { base, kind: 'directory' }, value: available ? 0 : 1 };
      expect((await metrics.directoryCircuit.get()).values).toEqual([gauge]);
    };
    await expectState(true);
    await failureOf(directory.resolve(first));
    await expectState(false);

    time.advance(2_000);
    const lookUps = [directory.resolve(second), ...directory.whichRa(names)];
    for (const { code, details } of await Promise.all(lookUps.map(failureOf))) {
      expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 3 } });
    }
    expect(server.targets).toHaveLength(1);
    expect(server.probes).toHaveLength(0);

    server.behave(notFound);
    time.advance(3_000);
    const records = [second, third].map((name) => directory.resolve(name));
    for (const record of records) expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(3);
    expect(server.probes).toHaveLength(1);
    await expectState(true);
    expect(logged()).toContain('requests to the directory are held back');
    expect(logged()).toContain('requests to the directory are sent again');
  });

  test('look-ups that are already sent wait until the Retry-After ends, and then are answered', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(tooMany, { time, retries: 2, random: () => 1 });
    const records = [first, second].map((name) => directory.resolve(name));
    await time.slept(2);
    server.behave(notFound);
    time.advance(5_200);
    for (const record of records) expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(4);
  });

  test('a 429 to the probe ends look-ups whose deadline is before its Retry-After', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(tooMany, { time, deadlineMs: 4_000 });
    await failureOf(directory.resolve(first));
    server.behaveAlways(tooMany);
    time.advance(5_000);
    const { code, details } = await failureOf(directory.resolve(second));
    expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 5 } });
    expect(server.targets).toHaveLength(1);
  });
});

test.each<[string, Behaviour | null]>([
  ['no server listens', null],
  ['the server closes all connections', closesConnection],
])('if %s, a thousand names cost few requests and log lines', async (_, behaviour) => {
  const server = await startDirectoryServer();
  onTestFinished(() => server.close());
  if (behaviour === null) await server.close();
  else server.behaveAlways(behaviour);
  const time = createManualTime();
  const metrics = createMetrics();
  const requests = async (face?: string): Promise<number> => {
    const { values } = await metrics.directoryRequests.get();
    const counted = values.filter(({ labels }) => face === undefined || labels.face === face);
    return counted.reduce((sum, { value }) => sum + value, 0);
  };
  const options = { time, random: () => 1, metrics, maxConnections: 64, retries: 2, deadlineMs: 60_000 };
  const { directory, logged } = createProxyAt(server.url, options);
  const lookUps = [...names.map((name) => directory.resolve(name)), ...directory.whichRa(names)];
  const failures = Promise.all(lookUps.map(failureOf));
  for (const probes of [1, 2, 3]) {
    await expect.poll(() => requests('probe')).toBe(probes);
    time.advance(1_000);
  }
  expect(directory.status()).toEqual({ available: false, reached: false, problem: 'OUTAGE' });
  await directory.close();
  expect(new Set((await failures).map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
  expect(await requests()).toBeLessThan(150);
  expect(logged().split('\n').length).toBeLessThan(20);
});
