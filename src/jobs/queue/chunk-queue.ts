// The queues of chunks in BullMQ, which delivers each chunk at least once. First chunks have a separate queue and separate
// workers.

import { type Job, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { CHUNK_KINDS, type ChunkKind, kindOf } from '../chunk-kind.ts';
import { isJobKey, type JobKey } from '../job-id.ts';
import type { OpenedChunk } from './job-state.ts';

export interface ChunkQueue {
  /** Adds chunks to the queue. A chunk that is already in the queue keeps its position. */
  add(key: JobKey, chunks: readonly OpenedChunk[]): Promise<void>;
  /** The numbers of chunks that wait, run, or wait for a retry. */
  counts(): Promise<Readonly<Record<'waiting' | 'running' | 'delayed', number>>>;
  close(): Promise<void>;
}

export interface ChunkWorker {
  /** Takes no more chunks, and resolves when the running chunks have ended. */
  close(): Promise<void>;
}

/**
 * Works on a chunk. The chunk can be done already. If this function rejects, a worker gets the chunk again later.
 * @param attempt the number of the attempt since the chunk entered the queue, from 1
 */
export type WorkOnChunk = (key: JobKey, chunk: number, attempt: number) => Promise<void>;

export interface QueueParts {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  /** receives errors of the connection and of the queue */
  readonly onError: (error: Error) => void;
}

const queueName = (kind: ChunkKind): string => `${kind}-chunks`;
const SEPARATOR = '.';
const STATES = ['wait', 'prioritized', 'active', 'delayed'] as const;

/** Waits 1 s, 2 s, 4 s … before the retries. */
const BACKOFF = { type: 'exponential', delay: 1_000 };
export const MAX_ATTEMPTS = 10;

/** A killed worker blocks its chunks for LOCK_MS. Other workers look for such chunks every STALLED_MS. */
const LOCK_MS = 6_000;
const STALLED_MS = 3_000;
/** So high that BullMQ has no limit, because MAX_WORKER_DEATHS finds chunks that kill their workers. */
const MAX_STALLED = 1_000_000;
/** The wait after an error of Redis. */
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
      jobId: key + SEPARATOR + chunk,
      // The first queued chunk of a client comes before the second queued chunk of any other client.
      priority: place,
      attempts: MAX_ATTEMPTS,
      backoff: BACKOFF,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

/** @param concurrency the number of chunks of each kind that run at the same time */
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
  const [key = '', chunk = ''] = id.split(SEPARATOR);
  if (isJobKey(key) && /^\d+$/.test(chunk)) await work(key, Number(chunk), attemptsMade + 1);
}
