// The queues of chunks: BullMQ, which delivers each at least once. What a chunk comes to is written once, elsewhere.
// First chunks have a queue of their own, so that they find workers that further ones do not take.

import { type Job, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { CHUNK_KINDS, type ChunkKind, kindOf } from '../chunk-kind.ts';
import { isJobKey, type JobKey } from '../job-id.ts';
import type { OpenedChunk } from './job-state.ts';

export interface ChunkQueue {
  /** Puts chunks into the queue. Those that are there already stay where they are. */
  add(key: JobKey, chunks: readonly OpenedChunk[]): Promise<void>;
  /** Of all chunks, how many wait, are in hand, or are to be tried again later. */
  counts(): Promise<Readonly<Record<'waiting' | 'running' | 'delayed', number>>>;
  close(): Promise<void>;
}

export interface ChunkWorker {
  /** Takes no more chunks, and resolves when those in hand have ended. */
  close(): Promise<void>;
}

/**
 * Does what has to be done with a chunk, whether or not that was done before. Where it rejects the chunk is given to
 * some worker again, a while later.
 * @param attempt from 1: how often it has been tried since it entered the queue
 */
export type WorkOnChunk = (key: JobKey, chunk: number, attempt: number) => Promise<void>;

export interface QueueParts {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  /** of connection and queue, for the log */
  readonly onError: (error: Error) => void;
}

const queueName = (kind: ChunkKind): string => `${kind}-chunks`;
const JOIN = '.';
const STATES = ['wait', 'prioritized', 'active', 'delayed'] as const;

/** 1 s, 2 s, 4 s … */
const BACKOFF = { type: 'exponential', delay: 1_000 };
export const MAX_ATTEMPTS = 10;

/** How long a worker that was killed keeps its chunks from others, and how often they look. */
const LOCK_MS = 6_000;
const STALLED_MS = 3_000;
/** Whoever kills a worker again and again is found out by our own count. */
const MAX_STALLED = 1_000_000;
/** After an error of Redis. */
const RETRY_MS = 500;
const IDLE_SECONDS = 5;

export function createChunkQueue(parts: QueueParts): ChunkQueue {
  const queues = { first: openQueue(parts, 'first'), further: openQueue(parts, 'further') };
  return {
    async add(key, chunks) {
      for (const kind of CHUNK_KINDS) {
        const ofKind = chunks.filter(({ chunk }) => kindOf(chunk) === kind);
        if (ofKind.length > 0) await queues[kind].addBulk(ofKind.map((chunk) => queued(key, chunk)));
      }
    },
    async counts() {
      const all = await Promise.all(CHUNK_KINDS.map((kind) => queues[kind].getJobCounts(...STATES)));
      const sum = (state: (typeof STATES)[number]) =>
        all.reduce((total, { [state]: count = 0 }) => total + count, 0);
      return { waiting: sum('wait') + sum('prioritized'), running: sum('active'), delayed: sum('delayed') };
    },
    async close() {
      await Promise.all([queues.first.close(), queues.further.close()]);
    },
  };
}

function openQueue({ redis, prefix, onError }: QueueParts, kind: ChunkKind): Queue {
  const queue = new Queue(queueName(kind), {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
  });
  queue.on('error', onError);
  return queue;
}

function queued(key: JobKey, { chunk, place }: OpenedChunk) {
  return {
    name: 'chunk',
    data: null,
    opts: {
      jobId: key + JOIN + chunk,
      // A client's first chunk goes before the second one of others.
      priority: place,
      attempts: MAX_ATTEMPTS,
      backoff: BACKOFF,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

/** @param concurrency chunks in hand at a time, of each kind */
export function startChunkWorker(
  { redis, prefix, onError }: QueueParts,
  concurrency: number,
  work: WorkOnChunk,
): ChunkWorker {
  const workers = CHUNK_KINDS.map((kind) => {
    const worker = new Worker(queueName(kind), (job: Job) => onChunk(job, work), {
      connection: redis,
      prefix,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: RETRY_MS,
      drainDelay: IDLE_SECONDS,
      skipVersionCheck: true,
    });
    return worker.on('error', onError);
  });
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

async function onChunk({ id = '', attemptsMade }: Job, work: WorkOnChunk): Promise<void> {
  const [key = '', chunk = ''] = id.split(JOIN);
  if (isJobKey(key) && /^\d+$/.test(chunk)) await work(key, Number(chunk), attemptsMade + 1);
}
