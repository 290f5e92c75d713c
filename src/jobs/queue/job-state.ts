// What Redis knows of the jobs: how far they are, and how much their clients have.

import type { Cluster, Redis } from 'ioredis';
import type { JobKey } from '../job-id.ts';
import type { ChunkHead } from '../store/chunk-files.ts';
import type { JobEnd, JobManifest } from '../store/job-store.ts';
import { STATE_SCRIPTS } from './state-scripts.ts';

/** How far a job is. */
export interface JobProgress {
  readonly state: 'uploading' | 'running' | 'done' | 'failed';
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** why it failed, for whoever asks */
  readonly reason: string | null;
  readonly rows: number;
  readonly rowsDone: number;
  readonly chunks: number;
  readonly chunksDone: number;
  readonly found: number;
  readonly absent: number;
  readonly invalid: number;
  readonly failed: number;
}

export interface JobLimits {
  readonly clientJobs: number;
  readonly clientBytes: number;
  readonly jobs: number;
  /** of which all clients without an API key together have half */
  readonly bytes: number;
}

export type ExceededLimit = keyof JobLimits | 'anonymousBytes';

/** By what jobs are counted. */
export interface JobClient {
  readonly mark: string;
  /** it has no API key */
  readonly isAnonymous: boolean;
}

export type JobTally = Readonly<Record<JobProgress['state'] | 'bytes', number>>;

/** A chunk for the queue, and how many its client then has there. */
export interface OpenedChunk {
  readonly chunk: number;
  readonly place: number;
}

/** `unknown`: Redis has lost it, or it has been removed. */
export type Advance =
  | { readonly state: 'running'; readonly isComplete: boolean; readonly opened: readonly OpenedChunk[] }
  | { readonly state: 'uploading' | 'done' | 'failed' | 'unknown' };

export interface JobState {
  /** Lets a client have a new job, or more bytes for its upload and result: null, or the limit that is exceeded. */
  admit(key: JobKey, client: JobClient, bytes: number): Promise<ExceededLimit | null>;
  /** Makes known what the disk says, unless the job is known. */
  takeUp(
    key: JobKey,
    manifest: JobManifest,
    heads: ReadonlyMap<number, ChunkHead>,
    end: JobEnd | null,
  ): Promise<void>;
  /** Notes that a chunk is done (null: none), and puts the next ones of its client into the queue. */
  advance(key: JobKey, done: { readonly chunk: number; readonly head: ChunkHead } | null): Promise<Advance>;
  /** How many times a chunk has been begun and not ended. @param more 1: it begins, -1: it has ended */
  countBegun(key: JobKey, chunk: number, more: 1 | -1): Promise<number>;
  /** The bytes of each chunk that is done. */
  chunkBytes(key: JobKey): Promise<ReadonlyMap<number, number>>;
  /** Chunks that are in the queue, or should be. */
  openChunks(key: JobKey): Promise<readonly number[]>;
  end(key: JobKey, end: JobEnd): Promise<void>;
  forget(key: JobKey): Promise<void>;
  /** Null where Redis knows of no such job. */
  progress(key: JobKey): Promise<JobProgress | null>;
  keys(): Promise<readonly JobKey[]>;
  /** All jobs by state, and the bytes that they have on disk. */
  tally(): Promise<JobTally>;
  /** Whether this process is to look after all jobs for the next while. */
  keeps(process: string, forMs: number): Promise<boolean>;
}

export interface JobStateOptions {
  readonly redis: Redis | Cluster;
  /** what all keys begin with; in braces what keeps them on one node of a cluster */
  readonly prefix: string;
  /** chunks of one client in the queue at a time */
  readonly window: number;
  readonly limits: JobLimits;
  readonly clock: () => number;
}

type Script = (...args: readonly (string | number)[]) => Promise<unknown>;

/** Counted from the last of them. */
const BEGUN_KEPT_MS = 86_400_000;

const COUNTERS = ['found', 'absent', 'invalid', 'failed'] as const;

export function createJobState(options: JobStateOptions): JobState {
  const { redis, prefix, window, limits, clock } = options;
  const jobs = `${prefix}jobs`;
  const keysOf = (key: JobKey) =>
    [`${prefix}job:${key}`, `${prefix}done:${key}`, `${prefix}open:${key}`, jobs] as const;

  function run(script: keyof typeof STATE_SCRIPTS, key: JobKey, ...args: readonly (string | number)[]) {
    return (command(redis, script) as Script)(...keysOf(key), ...args);
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
      await run('TAKE_UP', key, key, manifest.createdAt, JSON.stringify(fields), JSON.stringify(done));
    },

    async advance(key, done) {
      const counted = done ? countedOf(done.head) : [];
      const about = [done?.chunk ?? -1, done?.head.bytes ?? 0];
      const told = (await run('ADVANCE', key, prefix, key, window, ...about, ...counted)) as string[];
      const [state, chunksDone, chunks, ...numbers] = told;
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

    async tally() {
      const keys = [`${prefix}job`, `${prefix}done`, `${prefix}open`, jobs];
      const told = (await (command(redis, 'TALLY') as Script)(...keys, prefix)) as (number | string)[];
      const [uploading = 0, running = 0, done = 0, failed = 0, bytes = 0] = told.map(Number);
      return { uploading, running, done, failed, bytes };
    },

    keys: async () => (await redis.zrange(jobs, 0, -1)) as JobKey[],

    async keeps(process, forMs) {
      const keeper = `${prefix}keeper`;
      if ((await redis.set(keeper, process, 'PX', forMs, 'NX')) === 'OK') return true;
      return (await redis.get(keeper)) === process;
    },
  };
}

/** The script as a command of this connection, which keeps it in Redis by its hash. */
function command(redis: Redis | Cluster, script: keyof typeof STATE_SCRIPTS): unknown {
  const name = `doiJobs${script}`;
  const commands = redis as unknown as Record<string, unknown>;
  if (commands[name] === undefined) {
    redis.defineCommand(name, { numberOfKeys: 4, lua: STATE_SCRIPTS[script] });
  }
  return (commands[name] as Script).bind(redis);
}

function countedOf(head: ChunkHead): readonly (string | number)[] {
  return ['rowsDone', head.rows, ...COUNTERS.flatMap((name) => [name, head[name]])];
}

function fieldsOf(manifest: JobManifest, heads: readonly ChunkHead[], end: JobEnd | null): readonly string[] {
  const chunks = manifest.offsets.length - 1;
  const sum = (of: (head: ChunkHead) => number) => heads.reduce((total, head) => total + of(head), 0);
  const isDone = end?.state === 'done';
  const inputBytes = manifest.offsets.at(-1) ?? 0;
  const written = isDone ? end.chunkBytes.reduce((a, b) => a + b, 0) : sum(({ bytes }) => bytes);
  const fields = {
    state: end?.state ?? 'running',
    client: manifest.client,
    anonymous: manifest.owner === null ? 1 : 0,
    createdAt: manifest.createdAt,
    rows: manifest.rows,
    rowsDone: isDone ? end.rows : sum(({ rows }) => rows),
    chunks,
    chunksDone: isDone ? chunks : heads.length,
    next: 0,
    inputBytes,
    // Of a job that runs: the most that its result can take.
    bytes: inputBytes + (end === null ? (manifest.resultBytes ?? written) : written),
    ...Object.fromEntries(COUNTERS.map((name) => [name, isDone ? end[name] : sum((head) => head[name])])),
    ...(end && { endedAt: end.endedAt }),
    ...(end?.state === 'failed' && { reason: end.reason }),
  };
  return Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);
}

function progressOf(known: Readonly<Record<string, string | undefined>>): JobProgress {
  const number = (name: string) => Number(known[name] ?? 0);
  return {
    state: known['state'] as JobProgress['state'],
    createdAt: number('createdAt'),
    endedAt: known['endedAt'] === undefined ? null : number('endedAt'),
    reason: known['reason'] ?? null,
    rows: number('rows'),
    rowsDone: number('rowsDone'),
    chunks: number('chunks'),
    chunksDone: number('chunksDone'),
    found: number('found'),
    absent: number('absent'),
    invalid: number('invalid'),
    failed: number('failed'),
  };
}
