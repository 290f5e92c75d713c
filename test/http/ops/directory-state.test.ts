// What /readyz, /metrics and answers say of the directory: the same, in every state it can be in.

import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../../src/metrics.ts';
import {
  askedNames,
  type Behaviour,
  isProbe,
  sendJson,
  startDirectoryServer,
} from '../../support/directory-server.ts';
import { createTestGateway } from '../../support/gateway.ts';
import { settled } from '../../support/virtual-clock.ts';
import { createManualTime } from '../../upstream/manual-time.ts';
import { createProxyAt, failureOf, handleName } from '../../upstream/proxy-under-test.ts';

const answered: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] });
const destroyed: Behaviour = ({ socket }) => void socket.destroy();
const busy: Behaviour = (_, response) => void response.writeHead(429, { 'retry-after': '3' }).end();

const UNTRIED = { code: 503, status: 'unavailable', available: true, gauge: '0' };
const WELL = { code: 200, status: 'ready', available: true, gauge: '0' };
const ILL = { code: 200, status: 'degraded', available: false, gauge: '1' };

async function start() {
  const time = createManualTime();
  const metrics = createMetrics();
  const server = await startDirectoryServer();
  const held: (() => void)[] = [];
  const hold: Behaviour = (request, response: ServerResponse) =>
    void held.push(() => answered(request, response));
  const behave = (toNames: Behaviour, toProbes: Behaviour) =>
    server.behaveAlways((request, response) =>
      (isProbe(request.url ?? '') ? toProbes : toNames)(request, response),
    );
  behave(answered, hold);
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
    // The metrics are rendered once a second: here whenever they are fetched.
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
  const newName = () => {
    names += 1;
    return handleName(`10.5555/${names}`);
  };

  return {
    server,
    time,
    directory,
    hold,
    behave,
    probed: (count: number) => expect.poll(() => server.probes.length).toBe(count),
    answerProbes: () => held.splice(0).forEach((go) => void go()),
    isAvailable: (available: boolean) => expect.poll(() => directory.status().available).toBe(available),
    async told() {
      const ready = await page('/readyz');
      const { status, directory } = (await ready.json()) as {
        status: string;
        directory: { available: boolean };
      };
      const text = await (await page('/metrics')).text();
      const gauge = /^doi_gateway_directory_circuit_open\{.*\} (\d)$/m.exec(text)?.[1];
      return { code: ready.status, status, available: directory.available, gauge };
    },
    resolve: () => directory.resolve(newName()),
    failNames: () => Promise.all(Array.from({ length: 5 }, () => failureOf(directory.resolve(newName())))),
  };
}

test('the three agree from the start over an outage and a throttling to the end', async () => {
  const { server, time, hold, behave, probed, answerProbes, isAvailable, told, resolve, failNames } =
    await start();
  const FOUND = { status: 'HANDLE_NOT_FOUND' };

  await probed(1);
  expect(await told()).toEqual(UNTRIED);
  answerProbes();
  await expect.poll(async () => (await told()).status).toBe('ready');
  expect(await told()).toEqual(WELL);
  expect(await resolve()).toMatchObject(FOUND);

  behave(destroyed, hold);
  await failNames();
  await probed(2);
  expect(await told(), 'while it is checked').toEqual(WELL);
  behave(answered, hold);
  expect(await resolve()).toMatchObject(FOUND);
  answerProbes();

  time.advance(1_000);
  behave(destroyed, destroyed);
  await failNames();
  await isAvailable(false);
  const sent = server.targets.length;
  const waiting = [resolve()];
  expect(await told(), 'ill').toEqual(ILL);

  behave(answered, hold);
  time.advance(500);
  await probed(4);
  waiting.push(resolve());
  await settled();
  expect(await told(), 'while it is probed').toEqual(ILL);
  expect(server.targets).toHaveLength(sent);

  answerProbes();
  for (const record of waiting) expect(await record).toMatchObject(FOUND);
  expect(await told(), 'well again').toEqual(WELL);

  behave(busy, hold);
  expect(await failureOf(resolve())).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED' });
  expect(await told(), 'busy').toEqual(ILL);
  const asked = server.targets.length;
  expect(await failureOf(resolve())).toMatchObject({
    code: 'UPSTREAM_RATE_LIMITED',
    details: { retryAfterSeconds: 3 },
  });
  expect(server.targets).toHaveLength(asked);

  behave(answered, answered);
  time.advance(3_000);
  await isAvailable(true);
  expect(await told()).toEqual(WELL);
  expect(await resolve()).toMatchObject(FOUND);
});

test('where look-ups wait for no first connection, they fail with the next probe, and name the cause', async () => {
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
  // One that begins after the first probe has failed waits for the second.
  expect(values.find(({ labels }) => labels.face === 'probe')?.value).toBeLessThanOrEqual(2);
});

test('a directory that nobody can connect to makes a gateway that starts not ready', async () => {
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
