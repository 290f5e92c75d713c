// The shared tier on Redis: a single node, or a cluster.

import { randomUUID } from 'node:crypto';
import { Cluster, ReplyError } from 'ioredis';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { connectRedis } from './redis-connection.ts';
import type { LockAttempt, SharedTier } from './shared-tier.ts';

export interface RedisTierOptions {
  /** `redis://`, `rediss://`, or `redis+cluster://host:port,host:port` */
  readonly url: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'sharedCacheUp' | 'sharedCacheErrors'>;
  /** what a node that is frozen costs before it is bypassed; 100 by default */
  readonly deadlineMs?: number;
}

/** Raised when what is stored changes, so that replicas of two versions do not read each other's entries. */
const NAMESPACE = 'doi-gateway:1:';

const DEADLINE_MS = 100;
const GRACE_TURNS = 4;
const PROBE_MS = 500;

// Deletes the lock only if it is still ours: it may have run out and been taken by another.
const RELEASE =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

type Operation = 'read' | 'write' | 'lock';

export function createRedisTier(options: RedisTierOptions): SharedTier {
  const { url, log, metrics, deadlineMs = DEADLINE_MS } = options;
  const client = connectRedis(url);
  let state: SharedTier['state'] = 'down';
  let probes: NodeJS.Timeout | undefined;
  let failedName = nameOf('');
  let closed = false;
  metrics.sharedCacheUp.set(0);

  client.on('ready', goUp);
  client.on('close', () => goDown(new Error('the connection is closed')));
  // Without a listener an error would end the process; each is followed by a close.
  client.on('error', (error) => log.debug({ err: error }, 'shared cache'));

  function goUp(): void {
    clearInterval(probes);
    if (state === 'up' || closed) return;
    state = 'up';
    metrics.sharedCacheUp.set(1);
    log.info('The shared cache is used.');
  }

  function goDown(error: unknown): void {
    if (state === 'down' || closed) return;
    state = 'down';
    metrics.sharedCacheUp.set(0);
    log.warn({ err: error }, 'The shared cache is bypassed until it answers again.');
    probes = setInterval(() => void probe(), PROBE_MS).unref();
  }

  /** Of a cluster the node that failed may be one of many: what it failed at is tried again. */
  async function probe(): Promise<void> {
    try {
      await inTime(deadlineMs, client.get(failedName));
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
        log.debug({ err: error, operation }, 'shared cache');
      } else {
        failedName = name;
        goDown(error);
      }
      return otherwise;
    }
  }

  return {
    get state() {
      return state;
    },

    async getMany(keys) {
      const names = keys.map(nameOf);
      // Of several slots a cluster answers no MGET: single GETs of one tick go as one pipeline a node.
      if (client instanceof Cluster) {
        return Promise.all(names.map((name) => attempt('read', name, null, () => client.get(name))));
      }
      const nothing: (string | null)[] = names.map(() => null);
      return attempt('read', names[0] ?? '', nothing, () => client.mget(names));
    },

    set(key, text, keptMs) {
      const name = nameOf(key);
      void attempt('write', name, null, () => client.set(name, text, 'PX', keptMs));
    },

    delete(key) {
      const name = nameOf(key);
      void attempt('write', name, 0, () => client.del(name));
    },

    async lock(key, heldMs) {
      const name = lockOf(key);
      const token = randomUUID();
      const release = (): void => void client.eval(RELEASE, 1, name, token).catch(() => {});
      let isAwaited = true;
      const got = await attempt<LockAttempt>('lock', name, { got: 'none' }, async () => {
        const answer = await client.set(name, token, 'PX', heldMs, 'NX');
        // An answer past the deadline: nobody knows of this lock, and others would wait for it.
        if (answer === 'OK' && !isAwaited) release();
        return answer === 'OK' ? { got: 'lock', release } : { got: 'held by another' };
      });
      isAwaited = false;
      return got;
    },

    async close() {
      closed = true;
      clearInterval(probes);
      client.disconnect();
    },
  };
}

/** The braces keep a key and its lock on one node of a cluster, so that an answer is there before its lock goes. */
function nameOf(key: string): string {
  return `${NAMESPACE}{${tagOf(key)}}`;
}

function lockOf(key: string): string {
  return `${NAMESPACE}lock:{${tagOf(key)}}`;
}

/** The key without closing braces, which DOI names may have. */
function tagOf(key: string): string {
  return key.replace(/[%}]/g, encodeURIComponent);
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
