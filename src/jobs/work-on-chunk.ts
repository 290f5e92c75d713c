// Works on one chunk: reads its rows, looks them up, writes the answers, and counts failed attempts.

import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../metrics.ts';
import type { TroubleLog } from '../trouble-log.ts';
import type { JobCourse } from './job-course.ts';
import type { JobKey } from './job-id.ts';
import type { WorkOnChunk } from './queue/chunk-queue.ts';
import type { JobState } from './queue/job-state.ts';
import type { ChunkSummary } from './store/chunk-files.ts';
import type { JobManifest, JobStore } from './store/job-store.ts';

export interface AnsweredChunk {
  readonly body: Uint8Array;
  /** whether the result is larger than the size that was reserved when the file arrived */
  readonly isTooLarge: boolean;
  readonly summary: ChunkSummary;
  /** failed rows for which a retry may help */
  readonly retryable: number;
}

/** Looks up the rows of a chunk. Rejects with the reason of the signal when the job is stopped. */
export type AnswerChunk<Work> = (chunk: {
  readonly work: Work;
  readonly rows: readonly string[];
  /** The number of the chunk, from 0. The table header is before chunk 0. */
  readonly chunk: number;
  /** the client key of the job's look-ups */
  readonly jobKey: JobKey;
  readonly signal: AbortSignal;
}) => Promise<AnsweredChunk>;

export interface WorkOptions<Work> {
  readonly store: JobStore<Work>;
  readonly state: JobState;
  readonly course: JobCourse;
  readonly answer: AnswerChunk<Work>;
  readonly troubles: TroubleLog;
  readonly metrics: Pick<Metrics['jobs'], 'names' | 'failedAttempts'>;
}

/** If this many workers have died while they worked on a chunk, the chunk is probably the reason. */
const MAX_BROKEN_OFF = 20;

/** How many attempts a chunk gets if the directory answers for some of its names. */
const PARTIAL_ATTEMPTS = 3;

const MANIFESTS = 100;

export interface WorkInHand {
  readonly work: WorkOnChunk;
  /** Ends the work on stopped jobs. Call it about once a second. */
  look(): Promise<void>;
  /** Ends all of it. */
  stop(reason: Error): void;
}

/** An expected end, which is not reported. */
const STOPPED = new DOMException('the job was stopped', 'AbortError');

export function createWorkOnChunks<Work>(options: WorkOptions<Work>): WorkInHand {
  const { store, state, course, answer, troubles, metrics } = options;
  const manifests = new LRUCache<JobKey, JobManifest<Work>>({ max: MANIFESTS });
  const inHand = new Map<AbortController, JobKey>();

  async function manifestOf(key: JobKey): Promise<JobManifest<Work> | null> {
    const known = manifests.get(key) ?? (await store.manifest(key));
    if (known) manifests.set(key, known);
    return known;
  }

  async function answerOnce(key: JobKey, chunk: number, attempt: number): Promise<void> {
    const manifest = await manifestOf(key);
    if (manifest === null || (await state.progress(key))?.state === 'failed') return;
    if ((await state.countBegun(key, chunk, 1)) > MAX_BROKEN_OFF) {
      troubles.warn('ends workers', { job: key, chunk }, 'a chunk of a job ends its workers');
      await course.fail(key, 'A part of the file could not be worked on.');
      return;
    }
    const controller = new AbortController();
    inHand.set(controller, key);
    try {
      const { signal } = controller;
      // Every name of the chunk listens to it, and Node reports more than ten listeners as a leak.
      setMaxListeners(0, signal);
      const rows = await store.input(key, manifest, chunk);
      const answered = await answer({ work: manifest.work, rows, chunk, jobKey: key, signal });
      if (isWorthRetrying(answered, attempt)) throw new Error('some look-ups of the chunk failed');
      if (answered.isTooLarge) {
        await course.fail(key, 'A part of the result is larger than its rows allow.');
        return;
      }
      await store.writeChunk(key, chunk, answered.body, answered.summary);
      count(answered.summary);
    } finally {
      inHand.delete(controller);
      await state.countBegun(key, chunk, -1);
    }
  }

  function count({ rows, ...outcomes }: ChunkSummary): void {
    let other = rows;
    for (const [outcome, count] of Object.entries(outcomes)) {
      metrics.names.inc({ outcome }, count);
      other -= count;
    }
    metrics.names.inc({ outcome: 'other' }, other);
  }

  return {
    async work(key, chunk, attempt) {
      try {
        const known = await store.chunkHead(key, chunk);
        if (known === null) await answerOnce(key, chunk, attempt);
        const head = known ?? (await store.chunkHead(key, chunk));
        if (head) await course.goOn(key, { chunk, head });
      } catch (error) {
        // A job that was removed meanwhile has no folder.
        if (error === STOPPED || (await store.manifest(key)) === null) manifests.delete(key);
        else {
          metrics.failedAttempts.inc();
          troubles.warn('chunk', { err: error, job: key, chunk }, 'a chunk of a job is tried again');
          throw error;
        }
      }
    },

    async look() {
      for (const key of new Set(inHand.values())) {
        const progress = await state.progress(key);
        const isGone =
          progress === null ? (await store.manifest(key)) === null : progress.state !== 'running';
        if (isGone) stopJob(key);
      }
    },

    stop(reason) {
      for (const controller of inHand.keys()) controller.abort(reason);
    },
  };

  function stopJob(key: JobKey): void {
    for (const [controller, its] of inHand) if (its === key) controller.abort(STOPPED);
  }
}

/**
 * Whether a retry may help. If the directory answered for some names, the others get a few attempts. If it answered for
 * none, it is away, and the chunk waits for it.
 */
function isWorthRetrying({ summary, retryable }: AnsweredChunk, attempt: number): boolean {
  if (retryable === 0) return false;
  return attempt < PARTIAL_ATTEMPTS || summary.rows === summary.invalid + summary.failed;
}
