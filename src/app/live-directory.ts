// Builds the live directory: the client of a DOI proxy, and the caches in front of it. Imported only if a DOI
// proxy is configured, because the packages load slowly.

import type { HandleName } from 'doi-names';
import { createCachedDirectory } from '../cache/cached-directory.ts';
import { NO_SHARED_TIER } from '../cache/cached-entry.ts';
import { createMemoryTier } from '../cache/memory-tier.ts';
import { causeOf, connectRedis, redisPrefix } from '../cache/redis-connection.ts';
import { createRedisTier } from '../cache/redis-tier.ts';
import { type Config, isPublicProxy } from '../config.ts';
import { usesAgencyApis } from '../config-variables/metadata-variables.ts';
import type { Directory } from '../directory/directory.ts';
import type { Readiness } from '../http/ops/ops-pages.ts';
import type { Log } from '../log.ts';
import type { CacheSizes } from '../memory/memory-sizes.ts';
import { type Metrics, watchCache } from '../metrics.ts';
import { wallClock } from '../time.ts';
import { createProxyDirectory, type ProxyDirectoryOptions } from '../upstream/proxy.ts';
import { userAgent } from '../upstream/user-agent.ts';
import type { Limits } from './limits.ts';
import { VERSION } from './version.ts';

export interface Source {
  readonly directory: Directory;
  /** reads the state of the caches, for `/readyz` */
  readonly cache: Readiness['cache'];
}

type BaseUrls = NonNullable<Config['DOI_DIRECTORY_URL']>;

/** A probe looks up this name. The name does not have to exist. */
const PROBE_NAME = '10.1000/1' as HandleName;

export interface LiveSourceParts {
  readonly limits: Limits;
  readonly caches: CacheSizes;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly firstConnectionMs?: ProxyDirectoryOptions['firstConnectionMs'];
  readonly time?: ProxyDirectoryOptions['time'];
}

export function createLiveSource(config: Config, baseUrls: BaseUrls, parts: LiveSourceParts): Source {
  const { caches, log, metrics } = parts;
  const memory = createMemoryTier(caches.directory);
  watchCache(metrics, memory);
  const address = config.REDIS_URL;
  const prefix = redisPrefix(baseUrls);
  const shared = address === null ? NO_SHARED_TIER : createRedisTier({ address, prefix, log, metrics });
  const hasRate = config.DIRECTORY_RPS !== null || config.METADATA;
  const rateClient = address !== null && hasRate ? connectRedis(address, prefix) : null;
  rateClient?.on('error', (error) =>
    log.debug({ cause: causeOf(error) }, 'Redis failed for the shared rate.'),
  );
  const directory = createCachedDirectory({
    directory: createProxy(config, baseUrls, { ...parts, redis: rateClient }),
    memory,
    maxFailureBytes: caches.failures,
    maxPrefixBytes: caches.prefixAgencies,
    shared,
    clock: wallClock,
    random: Math.random,
    metrics,
  });
  const sharedState = () => (shared.state === 'up' && shared.isFull ? 'full' : shared.state);
  return {
    directory: {
      ...directory,
      async close() {
        await directory.close();
        rateClient?.disconnect();
      },
    },
    cache: () => ({ entries: memory.entries, shared: address === null ? 'off' : sharedState() }),
  };
}

function createProxy(
  config: Config,
  baseUrls: BaseUrls,
  parts: LiveSourceParts & Pick<ProxyDirectoryOptions, 'redis'>,
): Directory {
  const { limits } = parts;
  return createProxyDirectory({
    ...parts,
    baseUrls,
    userAgent: userAgent(VERSION, config.CONTACT),
    httpsProxy: config.HTTPS_PROXY && { url: config.HTTPS_PROXY, noProxy: config.NO_PROXY ?? '' },
    timeoutMs: limits.attemptMs,
    maxResponseBytes: limits.upstreamBytes,
    maxConnections: config.DIRECTORY_CONNECTIONS,
    requestsPerSecond: config.DIRECTORY_RPS,
    deadlineMs: limits.lookUpMs,
    // The live system does not continue traces of its clients.
    sendsTrace: !baseUrls.some(isPublicProxy),
    retries: limits.retries,
    whichRa: limits.whichRa,
    probeName: PROBE_NAME,
    probesAtStart: true,
    metadataHosts: config.METADATA ? config.METADATA_HOSTS : null,
    agencyApis: usesAgencyApis(config)
      ? {
          crossrefUrl: config.CROSSREF_API_URL ?? new URL('https://api.crossref.org'),
          dataciteUrl: config.DATACITE_API_URL ?? new URL('https://api.datacite.org'),
          plusToken: config.CROSSREF_PLUS_TOKEN,
        }
      : null,
    matchesReferences: config.MATCHING,
  });
}
