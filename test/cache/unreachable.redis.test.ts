// If Redis cannot be reached, the log says so once, with host and cause, and never with a password.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { startRedisCluster, startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createTierOn } from './tier-on-redis.ts';

const SECRET = 's3cret/of the@operator';
const ENCODED = encodeURIComponent(SECRET);

/** A tier, and its complete log. */
function connect(url: string, firstAnswerMs = 5_000) {
  const text: string[] = [];
  const log = createLog('trace', { write: (line: string) => void text.push(line) });
  const tier = createTierOn(url, { log, firstAnswerMs });
  onTestFinished(() => tier.close());
  const lines = () => text.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    tier,
    warnings: () => lines().filter(({ level }) => level === 40),
    attempts: () => lines().filter(({ msg }) => msg === 'The connection to the shared cache failed.').length,
    text: () => text.join(''),
  };
}

const warning = (host: string, cause: string) => ({
  host,
  cause: expect.stringContaining(cause),
  msg: 'The shared cache is bypassed until it answers.',
});

/** A TCP server that is not Redis. */
async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the log has one warning if', () => {
  test.each([
    ['redis', 'nosuch.invalid:6379'],
    ['redis+cluster', 'nosuch.invalid:7000'],
  ])('the host is unknown: %s', async (scheme, host) => {
    const { warnings, text } = connect(`${scheme}://user:${ENCODED}@${host}`);
    await until('there is a warning', () => warnings().length > 0);
    expect(warnings()).toMatchObject([{ host, msg: 'The shared cache is bypassed until it answers.' }]);
    if (scheme === 'redis') expect(warnings()).toMatchObject([warning(host, 'ENOTFOUND')]);
    expect(text()).not.toContain(SECRET);
  });

  test('no server listens, even after several attempts', async () => {
    const { warnings, attempts, text } = connect(`redis://:${ENCODED}@127.0.0.1:1`);
    await until('there were three attempts', () => attempts() >= 3);
    expect(warnings()).toMatchObject([warning('127.0.0.1:1', 'ECONNREFUSED')]);
    expect(text()).not.toContain(SECRET);
  });

  test('the server closes all connections', async () => {
    const host = await listen((socket) => socket.destroy());
    const { warnings } = connect(`redis://${host}`);
    await until('there is a warning', () => warnings().length > 0);
    expect(warnings()).toMatchObject([warning(host, '')]);
  });

  test('the server does not respond', async () => {
    const host = await listen(() => undefined);
    const { warnings } = connect(`redis://${host}`, 50);
    await until('there is a warning', () => warnings().length > 0);
    expect(warnings()).toMatchObject([warning(host, 'no answer within 50 ms')]);
  });
});

describe.skipIf(withoutRedis('a Redis that cannot be used'))('a Redis', () => {
  test('that needs another password causes one warning without the password', async () => {
    const server = await startRedisServer('--requirepass', 'another');
    onTestFinished(() => server.close());
    const { tier, warnings, attempts, text } = connect(`redis://:${ENCODED}@127.0.0.1:${server.port}`);
    await until('there were three attempts', () => attempts() >= 3);
    expect(warnings()).toMatchObject([warning(`127.0.0.1:${server.port}`, 'WRONGPASS')]);
    expect(tier.state).toBe('down');
    expect(text()).not.toContain(SECRET);
    expect(text()).not.toContain(ENCODED);
  });

  test('with special characters in its password is used', async () => {
    const server = await startRedisServer('--requirepass', SECRET);
    onTestFinished(() => server.close());
    const { tier, warnings } = connect(`redis://:${ENCODED}@127.0.0.1:${server.port}`);
    await until('the tier is up', () => tier.state === 'up');
    expect(warnings()).toEqual([]);
  });

  test('that is down twice causes one warning per outage', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.close());
    const { tier, warnings } = connect(server.url);
    for (const outages of [1, 2]) {
      await until('the tier is up', () => tier.state === 'up');
      await server.kill();
      await until('the tier is down', () => tier.state === 'down');
      expect(warnings()).toHaveLength(outages);
      await server.restart();
    }
  });

  test('that is a cluster and needs another password causes one warning', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.close());
    const url = cluster.url.replace('://', `://:${ENCODED}@`);
    for (const { client } of cluster.nodes) await client.config('SET', 'requirepass', 'another');
    const { warnings, text } = connect(url);
    await until('there is a warning', () => warnings().length > 0);
    expect(warnings()).toMatchObject([{ cause: expect.stringContaining('WRONGPASS') }]);
    expect(text()).not.toContain(SECRET);
  }, 60_000);
});
