// Gateways of different directories on one Redis do not share answers.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { limitsOf } from '../../src/app/limits.ts';
import { createSource } from '../../src/app/source.ts';
import { redisPrefix } from '../../src/cache/redis-connection.ts';
import { type Environment, parseConfig } from '../../src/config.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { createLog } from '../../src/log.ts';
import { cacheSizes } from '../../src/memory/memory-sizes.ts';
import { createMetrics } from '../../src/metrics.ts';
import {
  type DirectoryServer,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { doiName } from '../support/doi-names.ts';
import { urlValue } from '../support/fake-directory.ts';
import { type RedisServer, startRedisServer, until, withoutRedis } from '../support/redis-server.ts';

const NAMES = Array.from({ length: 500 }, (_, i) => doiName(`10.1000/${i}`));
const AT_ONCE = 250;

/** A directory whose records and agencies contain its label. */
function startNamedDirectory(label: string): Promise<DirectoryServer> {
  return startDirectoryServer((request, response) => {
    const { face, names } = requestedNames(request);
    if (face === 'doiRA') {
      sendJson(
        response,
        200,
        names.map((DOI) => ({ DOI, RA: label })),
      );
    } else {
      const values = [urlValue(`https://${label}.example/`)];
      sendJson(response, 200, { responseCode: 1, handle: names[0], values });
    }
  });
}

describe.skipIf(withoutRedis('two directories on one Redis'))('two directories on one Redis', () => {
  let redis: RedisServer;
  let production: DirectoryServer;
  let staging: DirectoryServer;
  beforeAll(async () => {
    [redis, production, staging] = await Promise.all([
      startRedisServer(),
      startNamedDirectory('production'),
      startNamedDirectory('staging'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([redis.close(), production.close(), staging.close()]);
  });

  /** A replica with its own memory. */
  async function connect({ url }: DirectoryServer, env: Environment = {}): Promise<Directory> {
    const config = parseConfig({ DOI_DIRECTORY_URL: url.href, REDIS_URL: redis.url, ...env });
    const { directory, cache } = await createSource(config, {
      limits: limitsOf(config),
      caches: cacheSizes(1_000_000, 100_000_000),
      log: createLog('silent'),
      metrics: createMetrics(),
    });
    onTestFinished(() => directory.close());
    await until('it is connected', () => cache().shared === 'up');
    return directory;
  }

  /** The number of records by their data. */
  async function resolveAll(directory: Directory): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (let start = 0; start < NAMES.length; start += AT_ONCE) {
      const names = NAMES.slice(start, start + AT_ONCE);
      for (const { values } of await Promise.all(names.map((name) => directory.resolve(name)))) {
        const [{ wire } = expect.unreachable()] = values;
        const key = JSON.stringify(wire['data']);
        counts[key] = (counts[key] ?? 0) + 1;
      }
    }
    return counts;
  }

  async function agencyOf(directory: Directory): Promise<string | null> {
    const [{ agency } = expect.unreachable()] = await Promise.all(directory.whichRa([doiName('10.2000/a')]));
    return agency;
  }

  const allFrom = (label: string) => ({
    [JSON.stringify({ format: 'string', value: `https://${label}.example/` })]: NAMES.length,
  });

  test('do not share records, in 2,000 look-ups of the same names', async () => {
    expect(await resolveAll(await connect(production))).toEqual(allFrom('production'));
    expect(await resolveAll(await connect(staging))).toEqual(allFrom('staging'));
    expect(await resolveAll(await connect(production))).toEqual(allFrom('production'));
    expect(await resolveAll(await connect(staging))).toEqual(allFrom('staging'));
    // The second replicas read most records from Redis. On a busy machine, they read fewer.
    expect(production.targets.length + staging.targets.length).toBeLessThan(3.5 * NAMES.length);
  }, 60_000);

  test('do not share agencies', async () => {
    for (const [server, label] of [
      [production, 'production'],
      [staging, 'staging'],
      [production, 'production'],
    ] as const) {
      expect(await agencyOf(await connect(server))).toBe(label);
    }
  });

  test('have the prefix of their directory in every key, also for the request rate', async () => {
    for (const server of [production, staging]) {
      const directory = await connect(server, { DIRECTORY_RPS: '1000' });
      await directory.resolve(doiName('10.2000/b'));
    }
    const keys = await redis.client.keys('*');
    const owners = [production, staging].map(({ url }) => redisPrefix([url]));
    const own = owners.map((prefix) => keys.filter((key) => key.startsWith(prefix)));
    expect(own.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(own.flat().length).toBe(keys.length);
  });
});

describe('the prefix of keys', () => {
  const prefixOf = (...urls: readonly string[]) => redisPrefix(urls.map((url) => new URL(url)));

  test('is the same for the same base URLs in any order and spelling', () => {
    const prefix = prefixOf('https://doi.org', 'https://mirror.example/proxy');
    expect(prefixOf('https://mirror.example/proxy/', 'HTTPS://DOI.ORG:443/')).toBe(prefix);
    expect(prefixOf('https://doi.org', 'https://doi.org/', 'https://mirror.example/proxy')).toBe(prefix);
  });

  test.each([
    ['http://doi.org'],
    ['https://doi.org:8443'],
    ['https://doi.org/proxy'],
    ['https://dx.doi.org'],
    ['https://doi.org', 'https://mirror.example'],
  ])('is different for %s', (...urls) => {
    expect(prefixOf(...urls)).not.toBe(prefixOf('https://doi.org'));
  });

  test('has the version of the format, and hides the URL', () => {
    expect(prefixOf('https://doi.org')).toMatch(/^doi-gateway:4:[\w-]{16}:$/);
  });
});
