// Works on one chunk: reads its rows, looks them up, writes the answers, and counts failed attempts.

import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../metrics.ts';
import { OUTCOME_NAMES } from '../tools/bulk/row-outcomes.ts';
import type { TroubleLog } from '../trouble-log.ts';
import type { JobCourse } from './job-course.ts';
import type { JobKey } from './job-id.ts';
import type { RunChunk } from './queue/chunk-queue.ts';
import type { JobState } from './queue/job-state.ts';
import { type ChunkSummary, isDiskFull } from './store/chunk-files.ts';
import type { JobManifest, JobStore, JobTask } from './store/job-store.ts';

export interface AnsweredChunk {
  readonly body: Uint8Array;
  /** whether the result is larger than the size that the gateway reserved when the file arrived */
  readonly isTooLarge: boolean;
  readonly summary: ChunkSummary;
  /** the number of failed rows for which a retry might help */
  readonly retryableRows: number;
  /** whether the chunk must wait: the directory answers no look-up at all, or the agencies take no more searches now */
  readonly mustWait: boolean;
}

/** Looks up the rows of a chunk, and writes the result. Rejects with the signal's reason when the signal is aborted. */
export type AnswerChunk = (chunk: {
  readonly task: JobTask;
  readonly rows: readonly string[];
  /** The number of the chunk, from 0. The result of chunk 0 begins with the table header. */
  readonly chunk: number;
  readonly jobKey: JobKey;
  readonly signal: AbortSignal;
}) => Promise<AnsweredChunk>;

interface ChunkRunnerOptions {
  readonly store: JobStore;
  readonly state: JobState;
  readonly course: JobCourse;
  readonly answer: AnswerChunk;
  readonly troubles: TroubleLog;
  readonly metrics: Pick<Metrics['jobs'], 'names' | 'failedAttempts'>;
}

/** If more workers than this died while they ran a chunk, the chunk is probably the cause. The job then fails. */
const MAX_WORKER_DEATHS = 20;

/** The number of attempts for a chunk if the directory answers. An agency can be down for days. */
const PARTIAL_ATTEMPTS = 3;

const MAX_MANIFESTS = 100;

/** The gateway does not log an abort with this reason, because the abort is expected. */
const STOPPED = new DOMException('the job was stopped', 'AbortError');

export function createChunkRunner({ store, state, course, answer, troubles, metrics }: ChunkRunnerOptions) {
  const manifests = new LRUCache<JobKey, JobManifest>({ max: MAX_MANIFESTS });
  const running = new Map<AbortController, JobKey>();

  async function manifestOf(key: JobKey): Promise<JobManifest | null> {
    const known = manifests.get(key) ?? (await store.manifest(key));
    if (known) manifests.set(key, known);
    return known;
  }

  async function answerOnce(key: JobKey, chunk: number, attempt: number): Promise<void> {
    const manifest = await manifestOf(key);
    if (manifest === null || (await state.progress(key))?.state === 'failed') return;
    if ((await state.countBegun(key, chunk, 1)) > MAX_WORKER_DEATHS) {
      troubles.warn('worker deaths', { job: key, chunk }, 'a job failed, because a chunk ended its workers');
      await course.fail(key, 'The gateway could not process a part of the file.');
      return;
    }
    const controller = new AbortController();
    running.set(controller, key);
    try {
      const { signal } = controller;
      // Every name of the chunk adds a listener, and Node reports more than ten listeners of a signal as a leak.
      setMaxListeners(0, signal);
      const rows = await store.input(key, manifest, chunk);
      const answered = await answer({ task: manifest.work, rows, chunk, jobKey: key, signal });
      if (isWorthRetrying(answered, attempt)) throw new Error('some look-ups of the chunk failed');
      if (answered.isTooLarge) {
        await course.fail(key, 'A part of the result is larger than the space that the gateway reserved.');
        return;
      }
      await store.writeChunk(key, chunk, answered.body, answered.summary);
      count(answered.summary);
    } finally {
      running.delete(controller);
      await state.countBegun(key, chunk, -1);
    }
  }

  function count(summary: ChunkSummary): void {
    for (const outcome of OUTCOME_NAMES) metrics.names.inc({ outcome }, summary[outcome]);
  }

  const run: RunChunk = async (key, chunk, attempt) => {
    try {
      const known = await store.chunkHead(key, chunk);
      if (known === null) await answerOnce(key, chunk, attempt);
      const head = known ?? (await store.chunkHead(key, chunk));
      if (head) await course.continueJob(key, { chunk, head });
    } catch (error) {
      // A job that was removed meanwhile has no folder.
      if (error === STOPPED || (await store.manifest(key)) === null) manifests.delete(key);
      else {
        metrics.failedAttempts.inc();
        const message = isDiskFull(error)
          ? 'the disk of the jobs is full: the job waits until there is space'
          : 'a chunk of a job is tried again';
        troubles.warn('chunk', { err: error, job: key, chunk }, message);
        throw error;
      }
    }
  };

  return {
    run,

    /** Aborts the running chunks of stopped jobs. The caller calls this about once a second. */
    async abortStopped(): Promise<void> {
      for (const key of new Set(running.values())) {
        const progress = await state.progress(key);
        const isGone =
          progress === null ? (await store.manifest(key)) === null : progress.state !== 'running';
        if (!isGone) continue;
        for (const [controller, jobKey] of running) if (jobKey === key) controller.abort(STOPPED);
      }
    },

    /** Aborts all running chunks. */
    stop(reason: Error): void {
      for (const controller of running.keys()) controller.abort(reason);
    },
  };
}

/**
 * Whether a retry might help. If the directory answers, the rows that failed get a few attempts. If it answers nothing, it is
 * down, and the chunk gets retries until the directory answers.
 */
function isWorthRetrying({ retryableRows, mustWait }: AnsweredChunk, attempt: number): boolean {
  return retryableRows > 0 && (attempt < PARTIAL_ATTEMPTS || mustWait);
}
