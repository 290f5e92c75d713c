// Where the answers come from: the embedded directory, or a DOI proxy behind the cache.

import { createRequire } from 'node:module';
import { createCachedDirectory } from '../cache/cached-directory.ts';
import { systemClock } from '../cache/clock.ts';
import { createMemoryTier } from '../cache/memory-tier.ts';
import { causeOf, connectRedis } from '../cache/redis-connection.ts';
import { redisPrefix } from '../cache/redis-names.ts';
import { createRedisTier } from '../cache/redis-tier.ts';
import { NO_SHARED_TIER } from '../cache/shared-tier.ts';
import type { Config } from '../config.ts';
import type { Directory } from '../directory/directory.ts';
import { DirectoryFileError } from '../directory/directory-file.ts';
import { createEmbeddedDirectory } from '../directory/embedded.ts';
import { createProxyDirectory, type ProxyDirectoryOptions } from '../directory/proxy/proxy.ts';
import type { HandleName } from '../doi/name.ts';
import type { Readiness } from '../http/ops/readiness-page.ts';
import type { Log } from '../log.ts';
import { type Metrics, watchCache } from '../metrics.ts';

/** What answers, and what is known of its cache. */
export interface Source {
  readonly directory: Directory;
  readonly cache: Readiness['cache'];
}

export const NO_CACHE: Readiness['cache'] = () => ({ entries: 0, shared: 'off' });

/** Rejects with a DirectoryFileError when a file cannot be used. */
export async function createSource(config: Config, log: Log, metrics: Metrics): Promise<Source> {
  if (config.DOI_DIRECTORY_URL === null) {
    const directory = await createEmbeddedDirectory({
      recordsFile: config.DOI_DIRECTORY_FILE,
      agenciesFile: config.DOI_AGENCIES_FILE,
    }).catch((error: unknown) => {
      throw withVariable(error, config);
    });
    return { directory, cache: NO_CACHE };
  }
  const memory = createMemoryTier(config.CACHE_MAX_BYTES);
  watchCache(metrics, memory);
  const address = config.REDIS_URL;
  const prefix = redisPrefix(config.DOI_DIRECTORY_URL);
  const shared = address === null ? NO_SHARED_TIER : createRedisTier({ address, prefix, log, metrics });
  const rateClient = address === null || config.DIRECTORY_RPS === null ? null : connectRedis(address, prefix);
  rateClient?.on('error', (error) => log.debug({ cause: causeOf(error) }, 'shared rate'));
  const directory = createCachedDirectory({
    directory: createProxy(config, config.DOI_DIRECTORY_URL, { log, metrics, redis: rateClient }),
    memory,
    shared,
    clock: systemClock,
    random: Math.random,
    metrics,
    agenciesByPrefix: config.AGENCY_BY_PREFIX,
  });
  const sharedState = (): 'off' | 'up' | 'down' => (address === null ? 'off' : shared.state);
  return {
    directory: {
      ...directory,
      async close() {
        await directory.close();
        rateClient?.disconnect();
      },
    },
    cache: () => ({ entries: memory.entries, shared: sharedState() }),
  };
}

/** What is wrong with a file is said of the variable that names it. */
function withVariable(error: unknown, config: Config): unknown {
  if (!(error instanceof DirectoryFileError)) return error;
  const variables = ['DOI_DIRECTORY_FILE', 'DOI_AGENCIES_FILE'] as const;
  const variable = variables.find((name) => error.message.startsWith(`${config[name]}:`));
  return variable ? new DirectoryFileError(`${variable}: ${error.message}`, { cause: error }) : error;
}

function createProxy(
  config: Config,
  baseUrls: NonNullable<Config['DOI_DIRECTORY_URL']>,
  parts: Pick<ProxyDirectoryOptions, 'log' | 'metrics' | 'redis'>,
): Directory {
  return createProxyDirectory({
    ...parts,
    baseUrls,
    userAgent: userAgent(config.CONTACT),
    timeoutMs: config.DIRECTORY_TIMEOUT_MS,
    maxResponseBytes: config.DIRECTORY_MAX_RESPONSE_BYTES,
    maxConnections: config.DIRECTORY_CONNECTIONS,
    requestsPerSecond: config.DIRECTORY_RPS,
    deadlineMs: config.DIRECTORY_DEADLINE_MS,
    retries: config.DIRECTORY_RETRIES,
    whichRa: { maxUrlBytes: config.WHICH_RA_MAX_URL_BYTES, maxNames: config.WHICH_RA_MAX_NAMES },
    probeName: config.DIRECTORY_PROBE as HandleName,
    probesAtStart: true,
  });
}

function userAgent(contact: string | null): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return contact === null ? `doi-gateway/${version}` : `doi-gateway/${version} (+${contact})`;
}
