// A client for the Redis at an address. It fails fast: nothing waits for a connection.

import { createHash } from 'node:crypto';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisNode } from '../config-variables/redis-url.ts';

// How keys in Redis are named: after the directory they are about, and after the form of what they hold.

/** Raised when what is stored changes, so that replicas of two versions do not read each other's entries. */
const FORMAT = 2;

/**
 * What all keys about one directory begin with, so that gateways of different directories can share one Redis.
 * The order of the base URLs does not count: any of them answers for the directory.
 */
export function redisPrefix(baseUrls: readonly URL[]): string {
  const bases = new Set(baseUrls.map(({ href }) => href.replace(/\/$/, '')));
  const digest = createHash('sha256')
    .update([...bases].sort().join('\n'))
    .digest('base64url');
  return `doi-gateway:${FORMAT}:${digest.slice(0, 16)}:`;
}

export interface RedisNames {
  entry(key: string): string;
  lock(key: string): string;
}

/** The braces keep a key and its lock on one node of a cluster, so that an answer is there before its lock goes. */
export function createRedisNames(prefix: string): RedisNames {
  return {
    entry: (key) => `${prefix}{${tagOf(key)}}`,
    lock: (key) => `${prefix}lock:{${tagOf(key)}}`,
  };
}

/** The key without closing braces, which DOI names may have. */
function tagOf(key: string): string {
  return key.replace(/[%}]/g, encodeURIComponent);
}

const retryDelay = (attempt: number): number => Math.min(attempt * 100, 1_000);

const FAIL_FAST: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 500,
  // Nobody waits that long; it frees the pipelines that a frozen node would hold for ever.
  commandTimeout: 1_000,
  enableAutoPipelining: true,
  retryStrategy: retryDelay,
};

/**
 * @param keyPrefix what all keys that the client names begin with
 * @param changed options in place of those by which it fails fast
 */
export function connectRedis(
  address: RedisAddress,
  keyPrefix = '',
  changed: RedisOptions = {},
): Redis | Cluster {
  const { nodes, isEncrypted, username, password, database } = address;
  const options: RedisOptions = {
    ...FAIL_FAST,
    ...changed,
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

/** The hosts for people: `cache.example:6379`. */
export function hostsOf({ nodes }: RedisAddress): string {
  return nodes.map(nameOf).join(', ');
}

function nameOf({ host, port }: RedisNode): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Why something failed, in Redis' or the network's words. ioredis' errors hold the command: of AUTH, the password. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError.message : error.message;
}
