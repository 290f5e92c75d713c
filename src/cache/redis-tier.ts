// The shared tier of the cache on Redis: a single node, or a cluster.

import { randomUUID } from 'node:crypto';
import { Cluster, ReplyError } from 'ioredis';
import type { RedisAddress } from '../config-variables/redis-url.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type LockAttempt, MAX_TEXT_BYTES, type SharedTier } from './cached-entry.ts';
import { causeOf, connectRedis, hostsOf } from './redis-connection.ts';
import { createRedisMemoryWatch } from './redis-memory.ts';
import { createRedisProbe, orTimeout } from './redis-probe.ts';

export interface RedisTierOptions {
  readonly address: RedisAddress;
  /** the prefix of all keys */
  readonly prefix: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'sharedCacheUp' | 'sharedCacheErrors' | 'redisProblem'>;
  /** the longest wait for one command; default: 100 */
  readonly timeoutMs?: number;
  /** if Redis has not answered after this time, the log reports an outage; default: 5,000 */
  readonly firstAnswerMs?: number;
  /** the time between two checks of Redis's free memory; default: 2,000 */
  readonly memoryEveryMs?: number;
}

const TIMEOUT_MS = 100;
const FIRST_ANSWER_MS = 5_000;
const MEMORY_EVERY_MS = 2_000;

// Deletes the lock only if its token is ours: the lock could have expired, and another replica could have it now.
const RELEASE =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

// Reads one byte more than allowed, to find out whether a text is too long. A key that holds no string counts as missing.
const READ = `
  local texts = {}
  for i, name in ipairs(KEYS) do
    local text = redis.pcall('getrange', name, 0, ${MAX_TEXT_BYTES})
    texts[i] = type(text) == 'string' and text
  end
  return texts`;

type Operation = 'read' | 'write' | 'lock';

/**
 * Redis Cluster hashes only the text in braces. So an entry and its lock are on the same node. Closing braces of the key
 * are escaped, because a DOI name can contain them.
 */
function hashTag(key: string): string {
  return `{${key.replace(/[%}]/g, encodeURIComponent)}}`;
}

export function createRedisTier(options: RedisTierOptions): SharedTier {
  const { address, log, metrics, timeoutMs = TIMEOUT_MS, firstAnswerMs = FIRST_ANSWER_MS } = options;
  const client = connectRedis(address);
  const entryName = (key: string): string => `${options.prefix}${hashTag(key)}`;
  const host = hostsOf(address);
  const probe = createRedisProbe({
    client,
    host,
    firstKey: entryName(''),
    log,
    metrics,
    timeoutMs,
    firstAnswerMs,
  });
  const memory = createRedisMemoryWatch({ redis: client, usedFor: 'cache', log, metrics });
  const memoryChecks = setInterval(
    () => void memory.check(),
    options.memoryEveryMs ?? MEMORY_EVERY_MS,
  ).unref();

  /** If Redis answers with an error, only this operation fails. If Redis does not answer, an outage begins. */
  async function attempt<T>(
    operation: Operation,
    name: string,
    otherwise: T,
    command: () => Promise<T>,
  ): Promise<T> {
    if (probe.state === 'down') return otherwise;
    try {
      return await orTimeout(timeoutMs, command());
    } catch (error) {
      metrics.sharedCacheErrors.inc({ operation });
      if (error instanceof ReplyError) {
        log.debug({ host, cause: causeOf(error), operation }, 'Redis refused an operation.');
      } else {
        probe.reportFailure(name, error);
      }
      return otherwise;
    }
  }

  /**
   * Reads a batch in one round trip. A cluster cannot run a script over keys of several nodes, so it gets one command per
   * key. The client sends all commands of one tick to a node together.
   */
  async function read(wanted: readonly string[]): Promise<readonly (string | null)[]> {
    const nothing = wanted.map(() => null);
    const [first] = wanted;
    if (first === undefined) return nothing;
    if (client instanceof Cluster) {
      return Promise.all(
        wanted.map((name) => attempt('read', name, null, () => client.getrange(name, 0, MAX_TEXT_BYTES))),
      );
    }
    return attempt<readonly (string | null)[]>('read', first, nothing, async () => {
      const texts = await client.eval(READ, wanted.length, ...wanted);
      return texts as (string | null)[];
    });
  }

  return {
    get state() {
      return probe.state;
    },
    get isFull() {
      return memory.problem === 'full';
    },

    async getMany(keys) {
      const texts = await read(keys.map(entryName));
      return texts.map((text) => text || null);
    },

    set(key, text, keptMs) {
      const name = entryName(key);
      const fits = Buffer.byteLength(text) <= MAX_TEXT_BYTES;
      void attempt<unknown>('write', name, null, () =>
        fits ? client.set(name, text, 'PX', keptMs) : client.del(name),
      );
    },

    delete(key) {
      const name = entryName(key);
      void attempt('write', name, 0, () => client.del(name));
    },

    async lock(key, heldMs) {
      const name = `${options.prefix}lock:${hashTag(key)}`;
      const token = randomUUID();
      const release = (): void => void client.eval(RELEASE, 1, name, token).catch(() => {});
      let isAwaited = true;
      const got = await attempt<LockAttempt>('lock', name, { got: 'unavailable' }, async () => {
        const answer = await client.set(name, token, 'PX', heldMs, 'NX');
        // If the answer comes after the timeout, no caller will release this lock, and other replicas would wait for it.
        if (answer === 'OK' && !isAwaited) release();
        return answer === 'OK' ? { got: 'lock', release } : { got: 'held by another' };
      });
      isAwaited = false;
      return got;
    },

    async close() {
      probe.end();
      clearInterval(memoryChecks);
      client.disconnect();
    },
  };
}
