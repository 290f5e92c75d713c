// Builds the parts of bulk jobs: files, queue, HTTP API and workers.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { causeOf } from '../cache/redis-connection.ts';
import { createRedisMemoryWatch } from '../cache/redis-memory.ts';
import type { Config } from '../config.ts';
import type { Router } from '../http/request/router.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createTroubleLog, type TroubleLog } from '../trouble-log.ts';
import { TURNS } from '../turns.ts';
import { createAnswerChunk } from './answer-chunk.ts';
import { createJobsFace } from './http/jobs-face.ts';
import { createJobCourse } from './job-course.ts';
import { createJobMaintenance } from './job-maintenance.ts';
import { createLookUpRate, createSendForChunk } from './look-up-rate.ts';
import { createChunkQueue, startChunkWorker } from './queue/chunk-queue.ts';
import { createJobState } from './queue/job-state.ts';
import {
  checkEviction,
  connectForRequests,
  connectForWorkers,
  JobsStartError,
  QueueError,
  withQueueErrors,
} from './queue/queue-connection.ts';
import { createChunkRunner } from './run-chunk.ts';
import { createJobStore } from './store/job-store.ts';

export type Jobs = Awaited<ReturnType<typeof createJobs>>;

export interface JobsParts {
  readonly config: Config;
  readonly limits: {
    readonly concurrentChunks: number;
    readonly concurrentReferenceChunks: number;
    readonly chunksOfClient: number;
    readonly jobsOfClient: number;
    readonly jobsOfAll: number;
    readonly jobBytesOfClient: number;
    readonly maxJobHours: number;
  };
  /** whether the gateway searches for the works of references in words */
  readonly matchesReferences: boolean;
  readonly log: Log;
  readonly clock: () => number;
  readonly metrics: Pick<Metrics, 'jobs' | 'redisProblem'>;
}

const MAINTAIN_EVERY_MS = 5_000;
const CHECK_STOPPED_EVERY_MS = 1_000;
const CHECK_REDIS_EVERY_MS = 2_000;
/** When the process stops, running chunks have this time to return to the queue. */
const CLOSE_MS = 3_000;
const HOUR_MS = 3_600_000;

/** Rejects with a JobsStartError if the settings of the folder or of the Redis are wrong. Resolves if the Redis is down. */
export async function createJobs({ config, limits, matchesReferences, log, clock, metrics }: JobsParts) {
  const { JOBS_REDIS_URL: address, JOBS_DIR: folder } = config;
  if (address === null || folder === null) throw new JobsStartError('Jobs need JOBS_REDIS_URL and JOBS_DIR.');
  const store = createJobStore(folder);
  const prefix = `{doi-jobs-${await store.open()}}`;
  const troubles = createTroubleLog(log);
  const redis = withErrorLog(connectForRequests(address), troubles);
  let isUsable = false;
  try {
    isUsable = await checkEviction(redis, address);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  if (!isUsable)
    log.warn('The Redis of JOBS_REDIS_URL does not answer yet. Until it answers, there are no jobs.');

  const onError = (error: Error): void => log.debug({ cause: causeOf(error) }, 'the queue of jobs failed');
  const queue = createChunkQueue({ redis, prefix, onError });
  const state = withQueueErrors(
    createJobState({
      redis,
      prefix: `${prefix}:state:`,
      window: limits.chunksOfClient,
      limits: {
        clientJobs: limits.jobsOfClient,
        clientBytes: limits.jobBytesOfClient,
        jobs: limits.jobsOfAll,
        bytes: config.JOBS_MAX_BYTES,
      },
      clock,
    }),
  );
  const memory = createRedisMemoryWatch({ redis, usedFor: 'jobs', log, metrics });
  const redisState = () => (isUsable && redis.status === 'ready' ? (memory.problem ?? 'up') : 'down');
  metrics.jobs.watchFleet({
    isRedisUp: () => redisState() !== 'down',
    counts: async () => ({
      ...(await state.tally()),
      chunks: await queue.counts(),
      maxBytes: config.JOBS_MAX_BYTES,
    }),
  });
  const course = createJobCourse({ store, state, queue, clock });
  const keepMs = config.JOBS_KEEP_HOURS * HOUR_MS;
  const maintain = createJobMaintenance({
    store,
    state,
    course,
    keepMs,
    maxMs: limits.maxJobHours * HOUR_MS,
    clock,
  });
  const isQueueUsable = () => isUsable;
  const face = createJobsFace({
    config,
    store,
    state,
    course,
    keepMs,
    turns: TURNS,
    clock,
    matchesReferences,
    isQueueUsable,
    log,
  });

  const processId = randomBytes(9).toString('hex');
  const timers: NodeJS.Timeout[] = [];
  let worker: ReturnType<typeof startWorker> | null = null;
  let maintenance = Promise.resolve();

  /** Runs maintenance when the previous run has ended. The next run repeats steps that failed. */
  function maintainNow(): void {
    if (!isUsable) return;
    maintenance = maintenance.then(async () => {
      try {
        if (await state.isMaintainer(processId, 2 * MAINTAIN_EVERY_MS)) await maintain();
      } catch (error) {
        if (!(error instanceof QueueError)) {
          troubles.warn('keep', { err: error }, 'the maintenance of the jobs failed');
        }
      }
    });
  }

  async function checkRedis(): Promise<void> {
    if (!(await memory.check()) || isUsable) return;
    isUsable = true;
    maintainNow();
  }

  function startWorker(fetch: Router['fetch'], redisAddress: NonNullable<typeof address>) {
    const rate = createLookUpRate(redis, prefix, config.JOBS_LOOKUPS_PER_SECOND);
    const answer = createAnswerChunk(createSendForChunk(fetch, rate), TURNS);
    const runner = createChunkRunner({ store, state, course, answer, troubles, metrics: metrics.jobs });
    const workerRedis = withErrorLog(connectForWorkers(redisAddress), troubles);
    const { concurrentChunks } = limits;
    // A worker that does not search for references leaves their chunks to other workers.
    const references = matchesReferences ? limits.concurrentReferenceChunks : 0;
    const chunks = startChunkWorker(
      { redis: workerRedis, prefix, onError },
      { first: concurrentChunks, further: concurrentChunks, references },
      runner.run,
    );
    timers.push(setInterval(() => void runner.abortStopped().catch(onError), CHECK_STOPPED_EVERY_MS).unref());
    return { runner, chunks, redis: workerRedis };
  }

  return {
    routes: face.routes,

    /** The state of the Redis of the jobs: `up`, its problem, or `down`. */
    redis: redisState,

    /** Starts maintenance and, if this process is a worker, runs chunks. @param fetch sends requests to this gateway */
    start(fetch: Router['fetch']): void {
      if (config.ROLE !== 'gateway') worker = startWorker(fetch, address);
      redis.on('ready', maintainNow);
      timers.push(setInterval(maintainNow, MAINTAIN_EVERY_MS).unref());
      timers.push(setInterval(() => void checkRedis(), CHECK_REDIS_EVERY_MS).unref());
      maintainNow();
    },

    /** Ends event streams, before the server stops. */
    announceStop: face.endStreams,

    /** Returns running chunks to the queue and closes all connections. */
    async close(): Promise<void> {
      face.endStreams();
      for (const timer of timers) clearInterval(timer);
      redis.off('ready', maintainNow);
      worker?.runner.stop(new DOMException('the worker stops', 'AbortError'));
      const ended = Promise.all([worker?.chunks.close(), maintenance, queue.close()]);
      await Promise.race([ended.catch(onError), sleep(CLOSE_MS, undefined, { ref: false })]);
      worker?.redis.disconnect();
      redis.disconnect();
      troubles.close();
    },
  };
}

function withErrorLog(redis: Redis | Cluster, troubles: TroubleLog): Redis | Cluster {
  redis.on('error', (error) =>
    troubles.warn('redis', { cause: causeOf(error) }, 'the Redis of the jobs cannot be reached'),
  );
  return redis;
}
