// The state of the jobs in Redis: their progress, and the limits of their clients.

import type { Cluster, Redis } from 'ioredis';
import type { JobKey } from '../job-id.ts';
import type { ChunkHead } from '../store/chunk-files.ts';
import type { JobEnd, JobManifest } from '../store/job-store.ts';
import { countedOf, fieldsOf, type JobProgress, progressOf } from './job-fields.ts';
import { STATE_SCRIPTS } from './state-scripts.ts';

/** A job of an API key. */
export interface ListedJob {
  readonly id: string;
  readonly progress: JobProgress;
}

export interface JobLimits {
  readonly clientJobs: number;
  readonly clientBytes: number;
  readonly jobs: number;
  /** The most bytes of all jobs. All clients without an API key together may use half. */
  readonly bytes: number;
}

export type ExceededLimit = keyof JobLimits | 'anonymousBytes';

/** The client that a job counts for. */
export interface JobClient {
  readonly mark: string;
  /** whether the client has no API key */
  readonly isAnonymous: boolean;
}

export type JobTally = Readonly<Record<JobProgress['state'] | 'bytes', number>>;

/** A chunk for the queue. `place`: how many chunks its client then has in the queue. */
export interface OpenedChunk {
  readonly chunk: number;
  readonly place: number;
}

/** `unknown`: Redis has lost the job, or the job was removed. */
export type Advance =
  | { readonly state: 'running'; readonly isComplete: boolean; readonly opened: readonly OpenedChunk[] }
  | { readonly state: 'uploading' | 'done' | 'failed' | 'unknown' };

export interface JobState {
  /** Admits a new job, or more bytes for its upload and result. Returns null or the exceeded limit. */
  admit(key: JobKey, client: JobClient, bytes: number): Promise<ExceededLimit | null>;
  /** Stores the state from the disk, unless Redis has the job. */
  takeUp(
    key: JobKey,
    manifest: JobManifest,
    heads: ReadonlyMap<number, ChunkHead>,
    end: JobEnd | null,
  ): Promise<void>;
  /** Marks a chunk as done (null: none), and opens the next chunks of its client. */
  advance(key: JobKey, done: { readonly chunk: number; readonly head: ChunkHead } | null): Promise<Advance>;
  /** How many times a chunk was begun and not ended. @param more 1: it begins, -1: it has ended */
  countBegun(key: JobKey, chunk: number, more: 1 | -1): Promise<number>;
  /** The result bytes of each finished chunk. */
  chunkBytes(key: JobKey): Promise<ReadonlyMap<number, number>>;
  /** Chunks that are in the queue, or should be. */
  openChunks(key: JobKey): Promise<readonly number[]>;
  end(key: JobKey, end: JobEnd): Promise<void>;
  forget(key: JobKey): Promise<void>;
  /** Null if Redis has no such job. */
  progress(key: JobKey): Promise<JobProgress | null>;
  /** The last jobs of an API key, newest first. @param most the largest number of jobs */
  listOf(mark: string, most: number): Promise<readonly ListedJob[]>;
  keys(): Promise<readonly JobKey[]>;
  /** The number of jobs by state, and their bytes on disk. */
  tally(): Promise<JobTally>;
  /** Whether this process must maintain the jobs for the next `forMs`. */
  isMaintainer(process: string, forMs: number): Promise<boolean>;
}

export interface JobStateOptions {
  readonly redis: Redis | Cluster;
  /** The prefix of all keys. Its part in braces keeps all keys on one node of a cluster. */
  readonly prefix: string;
  /** how many chunks one client may have in the queue */
  readonly window: number;
  readonly limits: JobLimits;
  readonly clock: () => number;
}

type Script = (...args: readonly (string | number)[]) => Promise<unknown>;

/** How long Redis keeps the count of starts after the last start of a chunk. */
const BEGUN_KEPT_MS = 86_400_000;

export function createJobState(options: JobStateOptions): JobState {
  const { redis, prefix, window, limits, clock } = options;
  const jobs = `${prefix}jobs`;
  const listName = (mark: string) => `${prefix}of:${mark}`;
  const keysOf = (key: JobKey) =>
    [`${prefix}job:${key}`, `${prefix}done:${key}`, `${prefix}open:${key}`, jobs] as const;

  function run(script: keyof typeof STATE_SCRIPTS, key: JobKey, ...args: readonly (string | number)[]) {
    return (command(redis, script) as Script)(...keysOf(key), ...args);
  }

  function runOnAll(script: keyof typeof STATE_SCRIPTS, ...args: readonly (string | number)[]) {
    const keys = [`${prefix}job`, `${prefix}done`, `${prefix}open`, jobs];
    return (command(redis, script) as Script)(...keys, ...args);
  }

  return {
    async admit(key, { mark, isAnonymous }, bytes) {
      const most = [limits.clientJobs, limits.clientBytes, limits.jobs, limits.bytes];
      const limit = await run('ADMIT', key, prefix, key, mark, clock(), bytes, ...most, isAnonymous ? 1 : 0);
      return limit === '' ? null : (limit as ExceededLimit);
    },

    async takeUp(key, manifest, heads, end) {
      const done = [...heads].map(([chunk, head]) => [chunk, head.bytes]);
      const fields = fieldsOf(manifest, [...heads.values()], end);
      const texts = [JSON.stringify(fields), JSON.stringify(done)];
      const list = manifest.id === undefined ? '' : listName(manifest.client);
      await run('TAKE_UP', key, key, manifest.createdAt, ...texts, list);
    },

    async advance(key, done) {
      const counted = done ? countedOf(done.head) : [];
      const about = [done?.chunk ?? -1, done?.head.bytes ?? 0];
      const result = (await run('ADVANCE', key, prefix, key, window, ...about, ...counted)) as string[];
      const [state, chunksDone, chunks, ...numbers] = result;
      if (state !== 'running') return { state: state as Exclude<Advance['state'], 'running'> };
      const opened: OpenedChunk[] = [];
      for (let at = 0; at < numbers.length; at += 2) {
        opened.push({ chunk: Number(numbers[at]), place: Number(numbers[at + 1]) });
      }
      return { state, isComplete: chunksDone === chunks, opened };
    },

    async countBegun(key, chunk, more) {
      const begun = `${prefix}begun:${key}`;
      const count = await redis.hincrby(begun, String(chunk), more);
      await (count === 0 ? redis.hdel(begun, String(chunk)) : redis.pexpire(begun, BEGUN_KEPT_MS));
      return count;
    },

    async chunkBytes(key) {
      const known = await redis.hgetall(keysOf(key)[1]);
      return new Map(Object.entries(known).map(([chunk, bytes]) => [Number(chunk), Number(bytes)]));
    },

    openChunks: async (key) => (await redis.smembers(keysOf(key)[2])).map(Number),

    async end(key, end) {
      const about = end.state === 'failed' ? ['reason', end.reason] : [];
      await run('END', key, prefix, key, 'state', end.state, 'endedAt', end.endedAt, ...about);
    },

    async forget(key) {
      await run('FORGET', key, prefix, key);
    },

    async progress(key) {
      const known = await redis.hgetall(keysOf(key)[0]);
      return known['state'] === undefined ? null : progressOf(known);
    },

    async listOf(mark, most) {
      const lists = (await runOnAll('LIST', prefix, listName(mark), most)) as string[][];
      return lists.map((list) => {
        const known = Object.fromEntries(list.flatMap((name, at) => (at % 2 ? [] : [[name, list[at + 1]]])));
        return { id: known['id'] ?? '', progress: progressOf(known) };
      });
    },

    async tally() {
      const result = (await runOnAll('TALLY', prefix)) as (number | string)[];
      const [uploading = 0, running = 0, done = 0, failed = 0, bytes = 0] = result.map(Number);
      return { uploading, running, done, failed, bytes };
    },

    keys: async () => (await redis.zrange(jobs, 0, -1)) as JobKey[],

    async isMaintainer(process, forMs) {
      const keeper = `${prefix}keeper`;
      if ((await redis.set(keeper, process, 'PX', forMs, 'NX')) === 'OK') return true;
      return (await redis.get(keeper)) === process;
    },
  };
}

/** The script as a command of this connection. Redis stores it by its hash. */
function command(redis: Redis | Cluster, script: keyof typeof STATE_SCRIPTS): unknown {
  const name = `doiJobs${script}`;
  const commands = redis as unknown as Record<string, unknown>;
  if (commands[name] === undefined) {
    redis.defineCommand(name, { numberOfKeys: 4, lua: STATE_SCRIPTS[script] });
  }
  return (commands[name] as Script).bind(redis);
}
