// The queues of chunks in BullMQ, which delivers each chunk at least once.

import { type Job, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { isJobKey, type JobKey } from '../job-id.ts';
import { CHUNK_KINDS, type ChunkKind } from './chunk-kinds.ts';
import type { OpenedChunk } from './job-state.ts';

export type ChunkQueue = ReturnType<typeof createChunkQueue>;

/**
 * Works on a chunk. The chunk can be done already. If this function rejects, a worker gets the chunk again later.
 * @param attempt the number of the attempt since the chunk entered the queue, from 1
 */
export type RunChunk = (key: JobKey, chunk: number, attempt: number) => Promise<void>;

interface QueueParts {
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
const MAX_ATTEMPTS = 10;

/** The chunks of a killed worker stay locked for LOCK_MS. Other workers look for such chunks every STALLED_MS. */
const LOCK_MS = 6_000;
const STALLED_MS = 3_000;
/** This is in effect no limit, because MAX_WORKER_DEATHS limits the attempts for a chunk that kills its workers. */
const MAX_STALLED = 1_000_000;
const WAIT_AFTER_REDIS_ERROR_MS = 500;
const IDLE_SECONDS = 5;

export function createChunkQueue(parts: QueueParts) {
  const queues = CHUNK_KINDS.map((kind) => ({ kind, queue: openQueue(parts, kind) }));
  return {
    /** Adds chunks to the queue. A chunk that is already in the queue keeps its position. */
    async add(key: JobKey, chunks: readonly OpenedChunk[]): Promise<void> {
      for (const { kind, queue } of queues) {
        const ofKind = chunks.filter((chunk) => chunk.kind === kind);
        if (ofKind.length > 0) await queue.addBulk(ofKind.map((chunk) => queueEntry(key, chunk)));
      }
    },
    /** The numbers of chunks that wait, run, or wait for a retry. */
    async counts() {
      const all = await Promise.all(queues.map(({ queue }) => queue.getJobCounts(...STATES)));
      const sum = (state: (typeof STATES)[number]) =>
        all.reduce((total, { [state]: count = 0 }) => total + count, 0);
      return { waiting: sum('wait') + sum('prioritized'), running: sum('active'), delayed: sum('delayed') };
    },
    async close(): Promise<void> {
      await Promise.all(queues.map(({ queue }) => queue.close()));
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

function queueEntry(key: JobKey, { chunk, priority }: OpenedChunk) {
  return {
    name: 'chunk',
    data: null,
    opts: {
      jobId: key + SEPARATOR + chunk,
      // BullMQ runs smaller numbers first. So the first chunk of each client comes before the second chunk of any client.
      priority,
      attempts: MAX_ATTEMPTS,
      backoff: BACKOFF,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

/** @param concurrency by kind: the number of chunks that run at the same time. 0: the worker takes no chunks of the kind. */
export function startChunkWorker(
  { redis, prefix, onError }: QueueParts,
  concurrency: Readonly<Record<ChunkKind, number>>,
  run: RunChunk,
) {
  const workers = CHUNK_KINDS.filter((kind) => concurrency[kind] > 0).map((kind) => {
    const worker = new Worker(queueName(kind), (job: Job) => onChunk(job, run), {
      connection: redis,
      prefix,
      concurrency: concurrency[kind],
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: WAIT_AFTER_REDIS_ERROR_MS,
      drainDelay: IDLE_SECONDS,
      skipVersionCheck: true,
    });
    return worker.on('error', onError);
  });
  return {
    /** Takes no more chunks, and resolves when the running chunks have ended. */
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

async function onChunk({ id = '', attemptsMade }: Job, run: RunChunk): Promise<void> {
  const [key = '', chunk = ''] = id.split(SEPARATOR);
  if (isJobKey(key) && /^\d+$/.test(chunk)) await run(key, Number(chunk), attemptsMade + 1);
}
