// Connects to Redis. A command fails at once while the connection is not open.

import { createHash } from 'node:crypto';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisNode } from '../config-variables/redis-url.ts';

/** The version in each key. It must increase when entries or keys change, so that two versions never share entries. */
const FORMAT = 4;

/**
 * The prefix of all keys for one directory, so that gateways of different directories can share one Redis. The order of
 * the base URLs makes no difference, because all base URLs lead to the same directory.
 */
export function redisPrefix(baseUrls: readonly URL[]): string {
  const bases = new Set(baseUrls.map(({ href }) => href.replace(/\/$/, '')));
  const digest = createHash('sha256')
    .update([...bases].sort().join('\n'))
    .digest('base64url');
  return `doi-gateway:${FORMAT}:${digest.slice(0, 16)}:`;
}

const retryDelay = (attempt: number): number => Math.min(attempt * 100, 1_000);

const FAIL_FAST: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 500,
  // Callers have shorter timeouts. This timeout removes the commands that a frozen node does not answer.
  commandTimeout: 1_000,
  enableAutoPipelining: true,
  retryStrategy: retryDelay,
};

/**
 * @param keyPrefix text that ioredis puts before each key
 * @param overrides options that differ from FAIL_FAST
 */
export function connectRedis(
  address: RedisAddress,
  keyPrefix = '',
  overrides: RedisOptions = {},
): Redis | Cluster {
  const { nodes, isEncrypted, username, password, database } = address;
  const options: RedisOptions = {
    ...FAIL_FAST,
    ...overrides,
    keyPrefix,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(isEncrypted && { tls: {} }),
  };
  if (!address.isCluster) return new Redis({ ...options, ...nodes[0], db: database });
  return new Cluster([...nodes], {
    enableOfflineQueue: options.enableOfflineQueue === true,
    enableAutoPipelining: options.enableAutoPipelining === true,
    clusterRetryStrategy: retryDelay,
    redisOptions: options,
  });
}

/** The hosts as text for the log: `cache.example:6379`. */
export function hostsOf({ nodes }: RedisAddress): string {
  return nodes.map(nameOf).join(', ');
}

function nameOf({ host, port }: RedisNode): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The message of the error. Other members of the error can contain the password. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError.message : error.message;
}
