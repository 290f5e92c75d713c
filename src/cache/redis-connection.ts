// A client for the Redis that a URL names. It fails fast: nothing waits for a connection.

import { Cluster, Redis, type RedisOptions } from 'ioredis';

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

const CLUSTER_SCHEME = /^redis\+cluster:\/\//;

/** Of `redis://`, `rediss://`, or `redis+cluster://host:port,host:port`, with `user:password@` before the host. */
export function connectRedis(url: string): Redis | Cluster {
  if (!CLUSTER_SCHEME.test(url)) return new Redis(url, FAIL_FAST);
  const [credentials, hosts] = splitCredentials(url.replace(CLUSTER_SCHEME, ''));
  const nodes = hosts.split(',').map((host) => {
    const { hostname, port } = new URL(`redis://${host}`);
    return { host: hostname, port: Number(port || 6379) };
  });
  return new Cluster(nodes, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    clusterRetryStrategy: retryDelay,
    redisOptions: { ...FAIL_FAST, ...credentials },
  });
}

function splitCredentials(authority: string): [credentials: RedisOptions, hosts: string] {
  const at = authority.lastIndexOf('@');
  if (at === -1) return [{}, authority];
  const { username, password } = new URL(`redis://${authority.slice(0, at)}@host`);
  const credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return [credentials, authority.slice(at + 1)];
}
