// What becomes of many questions for agencies that take few, and of those for an agency that is ill.

import { expect, onTestFinished, test } from 'vitest';
import type { GatewayError } from '../../../src/errors.ts';
import type { ProxyDirectoryOptions } from '../../../src/upstream/proxy.ts';
import { CSL } from '../../../src/works/metadata-format.ts';
import { type Behaviour, startDirectoryServer } from '../../support/directory-server.ts';
import { createManualTime } from '../manual-time.ts';
import { answering, createProxyAt, failureOf, handleName } from '../proxy-under-test.ts';

const CSL_TYPE = { 'content-type': 'application/vnd.citationstyles.csl+json' };
const WORK = answering(200, '{"title":"T"}', CSL_TYPE);
/** The limit of a service as Crossref's headers tell it. */
const FIVE_A_SECOND = answering(200, '{"title":"T"}', {
  ...CSL_TYPE,
  'x-rate-limit-limit': '5',
  'x-rate-limit-interval': '1s',
});

/** A proxy that sends the names 10.5555/{agency}-… to that agency. */
async function stage(agencies: readonly Behaviour[], options: Partial<ProxyDirectoryOptions> = {}) {
  const time = createManualTime();
  const servers = await Promise.all(agencies.map((behaviour) => startDirectoryServer(behaviour)));
  const proxy = await startDirectoryServer((request, response) => {
    const agency = Number(/\/(\d)-/.exec(request.url ?? '')?.[1]);
    answering(302, '', { location: `${servers[agency]?.url.href}w${request.url}` })(request, response);
  });
  const metadataHosts = new Set(servers.map(({ url }) => url.host));
  const { directory, logged } = createProxyAt(proxy.url, {
    metadataHosts,
    time,
    deadlineMs: 20_000,
    ...options,
  });
  onTestFinished(async () => {
    await directory.close();
    await Promise.all([proxy, ...servers].map((server) => server.close()));
  });
  function ask(name: string, signal?: AbortSignal) {
    return directory.describe?.(handleName(`10.5555/${name}`), CSL, { signal }) as Promise<unknown>;
  }
  return { directory, servers, proxy, time, logged, ask };
}

/** Counts what comes of them, and tells when there are so many. */
function watch(asked: readonly Promise<unknown>[]) {
  const counts: Record<string, number> = {};
  const failures: GatewayError[] = [];
  let tell = () => {};
  const count = (outcome: string): void => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    tell();
  };
  const settled = asked.map((answer) =>
    answer.then(
      () => count('answered'),
      (error: GatewayError) => {
        failures.push(error);
        count(error.code);
      },
    ),
  );
  async function reached(outcome: string, number: number): Promise<void> {
    while ((counts[outcome] ?? 0) < number) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
  }
  return { counts, failures, reached, settled: Promise.all(settled) };
}

test('names beyond what the host takes before the deadline are busy at once, the others are asked', async () => {
  const { directory, servers, time, ask, logged } = await stage([FIVE_A_SECOND]);
  await ask('0-first');
  const asked = watch(Array.from({ length: 1_000 }, (_, at) => ask(`0-${at}`)));
  // No time passes. Four more may be asked in this second, and five in each of the nineteen that begin in time.
  await asked.reached('GATEWAY_BUSY', 1_000 - 4 - 19 * 5);
  await asked.reached('answered', 4);
  expect(servers[0]?.targets).toHaveLength(5);
  time.advance(1_000);
  await asked.reached('answered', 9);
  expect(servers[0]?.targets).toHaveLength(10);
  expect(asked.counts).toEqual({ GATEWAY_BUSY: 901, answered: 9 });
  const seconds = asked.failures.map(({ details }) => details['retryAfterSeconds'] as number);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1);
  expect(logged()).toContain('GATEWAY_BUSY');
  expect(logged()).toContain(`"base":"${servers[0]?.url.origin}"`);
  await directory.close();
  await asked.settled;
});

test('a service that asks for fewer requests is left alone as long as it says, and no other is', async () => {
  const { servers, time, ask } = await stage([answering(429, '', { 'retry-after': '30' }), WORK]);
  expect((await failureOf(ask('0-a'))).code).toBe('UPSTREAM_RATE_LIMITED');
  const held = await failureOf(ask('0-b'));
  expect(held).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 30 } });
  expect(servers[0]?.targets).toHaveLength(1);
  expect(await ask('1-c')).toMatchObject({ content: { title: 'T' } });
  servers[0]?.behave(WORK);
  time.advance(29_999);
  expect((await failureOf(ask('0-d'))).code).toBe('UPSTREAM_RATE_LIMITED');
  expect(servers[0]?.targets).toHaveLength(1);
});

test('a service that closes every connection stops neither another one nor the directory', async () => {
  const { directory, servers, ask, logged } = await stage([WORK, WORK]);
  // Another test could get the port of a server that is closed.
  servers[0]?.behave((request) => request.socket.destroy());
  const failure = await failureOf(ask('0-a'));
  expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
  expect(failure.message).not.toContain('127.0.0.1');
  expect(logged()).toContain(`"base":"${servers[0]?.url.origin}"`);
  expect(logged()).toContain('other side closed');
  expect(await ask('1-b')).toMatchObject({ content: { title: 'T' } });
  expect(directory.status().available).toBe(true);
});

test('the whole way has one deadline', async () => {
  let agencyIsAsked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    agencyIsAsked = resolve;
  });
  const { proxy, servers, time, ask } = await stage([() => agencyIsAsked()], { timeoutMs: 20_000 });
  let answer = () => {};
  const proxyIsAsked = new Promise<void>((resolve) => {
    proxy.behave((request, response) => {
      answer = () => answering(302, '', { location: `${servers[0]?.url.href}w` })(request, response);
      resolve();
    });
  });
  const failure = failureOf(ask('0-a'));
  await proxyIsAsked;
  time.advance(15_000);
  answer();
  await isAsked;
  time.advance(5_000);
  expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
});

test('large answers are read one after the other, and one that never ends is left in time', async () => {
  const large = JSON.stringify({ title: 'T', abstract: 'a'.repeat(900_000) });
  let stuck = () => {};
  const isStuck = new Promise<void>((resolve) => {
    stuck = resolve;
  });
  const { ask } = await stage([
    (request, response) => {
      if (!request.url?.includes('stuck')) return answering(200, large, CSL_TYPE)(request, response);
      response.writeHead(200, CSL_TYPE);
      response.write(large.slice(0, 300_000), () => stuck());
    },
  ]);
  const controller = new AbortController();
  const never = ask('0-stuck', controller.signal);
  const others = Promise.all([1, 2, 3, 4].map((at) => ask(`0-${at}`)));
  await isStuck;
  controller.abort(new Error('gone'));
  await expect(never).rejects.toThrow('gone');
  for (const answer of await others) expect(answer).toMatchObject({ content: { title: 'T' } });
});

test('silence of a service opens nothing: what a probe would ask for is what a client has chosen', async () => {
  const { servers, time, ask } = await stage([() => {}], { timeoutMs: 15_000 });
  const failure = failureOf(ask('0-hangs'));
  await expect.poll(() => servers[0]?.targets.length).toBe(1);
  time.advance(3_000);
  time.advance(11_999);
  expect(servers[0]?.targets).toHaveLength(1);
  time.advance(1);
  expect(await failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});
