// /readyz, /metrics and look-ups agree on the state of the directory.

import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../../src/metrics.ts';
import {
  type Behaviour,
  isProbe,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../../support/directory-server.ts';
import { createTestGateway } from '../../support/gateway.ts';
import { settled } from '../../support/virtual-clock.ts';
import { createManualTime } from '../../upstream/manual-time.ts';
import { createProxyAt, failureOf, handleName } from '../../upstream/proxy-under-test.ts';

const respond: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: requestedNames(request).names[0] });
const destroy: Behaviour = ({ socket }) => void socket.destroy();
const throttle: Behaviour = (_, response) => void response.writeHead(429, { 'retry-after': '3' }).end();

const UNTRIED = { code: 503, status: 'unavailable', available: true, isOpen: '0' };
const READY = { code: 200, status: 'ready', available: true, isOpen: '0' };
const DEGRADED = { code: 200, status: 'degraded', available: false, isOpen: '1' };

async function start() {
  const time = createManualTime();
  const metrics = createMetrics();
  const server = await startDirectoryServer();
  const held: (() => void)[] = [];
  const hold: Behaviour = (request, response: ServerResponse) =>
    void held.push(() => respond(request, response));
  const behave = (toNames: Behaviour, toProbes: Behaviour) =>
    server.behaveAlways((request, response) =>
      (isProbe(request.url ?? '') ? toProbes : toNames)(request, response),
    );
  behave(respond, hold);
  const { directory } = createProxyAt(server.url, {
    time,
    metrics,
    random: () => 1,
    probesAtStart: true,
    deadlineMs: 20_000,
  });
  let now = 0;
  const gateway = await createTestGateway({
    directory,
    readMetrics: () => metrics.registry.metrics(),
    // The metrics are rendered once a second. With this clock, each fetch renders them.
    clock: () => {
      now += 1_000;
      return now;
    },
  });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  const page = (path: string) => gateway.app.fetch(new Request(`http://gateway.test${path}`));
  let names = 0;
  const resolve = () => {
    names += 1;
    return directory.resolve(handleName(`10.5555/${names}`));
  };

  return {
    server,
    time,
    hold,
    behave,
    resolve,
    probesAre: (count: number) => expect.poll(() => server.probes.length).toBe(count),
    respondToProbes: () => held.splice(0).forEach((go) => void go()),
    isAvailable: (available: boolean) => expect.poll(() => directory.status().available).toBe(available),
    /** The state in /readyz and in /metrics. */
    async state() {
      const ready = await page('/readyz');
      const { status, directory } = (await ready.json()) as {
        status: string;
        directory: { available: boolean };
      };
      const text = await (await page('/metrics')).text();
      const isOpen = /^doi_gateway_directory_circuit_open\{.*\} (\d)$/m.exec(text)?.[1];
      return { code: ready.status, status, available: directory.available, isOpen };
    },
    failNames: () => Promise.all(Array.from({ length: 5 }, () => failureOf(resolve()))),
  };
}

test('pages and look-ups agree at the start, during an outage, after a 429, and after the recovery', async () => {
  const { server, time, hold, behave, probesAre, respondToProbes, isAvailable, state, resolve, failNames } =
    await start();
  const FOUND = { status: 'HANDLE_NOT_FOUND' };

  await probesAre(1);
  expect(await state()).toEqual(UNTRIED);
  respondToProbes();
  await expect.poll(async () => (await state()).status).toBe('ready');
  expect(await state()).toEqual(READY);
  expect(await resolve()).toMatchObject(FOUND);

  behave(destroy, hold);
  await failNames();
  await probesAre(2);
  expect(await state(), 'during the first probe').toEqual(READY);
  behave(respond, hold);
  expect(await resolve()).toMatchObject(FOUND);
  respondToProbes();

  time.advance(1_000);
  behave(destroy, destroy);
  await failNames();
  await isAvailable(false);
  const sentBefore = server.targets.length;
  const waiting = [resolve()];
  expect(await state(), 'in the outage').toEqual(DEGRADED);

  behave(respond, hold);
  time.advance(500);
  await probesAre(4);
  waiting.push(resolve());
  await settled();
  expect(await state(), 'during a probe in the outage').toEqual(DEGRADED);
  expect(server.targets).toHaveLength(sentBefore);

  respondToProbes();
  for (const record of waiting) expect(await record).toMatchObject(FOUND);
  expect(await state(), 'after the outage').toEqual(READY);

  behave(throttle, hold);
  expect(await failureOf(resolve())).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED' });
  expect(await state(), 'after a 429').toEqual(DEGRADED);
  const sentBeforeRetry = server.targets.length;
  expect(await failureOf(resolve())).toMatchObject({
    code: 'UPSTREAM_RATE_LIMITED',
    details: { retryAfterSeconds: 3 },
  });
  expect(server.targets).toHaveLength(sentBeforeRetry);

  behave(respond, respond);
  time.advance(3_000);
  await isAvailable(true);
  expect(await state()).toEqual(READY);
  expect(await resolve()).toMatchObject(FOUND);
});

test('without time for a first connection, a look-up fails when a probe fails, with the cause of the probe', async () => {
  const server = await startDirectoryServer();
  await server.close();
  const env = { DOI_DIRECTORY_URL: server.url.origin };
  const gateway = await createTestGateway({ firstConnectionMs: 0 }, env);
  onTestFinished(gateway.close);
  const { errors } = await gateway.query('{ doi(input: "10.5555/1") { exists } }');
  expect(errors).toMatchObject([
    {
      message: 'No connection to the directory was ever made (ECONNREFUSED).',
      extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true, heldBack: true },
    },
  ]);
  const { values } = await gateway.app.metrics.directoryRequests.get();
  // A look-up that begins after the first probe has failed waits for the second probe.
  expect(values.find(({ labels }) => labels.face === 'probe')?.value).toBeLessThanOrEqual(2);
});

test('a gateway that has never reached its directory is not ready', async () => {
  const server = await startDirectoryServer();
  await server.close();
  const metrics = createMetrics();
  const { directory } = createProxyAt(server.url, { metrics, probesAtStart: true, deadlineMs: 100 });
  const gateway = await createTestGateway({ directory, readMetrics: () => metrics.registry.metrics() });
  onTestFinished(gateway.close);
  await expect.poll(() => directory.status().available).toBe(false);
  const ready = await gateway.app.fetch(new Request('http://gateway.test/readyz'));
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({
    status: 'unavailable',
    directory: { available: false, reached: false },
  });
  expect(await failureOf(directory.resolve(handleName('10.5555/1')))).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    kind: 'HELD_BACK',
  });
});
