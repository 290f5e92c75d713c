// Keeps the progress of jobs and the limits of their clients in Redis.

import type { Cluster, Redis } from 'ioredis';
import type { JobKey } from '../job-id.ts';
import type { ChunkHead } from '../store/chunk-files.ts';
import type { JobEnd, JobManifest } from '../store/job-store.ts';
import { counterFields, fieldsOf, type JobProgress, progressOf } from './job-fields.ts';
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
  /** the largest number of bytes of all jobs. All clients without an API key together can use half of it. */
  readonly bytes: number;
}

export type ExceededLimit = keyof JobLimits | 'anonymousBytes';

/** The client to which a job belongs. */
export interface JobClient {
  readonly mark: string;
  /** whether the client has no API key */
  readonly isAnonymous: boolean;
}

export type JobTally = Readonly<Record<JobProgress['state'] | 'bytes', number>>;

/** A chunk for the queue. `place`: the number of chunks of its client in the queue, including this chunk. */
export interface OpenedChunk {
  readonly chunk: number;
  readonly place: number;
}

/** `unknown`: Redis has lost the job, or the job is removed. */
export type Advance =
  | { readonly state: 'running'; readonly isComplete: boolean; readonly opened: readonly OpenedChunk[] }
  | { readonly state: 'uploading' | 'done' | 'failed' | 'unknown' };

export interface JobState {
  /** Admits a new job, or more bytes for its upload and result. Resolves with the exceeded limit, or with null. */
  admit(key: JobKey, client: JobClient, bytes: number): Promise<ExceededLimit | null>;
  /** If Redis does not have the job, stores the state of the job from the disk. */
  takeUp(
    key: JobKey,
    manifest: JobManifest,
    heads: ReadonlyMap<number, ChunkHead>,
    end: JobEnd | null,
  ): Promise<void>;
  /** Marks a chunk as done, and returns the next chunks for the queue. @param done null if no chunk is done now */
  advance(key: JobKey, done: { readonly chunk: number; readonly head: ChunkHead } | null): Promise<Advance>;
  /**
   * Counts how often work on a chunk has begun without an end. Resolves with the new count.
   * @param change 1 when work begins, -1 when work ends
   */
  countBegun(key: JobKey, chunk: number, change: 1 | -1): Promise<number>;
  /** Resolves with the result bytes of each finished chunk. */
  chunkBytes(key: JobKey): Promise<ReadonlyMap<number, number>>;
  /** Resolves with the chunks that must be in the queue or run. */
  openChunks(key: JobKey): Promise<readonly number[]>;
  end(key: JobKey, end: JobEnd): Promise<void>;
  forget(key: JobKey): Promise<void>;
  /** Resolves with null if Redis has no such job. */
  progress(key: JobKey): Promise<JobProgress | null>;
  /** Resolves with the last jobs of an API key, newest first. */
  listOf(mark: string, maxJobs: number): Promise<readonly ListedJob[]>;
  keys(): Promise<readonly JobKey[]>;
  /** Resolves with the number of jobs by state, and their bytes on disk. */
  tally(): Promise<JobTally>;
  /** Resolves with true if this process must maintain the jobs now. Then no other process does so for `forMs`. */
  isMaintainer(process: string, forMs: number): Promise<boolean>;
}

export interface JobStateOptions {
  readonly redis: Redis | Cluster;
  /** The prefix of all keys. It has a part in braces, so that all keys are on one node of a Redis cluster. */
  readonly prefix: string;
  /** the largest number of chunks of one client in the queue */
  readonly window: number;
  readonly limits: JobLimits;
  readonly clock: () => number;
}

type Script = (...args: readonly (string | number)[]) => Promise<unknown>;

/** Redis deletes the counts of `countBegun` for a job this long after their last change. */
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
      const maxima = [limits.clientJobs, limits.clientBytes, limits.jobs, limits.bytes];
      const limit = await run(
        'ADMIT',
        key,
        prefix,
        key,
        mark,
        clock(),
        bytes,
        ...maxima,
        isAnonymous ? 1 : 0,
      );
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
      const counted = done ? counterFields(done.head) : [];
      const chunkArgs = [done?.chunk ?? -1, done?.head.bytes ?? 0];
      const result = (await run('ADVANCE', key, prefix, key, window, ...chunkArgs, ...counted)) as string[];
      const [state, chunksDone, chunks, ...numbers] = result;
      if (state !== 'running') return { state: state as Exclude<Advance['state'], 'running'> };
      const opened: OpenedChunk[] = [];
      for (let at = 0; at < numbers.length; at += 2) {
        opened.push({ chunk: Number(numbers[at]), place: Number(numbers[at + 1]) });
      }
      return { state, isComplete: chunksDone === chunks, opened };
    },

    async countBegun(key, chunk, change) {
      const begun = `${prefix}begun:${key}`;
      const count = await redis.hincrby(begun, String(chunk), change);
      await (count === 0 ? redis.hdel(begun, String(chunk)) : redis.pexpire(begun, BEGUN_KEPT_MS));
      return count;
    },

    async chunkBytes(key) {
      const known = await redis.hgetall(keysOf(key)[1]);
      return new Map(Object.entries(known).map(([chunk, bytes]) => [Number(chunk), Number(bytes)]));
    },

    openChunks: async (key) => (await redis.smembers(keysOf(key)[2])).map(Number),

    async end(key, end) {
      const reasonArgs = end.state === 'failed' ? ['reason', end.reason] : [];
      await run('END', key, prefix, key, 'state', end.state, 'endedAt', end.endedAt, ...reasonArgs);
    },

    async forget(key) {
      await run('FORGET', key, prefix, key);
    },

    async progress(key) {
      const known = await redis.hgetall(keysOf(key)[0]);
      return known['state'] === undefined ? null : progressOf(known);
    },

    async listOf(mark, maxJobs) {
      const lists = (await runOnAll('LIST', prefix, listName(mark), maxJobs)) as string[][];
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
      const maintainer = `${prefix}keeper`;
      if ((await redis.set(maintainer, process, 'PX', forMs, 'NX')) === 'OK') return true;
      return (await redis.get(maintainer)) === process;
    },
  };
}

/** Defines the script as a command of the connection at its first use. ioredis then sends the script by its hash. */
function command(redis: Redis | Cluster, script: keyof typeof STATE_SCRIPTS): unknown {
  const name = `doiJobs${script}`;
  const commands = redis as unknown as Record<string, unknown>;
  if (commands[name] === undefined) {
    redis.defineCommand(name, { numberOfKeys: 4, lua: STATE_SCRIPTS[script] });
  }
  return (commands[name] as Script).bind(redis);
}
