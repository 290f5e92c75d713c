// The shared tier on Redis: a single node, or a cluster.

import { randomUUID } from 'node:crypto';
import { Cluster, ReplyError } from 'ioredis';
import type { RedisAddress } from '../config-variables/redis-url.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type LockAttempt, MAX_TEXT_BYTES, type SharedTier } from './cached-entry.ts';
import { causeOf, connectRedis, createRedisNames, hostsOf } from './redis-connection.ts';
import { createRedisMemoryWatch } from './redis-memory.ts';

export interface RedisTierOptions {
  readonly address: RedisAddress;
  /** the prefix of all keys */
  readonly prefix: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'sharedCacheUp' | 'sharedCacheErrors' | 'redisProblem'>;
  /** the longest wait for one command; default: 100 */
  readonly timeoutMs?: number;
  /** If Redis has not answered by then, the log reports it; default: 5,000. */
  readonly firstAnswerMs?: number;
  /** the interval of the checks of its memory; default: 2,000 */
  readonly memoryEveryMs?: number;
}

const TIMEOUT_MS = 100;
const FIRST_ANSWER_MS = 5_000;
/** turns of the event loop after the timeout */
const GRACE_TURNS = 4;
const PROBE_MS = 500;
const MEMORY_EVERY_MS = 2_000;

// Deletes the lock only if it is still ours. It may have expired, and another replica may have it now.
const RELEASE =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

// Reads one byte more than allowed, which shows that a text is too long. A value of another type counts as no entry.
const READ = `
  local texts = {}
  for i, name in ipairs(KEYS) do
    local text = redis.pcall('getrange', name, 0, ${MAX_TEXT_BYTES})
    texts[i] = type(text) == 'string' and text
  end
  return texts`;

type Operation = 'read' | 'write' | 'lock';

export function createRedisTier(options: RedisTierOptions): SharedTier {
  const { address, log, metrics, timeoutMs = TIMEOUT_MS, firstAnswerMs = FIRST_ANSWER_MS } = options;
  const client = connectRedis(address);
  const names = createRedisNames(options.prefix);
  const host = hostsOf(address);
  let state: SharedTier['state'] = 'down';
  let probes: NodeJS.Timeout | undefined;
  let failedName = names.entry('');
  let lastFault: unknown = new Error('the connection is closed');
  let isOutageLogged = false;
  let closed = false;
  metrics.sharedCacheUp.set(0);
  const memory = createRedisMemoryWatch({ redis: client, holds: 'cache', log, metrics });
  const memoryChecks = setInterval(
    () => void memory.look(),
    options.memoryEveryMs ?? MEMORY_EVERY_MS,
  ).unref();

  const noAnswer = setTimeout(
    () => logOutage(new Error(`no answer within ${firstAnswerMs} ms`)),
    firstAnswerMs,
  ).unref();
  client.on('ready', goUp);
  client.on('close', () => {
    if (state === 'up') goDown(new Error('the connection is closed'));
    else logOutage(lastFault);
  });
  // Without a listener, an error would end the process. A `close` event follows each error.
  client.on('error', noteFault);
  if (client instanceof Cluster) client.on('node error', noteFault);

  function noteFault(error: unknown): void {
    lastFault = error;
    log.debug({ host, cause: causeOf(error) }, 'shared cache');
  }

  function goUp(): void {
    clearTimeout(noAnswer);
    clearInterval(probes);
    if (state === 'up' || closed) return;
    state = 'up';
    isOutageLogged = false;
    metrics.sharedCacheUp.set(1);
    log.info({ host }, 'The shared cache is used.');
  }

  function goDown(error: unknown): void {
    if (state === 'down' || closed) return;
    state = 'down';
    metrics.sharedCacheUp.set(0);
    logOutage(error);
    probes = setInterval(() => void probe(), PROBE_MS).unref();
  }

  /** Logs each outage once. An outage may begin before the first answer. */
  function logOutage(error: unknown): void {
    if (isOutageLogged || closed) return;
    isOutageLogged = true;
    log.warn({ host, cause: causeOf(error) }, 'The shared cache is bypassed until it answers.');
  }

  /** Reads the key that failed, because in a cluster this key is on the node that failed. */
  async function probe(): Promise<void> {
    try {
      await orTimeout(timeoutMs, client.exists(failedName));
      goUp();
    } catch (error) {
      if (error instanceof ReplyError) goUp();
    }
  }

  /** If Redis answers with an error (full memory, a value of another type), only this operation fails. */
  async function attempt<T>(
    operation: Operation,
    name: string,
    otherwise: T,
    work: () => Promise<T>,
  ): Promise<T> {
    if (state === 'down') return otherwise;
    try {
      return await orTimeout(timeoutMs, work());
    } catch (error) {
      metrics.sharedCacheErrors.inc({ operation });
      if (error instanceof ReplyError) {
        log.debug({ host, cause: causeOf(error), operation }, 'shared cache');
      } else {
        failedName = name;
        goDown(error);
      }
      return otherwise;
    }
  }

  /**
   * Reads a batch in one round trip. A cluster runs no script over keys of several nodes, so it gets one command for
   * each key. The client sends all commands of one tick to a node together.
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
      return state;
    },
    get isFull() {
      return memory.problem === 'full';
    },

    async getMany(keys) {
      const texts = await read(keys.map(names.entry));
      return texts.map((text) => text || null);
    },

    set(key, text, keptMs) {
      const name = names.entry(key);
      const fits = Buffer.byteLength(text) <= MAX_TEXT_BYTES;
      void attempt<unknown>('write', name, null, () =>
        fits ? client.set(name, text, 'PX', keptMs) : client.del(name),
      );
    },

    delete(key) {
      const name = names.entry(key);
      void attempt('write', name, 0, () => client.del(name));
    },

    async lock(key, heldMs) {
      const name = names.lock(key);
      const token = randomUUID();
      const release = (): void => void client.eval(RELEASE, 1, name, token).catch(() => {});
      let isAwaited = true;
      const got = await attempt<LockAttempt>('lock', name, { got: 'unavailable' }, async () => {
        const answer = await client.set(name, token, 'PX', heldMs, 'NX');
        // The answer came after the timeout, so no caller will release this lock. Other replicas would wait for it.
        if (answer === 'OK' && !isAwaited) release();
        return answer === 'OK' ? { got: 'lock', release } : { got: 'held by another' };
      });
      isAwaited = false;
      return got;
    },

    async close() {
      closed = true;
      clearTimeout(noAnswer);
      clearInterval(probes);
      clearInterval(memoryChecks);
      client.disconnect();
    },
  };
}

/**
 * Rejects after the timeout, and after a few more turns of the event loop. In a busy process, the command may not be
 * sent before the timeout, or its answer may not be read. In an idle process, these turns take no time.
 */
function orTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let turn: NodeJS.Immediate | undefined;
    const afterTurns = (turns: number): void => {
      if (turns === 0) reject(new Error(`no answer within ${timeoutMs} ms`));
      else turn = setImmediate(afterTurns, turns - 1);
    };
    const timer = setTimeout(afterTurns, timeoutMs, GRACE_TURNS);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      clearImmediate(turn);
    });
  });
}
