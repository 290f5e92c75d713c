// Gateways of different directories on one Redis do not share answers.

import { describe, expect, onTestFinished, test } from 'vitest';
import { limitsOf } from '../../src/app/limits.ts';
import { createSource } from '../../src/app/source.ts';
import { redisPrefix } from '../../src/cache/redis-connection.ts';
import { parseConfig } from '../../src/config.ts';
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
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';

const NAME = doiName('10.2000/b');

/** A directory whose record and agency contain its label. */
async function startLabelled(label: string) {
  const server = await startDirectoryServer((request, response) => {
    const { face, names } = requestedNames(request);
    if (face === 'doiRA') sendJson(response, 200, [{ DOI: names[0], RA: label }]);
    else sendJson(response, 200, { responseCode: 1, handle: names[0], values: [urlValue(label)] });
  });
  onTestFinished(() => server.close());
  return { label, server };
}

/** A replica with its own memory. */
async function connect({ url }: DirectoryServer, redisUrl: string): Promise<Directory> {
  const config = parseConfig({
    DOI_DIRECTORY_URL: url.href,
    REDIS_URL: redisUrl,
    DIRECTORY_RPS: '1000',
  });
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

describe.skipIf(withoutRedis('two directories on one Redis'))('two directories on one Redis', () => {
  test('do not share answers or the request rate, because every key has the prefix of its directory', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const directories = [await startLabelled('production'), await startLabelled('staging')];
    for (const { label, server } of [...directories, ...directories]) {
      const directory = await connect(server, redis.url);
      const { values } = await directory.resolve(NAME);
      expect(values.map(({ wire }) => wire)).toEqual([urlValue(label)]);
      expect(await Promise.all(directory.whichRa([NAME]))).toMatchObject([{ agency: label }]);
    }
    const keys = await redis.client.keys('*');
    const own = directories.map(({ server }) =>
      keys.filter((key) => key.startsWith(redisPrefix([server.url]))),
    );
    expect(own.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(own.flat()).toHaveLength(keys.length);
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
