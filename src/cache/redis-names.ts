// How keys in Redis are named: after the directory they are about, and after the form of what they hold.

import { createHash } from 'node:crypto';

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
