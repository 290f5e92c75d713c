// An outage over real connections, with a manual clock.

import type { ServerResponse } from 'node:http';
import type { HandleName } from 'doi-names';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import {
  type Behaviour,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';
import { closesConnection, createProxyAt, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const [one, two, three] = ['10.5555/1', '10.5555/2', '10.5555/3'].map(handleName) as [
  HandleName,
  HandleName,
  HandleName,
];
const HELD_BACK = {
  code: 'UPSTREAM_UNAVAILABLE',
  details: { heldBack: true, retryAfterSeconds: expect.any(Number) },
};
const ABSENT = { status: 'HANDLE_NOT_FOUND' };

/** A directory that responds, also to probes, only when the test calls `answer`. */
async function startHanging(options: Partial<ProxyDirectoryOptions> = {}) {
  const time = createManualTime();
  const held = new Map<string, ServerResponse[]>();
  const hangs: Behaviour = (request, response) => {
    const [name = ''] = requestedNames(request).names;
    held.set(name, [...(held.get(name) ?? []), response]);
  };
  const started = await startProxy(hangs, {
    time,
    random: () => 1,
    timeoutMs: 15_000,
    deadlineMs: 20_000,
    ...options,
  });
  started.server.behaveAlways(hangs);
  return {
    ...started,
    time,
    targets: (count: number) => expect.poll(() => started.server.targets.length).toBe(count),
    probed: (count: number) => expect.poll(() => started.server.probes.length).toBe(count),
    isOpen: () => !started.directory.status().available,
    answer(name: HandleName): void {
      for (const response of held.get(name)?.splice(0) ?? []) {
        sendJson(response, 404, { responseCode: 100, handle: name });
      }
    },
  };
}

test('if a directory never responds, the circuit opens after 4 s, and all look-ups fail 5 s later', async () => {
  const { directory, time, targets, probed, isOpen, server } = await startHanging();
  const sent = failureOf(directory.resolve(one));
  await targets(1);
  time.advance(3_000);
  await probed(1);
  time.advance(999);
  expect(isOpen()).toBe(false);
  time.advance(1);
  expect(isOpen()).toBe(true);
  const waiting = failureOf(directory.resolve(two));
  for (const probes of [2, 3, 4]) {
    await probed(probes);
    time.advance(2_000);
  }
  expect(await sent).toMatchObject(HELD_BACK);
  expect(await waiting).toMatchObject(HELD_BACK);

  const later = failureOf(directory.resolve(three));
  await probed(5);
  time.advance(2_000);
  await probed(6);
  time.advance(1_000);
  expect(await later).toMatchObject(HELD_BACK);
  expect(server.targets).toHaveLength(1);
});

test('if a directory takes 8 s to respond, no look-up fails, because the first late response closes the circuit', async () => {
  const { directory, time, targets, probed, isOpen, answer } = await startHanging();
  const first = directory.resolve(one);
  await targets(1);
  time.advance(3_000);
  await probed(1);
  time.advance(1_000);
  expect(isOpen()).toBe(true);
  const second = directory.resolve(two);
  time.advance(4_000);
  answer(one);
  expect(await first).toMatchObject(ABSENT);
  expect(isOpen()).toBe(false);
  await targets(2);
  time.advance(3_000);
  await settled();
  time.advance(4_000);
  expect(isOpen(), 'three times the p99 are 24 s now').toBe(false);
  time.advance(1_000);
  answer(two);
  expect(await second).toMatchObject(ABSENT);
});

test('a name without response does not open the circuit while probes are answered', async () => {
  const metrics = createMetrics();
  const { directory, time, targets, probed, isOpen, answer } = await startHanging({ metrics });
  const answered = async () => (await metrics.directoryRequests.get()).values[0]?.value ?? 0;
  const hanging = failureOf(directory.resolve(one));
  await targets(1);
  for (const probes of [1, 2, 3, 4]) {
    time.advance(3_000);
    await probed(probes);
    answer(handleName('10.1000/1'));
    await expect.poll(answered).toBe(probes);
    await settled();
  }
  expect(isOpen()).toBe(false);
  time.advance(3_000);
  expect(await hanging).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});

describe('the message of a look-up during an outage', () => {
  test('names the cause if no connection was ever made', async () => {
    const server = await startDirectoryServer();
    await server.close();
    const time = createManualTime();
    const { directory } = createProxyAt(server.url, { time, probesAtStart: true });
    onTestFinished(() => directory.close());
    await expect.poll(() => directory.status().available).toBe(false);
    const failure = failureOf(directory.resolve(one));
    time.advance(15_000);
    expect(await failure).toMatchObject({
      ...HELD_BACK,
      message: 'No connection to the directory was ever made (ECONNREFUSED).',
    });
  });

  test('is "The directory is down." if the directory closes all connections', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(undefined, { time });
    server.behaveAlways(closesConnection);
    for (let index = 0; index < 5; index += 1) {
      await failureOf(directory.resolve(handleName(`10.5555/sign.${index}`)));
    }
    await expect.poll(() => directory.status().available).toBe(false);
    const failure = failureOf(directory.resolve(one));
    time.advance(15_000);
    expect((await failure).message).toBe('The directory is down.');
  });
});
