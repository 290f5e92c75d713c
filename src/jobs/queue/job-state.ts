// Keeps the progress of jobs and the limits of their clients in Redis.

import type { Cluster, Redis } from 'ioredis';
import type { JobKey } from '../job-id.ts';
import type { ChunkHead } from '../store/chunk-files.ts';
import type { JobEnd, JobManifest } from '../store/job-store.ts';
import { type ChunkKind, kindOf } from './chunk-kinds.ts';
import { counterFields, fieldsOf, type JobProgress, progressOf } from './job-fields.ts';
import { STATE_SCRIPTS } from './state-scripts.ts';

export interface JobLimits {
  readonly clientJobs: number;
  readonly clientBytes: number;
  /** The largest numbers of jobs and bytes of all clients. All clients without an API key together can use half of them. */
  readonly jobs: number;
  readonly bytes: number;
}

export type ExceededLimit = keyof JobLimits | 'anonymousJobs' | 'anonymousBytes';

/** The client to which a job belongs. */
export interface JobClient {
  readonly mark: string;
  /** whether the client has no API key */
  readonly isAnonymous: boolean;
}

/** A chunk for the queue. `priority`: the number of chunks of its client in the queue, including this chunk. */
export interface OpenedChunk {
  readonly chunk: number;
  readonly kind: ChunkKind;
  readonly priority: number;
}

/** A finished chunk. */
export interface DoneChunk {
  readonly chunk: number;
  readonly head: ChunkHead;
}

/** `unknown`: Redis has lost the job, or the job is removed. */
type AdvanceResult =
  | { readonly state: 'running'; readonly isComplete: boolean; readonly opened: readonly OpenedChunk[] }
  | { readonly state: 'uploading' | 'done' | 'failed' | 'unknown' };

interface JobStateOptions {
  readonly redis: Redis | Cluster;
  /** The prefix of all keys. It has a part in braces, so that all keys are on one node of a Redis cluster. */
  readonly prefix: string;
  /** At most this many chunks of a client are in the queue. Each job may have one chunk there even above this limit. */
  readonly window: number;
  readonly limits: JobLimits;
  readonly clock: () => number;
}

export type JobState = ReturnType<typeof createJobState>;

type ScriptName = keyof typeof STATE_SCRIPTS;
type Script = (...args: readonly (string | number)[]) => Promise<unknown>;

/** Redis deletes the counts of `countBegun` for a job this long after their last change. */
const BEGUN_KEPT_MS = 86_400_000;

export function createJobState({ redis, prefix, window, limits, clock }: JobStateOptions) {
  const jobs = `${prefix}jobs`;
  const keysOf = (key: JobKey | '') =>
    [`${prefix}job:${key}`, `${prefix}done:${key}`, `${prefix}open:${key}`, jobs] as const;

  // ioredis sends a defined command by the hash of its script.
  for (const [name, lua] of Object.entries(STATE_SCRIPTS)) {
    redis.defineCommand(`doiJobs${name}`, { numberOfKeys: 4, lua });
  }
  const commands = redis as unknown as Readonly<Record<`doiJobs${ScriptName}`, Script>>;

  /** @param key empty for a script about all jobs */
  function run(
    script: ScriptName,
    key: JobKey | '',
    ...args: readonly (string | number)[]
  ): Promise<unknown> {
    return commands[`doiJobs${script}`](...keysOf(key), ...args);
  }

  return {
    /**
     * Admits a new job, or more bytes for the upload and result of a job. Resolves with null, or with the exceeded limit.
     * `victim`: an ended job that must give way; null if this does not help. The caller deletes it, and calls again.
     */
    async admit(
      key: JobKey,
      { mark, isAnonymous }: JobClient,
      bytes: number,
    ): Promise<{ readonly limit: ExceededLimit; readonly victim: JobKey | null } | null> {
      const maxima = [limits.clientJobs, limits.clientBytes, limits.jobs, limits.bytes];
      const args = [mark, clock(), bytes, ...maxima, Number(isAnonymous)];
      const excess = (await run('ADMIT', key, prefix, key, ...args)) as '' | [ExceededLimit, JobKey | ''];
      return excess === '' ? null : { limit: excess[0], victim: excess[1] || null };
    },

    /** If Redis does not have the job, stores the state of the job from the disk. */
    async takeUp(
      key: JobKey,
      manifest: JobManifest,
      heads: ReadonlyMap<number, ChunkHead>,
      end: JobEnd | null,
    ): Promise<void> {
      const done = [...heads].map(([chunk, head]) => [chunk, head.bytes]);
      const fields = fieldsOf(manifest, [...heads.values()], end);
      const texts = [JSON.stringify(fields), JSON.stringify(done)];
      const list = manifest.id === undefined ? '' : `${prefix}of:${manifest.client}`;
      await run('TAKE_UP', key, key, manifest.createdAt, ...texts, list);
    },

    /** Marks a chunk as done, and returns the next chunks for the queue. @param done null if no chunk is done now */
    async advance(key: JobKey, done: DoneChunk | null): Promise<AdvanceResult> {
      const counted = done ? counterFields(done.head) : [];
      const chunkArgs = [done?.chunk ?? -1, done?.head.bytes ?? 0];
      const result = (await run('ADVANCE', key, prefix, key, window, ...chunkArgs, ...counted)) as string[];
      const [state, chunksDone, chunks, references, ...numbers] = result;
      if (state !== 'running') return { state: state as Exclude<AdvanceResult['state'], 'running'> };
      const opened: OpenedChunk[] = [];
      for (let at = 0; at < numbers.length; at += 2) {
        const chunk = Number(numbers[at]);
        opened.push({ chunk, kind: kindOf(chunk, references === '1'), priority: Number(numbers[at + 1]) });
      }
      return { state, isComplete: chunksDone === chunks, opened };
    },

    /**
     * Counts how often a chunk has begun without an end. Resolves with the new count.
     * @param change 1 when the chunk begins, -1 when it ends
     */
    async countBegun(key: JobKey, chunk: number, change: 1 | -1): Promise<number> {
      const begun = `${prefix}begun:${key}`;
      const count = await redis.hincrby(begun, String(chunk), change);
      await (count === 0 ? redis.hdel(begun, String(chunk)) : redis.pexpire(begun, BEGUN_KEPT_MS));
      return count;
    },

    /** Resolves with the result bytes of each finished chunk. */
    async chunkBytes(key: JobKey): Promise<ReadonlyMap<number, number>> {
      const known = await redis.hgetall(keysOf(key)[1]);
      return new Map(Object.entries(known).map(([chunk, bytes]) => [Number(chunk), Number(bytes)]));
    },

    /** Resolves with the chunks that must be in the queue or run. */
    async openChunks(key: JobKey): Promise<readonly OpenedChunk[]> {
      const [job, , open] = keysOf(key);
      const references = (await redis.hget(job, 'references')) === '1';
      const chunks = (await redis.smembers(open)).map(Number);
      return chunks.map((chunk, at) => ({ chunk, kind: kindOf(chunk, references), priority: at + 1 }));
    },

    async end(key: JobKey, end: JobEnd): Promise<void> {
      const reasonArgs = end.state === 'failed' ? ['reason', end.reason] : [];
      await run('END', key, prefix, key, 'state', end.state, 'endedAt', end.endedAt, ...reasonArgs);
    },

    async forget(key: JobKey): Promise<void> {
      await run('FORGET', key, prefix, key);
    },

    /** Resolves with null if Redis has no such job. */
    async progress(key: JobKey): Promise<JobProgress | null> {
      const known = await redis.hgetall(keysOf(key)[0]);
      return known['state'] === undefined ? null : progressOf(known);
    },

    /** Resolves with the last jobs of an API key, newest first. */
    async listOf(mark: string, maxJobs: number) {
      const lists = (await run('LIST', '', prefix, `${prefix}of:${mark}`, maxJobs)) as string[][];
      return lists.map((list) => {
        const known = Object.fromEntries(list.flatMap((name, at) => (at % 2 ? [] : [[name, list[at + 1]]])));
        return { id: known['id'] ?? '', progress: progressOf(known) };
      });
    },

    /** Resolves with the number of jobs by state, and the bytes on disk that they use or reserve. */
    async tally() {
      const result = (await run('TALLY', '', prefix)) as (number | string)[];
      const [uploading = 0, running = 0, done = 0, failed = 0, bytes = 0, ...active] = result.map(Number);
      const [activeBytes = 0, anonymousJobs = 0, anonymousBytes = 0] = active;
      return {
        jobs: { uploading, running, done, failed },
        bytes,
        /** the share of each limit that jobs use which have not ended */
        limitUse: {
          jobs: (uploading + running) / limits.jobs,
          bytes: activeBytes / limits.bytes,
          anonymousJobs: anonymousJobs / Math.floor(limits.jobs / 2),
          anonymousBytes: (2 * anonymousBytes) / limits.bytes,
        } satisfies Partial<Record<ExceededLimit, number>>,
      };
    },

    keys: async (): Promise<readonly JobKey[]> => (await redis.zrange(jobs, 0, -1)) as JobKey[],

    /** Resolves with true if this process must maintain the jobs now. Then no other process does so for `forMs`. */
    async isMaintainer(process: string, forMs: number): Promise<boolean> {
      const maintainer = `${prefix}keeper`;
      if ((await redis.set(maintainer, process, 'PX', forMs, 'NX')) === 'OK') return true;
      return (await redis.get(maintainer)) === process;
    },
  };
}
