// Knows whether Redis answers. During an outage it sends a probe every 500 ms, to find out when Redis is back.

import { Cluster, type Redis, ReplyError } from 'ioredis';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { nextTurn } from '../turns.ts';
import { causeOf } from './redis-connection.ts';

export interface RedisProbeOptions {
  readonly client: Redis | Cluster;
  /** the hosts of Redis, for the log */
  readonly host: string;
  /** the key that probes read until `reportFailure` gives them another key */
  readonly firstKey: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'sharedCacheUp'>;
  /** the longest wait for the answer to a probe */
  readonly timeoutMs: number;
  /** If Redis has not answered after this time, the log reports an outage. */
  readonly firstAnswerMs: number;
}

const PROBE_INTERVAL_MS = 500;

export function createRedisProbe(options: RedisProbeOptions) {
  const { client, host, log, metrics, timeoutMs, firstAnswerMs } = options;
  let state: 'up' | 'down' = 'down';
  let interval: NodeJS.Timeout | undefined;
  /** A probe reads this key, because in a cluster the node that failed has it. */
  let failedKey = options.firstKey;
  let lastError: unknown = new Error('the connection is closed');
  let isOutageLogged = false;
  let hasEnded = false;
  metrics.sharedCacheUp.set(0);

  const firstAnswerTimer = setTimeout(
    () => logOutage(new Error(`no answer within ${firstAnswerMs} ms`)),
    firstAnswerMs,
  ).unref();
  client.on('ready', goUp);
  client.on('close', () => {
    if (state === 'up') goDown(new Error('the connection is closed'));
    else logOutage(lastError);
  });
  // Without a listener, an error would end the process. A `close` event follows each error.
  client.on('error', noteError);
  if (client instanceof Cluster) client.on('node error', noteError);

  function noteError(error: unknown): void {
    lastError = error;
    log.debug({ host, cause: causeOf(error) }, 'The connection to the shared cache failed.');
  }

  function goUp(): void {
    clearTimeout(firstAnswerTimer);
    clearInterval(interval);
    if (state === 'up' || hasEnded) return;
    state = 'up';
    isOutageLogged = false;
    metrics.sharedCacheUp.set(1);
    log.info({ host }, 'The shared cache is connected.');
  }

  function goDown(error: unknown): void {
    if (state === 'down' || hasEnded) return;
    state = 'down';
    metrics.sharedCacheUp.set(0);
    logOutage(error);
    interval = setInterval(() => void probe(), PROBE_INTERVAL_MS).unref();
  }

  /** Logs each outage once. An outage can begin before the first answer. */
  function logOutage(error: unknown): void {
    if (isOutageLogged || hasEnded) return;
    isOutageLogged = true;
    log.warn({ host, cause: causeOf(error) }, 'The shared cache is bypassed until it answers.');
  }

  async function probe(): Promise<void> {
    try {
      await orTimeout(timeoutMs, client.exists(failedKey));
      goUp();
    } catch (error) {
      if (error instanceof ReplyError) goUp();
    }
  }

  return {
    get state(): 'up' | 'down' {
      return state;
    },
    /** Must be called when a command for this key got no answer. Probes then read the same key. */
    reportFailure(key: string, error: unknown): void {
      failedKey = key;
      goDown(error);
    },
    end(): void {
      hasEnded = true;
      clearTimeout(firstAnswerTimer);
      clearInterval(interval);
    },
  };
}

/** After the timeout, an answer can still come in this many turns of the event loop. */
const GRACE_TURNS = 4;

/**
 * Rejects after the timeout and a few more turns of the event loop. In a busy process, the timeout can pass before the
 * command is sent or its answer is read. In an idle process, the turns take no time.
 */
export function orTimeout<T>(timeoutMs: number, command: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(async () => {
      for (let turn = 0; turn < GRACE_TURNS; turn += 1) await nextTurn();
      reject(new Error(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    void command.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
