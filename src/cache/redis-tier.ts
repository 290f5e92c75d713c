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
  /** what all of its keys begin with */
  readonly prefix: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'sharedCacheUp' | 'sharedCacheErrors' | 'redisProblem'>;
  /** what a node that is frozen costs before it is bypassed; 100 by default */
  readonly deadlineMs?: number;
  /** how long it may take to answer for the first time before the log says so; 5,000 by default */
  readonly firstAnswerMs?: number;
  /** between two looks at its memory; 2,000 by default */
  readonly memoryEveryMs?: number;
}

const DEADLINE_MS = 100;
const FIRST_ANSWER_MS = 5_000;
const GRACE_TURNS = 4;
const PROBE_MS = 500;
const MEMORY_EVERY_MS = 2_000;

// Deletes the lock only if it is still ours: it may have run out and been taken by another.
const RELEASE =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

// Of a text that is too long only so much that it is seen to be; a value of another type is nothing.
const READ = `
  local texts = {}
  for i, name in ipairs(KEYS) do
    local text = redis.pcall('getrange', name, 0, ${MAX_TEXT_BYTES})
    texts[i] = type(text) == 'string' and text
  end
  return texts`;

type Operation = 'read' | 'write' | 'lock';

export function createRedisTier(options: RedisTierOptions): SharedTier {
  const { address, log, metrics, deadlineMs = DEADLINE_MS, firstAnswerMs = FIRST_ANSWER_MS } = options;
  const client = connectRedis(address);
  const names = createRedisNames(options.prefix);
  const host = hostsOf(address);
  let state: SharedTier['state'] = 'down';
  let probes: NodeJS.Timeout | undefined;
  let failedName = names.entry('');
  let lastFault: unknown = new Error('the connection is closed');
  let isOutageTold = false;
  let closed = false;
  metrics.sharedCacheUp.set(0);
  const memory = createRedisMemoryWatch({ redis: client, holds: 'cache', log, metrics });
  const looks = setInterval(() => void memory.look(), options.memoryEveryMs ?? MEMORY_EVERY_MS).unref();

  const noAnswer = setTimeout(
    () => tellOutage(new Error(`no answer within ${firstAnswerMs} ms`)),
    firstAnswerMs,
  ).unref();
  client.on('ready', goUp);
  client.on('close', () => {
    if (state === 'up') goDown(new Error('the connection is closed'));
    else tellOutage(lastFault);
  });
  // Without a listener an error would end the process; each is followed by a close.
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
    isOutageTold = false;
    metrics.sharedCacheUp.set(1);
    log.info({ host }, 'The shared cache is used.');
  }

  function goDown(error: unknown): void {
    if (state === 'down' || closed) return;
    state = 'down';
    metrics.sharedCacheUp.set(0);
    tellOutage(error);
    probes = setInterval(() => void probe(), PROBE_MS).unref();
  }

  /** Once an outage, the one before the first answer too. */
  function tellOutage(error: unknown): void {
    if (isOutageTold || closed) return;
    isOutageTold = true;
    log.warn({ host, cause: causeOf(error) }, 'The shared cache is bypassed until it answers.');
  }

  /** Of a cluster the node that failed may be one of many: what it failed at is asked for. */
  async function probe(): Promise<void> {
    try {
      await inTime(deadlineMs, client.exists(failedName));
      goUp();
    } catch (error) {
      if (error instanceof ReplyError) goUp();
    }
  }

  /** An answer that says no (a full memory, a value of another type) is a failure of one operation alone. */
  async function attempt<T>(
    operation: Operation,
    name: string,
    otherwise: T,
    work: () => Promise<T>,
  ): Promise<T> {
    if (state === 'down') return otherwise;
    try {
      return await inTime(deadlineMs, work());
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

  /** A batch at once. Of several slots a cluster answers no script: commands of one tick go as one pipeline a node. */
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
      const got = await attempt<LockAttempt>('lock', name, { got: 'none' }, async () => {
        const answer = await client.set(name, token, 'PX', heldMs, 'NX');
        // An answer after the timeout: no caller will release this lock, and other replicas would wait for it.
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
      clearInterval(looks);
      client.disconnect();
    },
  };
}

/**
 * The work's answer, or a rejection after the deadline. In a process that is busy the question may then not
 * even be sent, or the answer be there and not be read: it gets some turns of the event loop for that, which
 * take no time in one that is idle.
 */
function inTime<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let turn: NodeJS.Immediate | undefined;
    const afterTurns = (turns: number): void => {
      if (turns === 0) reject(new Error(`no answer within ${deadlineMs} ms`));
      else turn = setImmediate(afterTurns, turns - 1);
    };
    const timer = setTimeout(afterTurns, deadlineMs, GRACE_TURNS);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      clearImmediate(turn);
    });
  });
}
