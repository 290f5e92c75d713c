// The steps of a job: queues its first chunks, queues the next chunks when chunks are done, and ends the job. A step can run
// twice, or in two processes at the same time.

import type { JobKey } from './job-id.ts';
import type { ChunkQueue } from './queue/chunk-queue.ts';
import type { JobState } from './queue/job-state.ts';
import type { ChunkHead, ChunkSummary } from './store/chunk-files.ts';
import type { JobEnd, JobStore } from './store/job-store.ts';

export interface JobCourse {
  /** Queues a new job, or a job that Redis has lost. Resolves with false if there is no such job. */
  takeUp(key: JobKey): Promise<boolean>;
  /**
   * Queues the next chunks, or ends the job. Resolves with true if the job still runs.
   * @param done the chunk that is done now; null if there is no such chunk
   */
  continueJob(
    key: JobKey,
    done: { readonly chunk: number; readonly head: ChunkHead } | null,
  ): Promise<boolean>;
  /** Queues the chunks that the queue has lost. */
  requeueChunks(key: JobKey): Promise<void>;
  /** Ends a job as failed. @param reason for the client of the job */
  fail(key: JobKey, reason: string): Promise<void>;
  /** Deletes a job. If the job runs, this also stops the job. */
  remove(key: JobKey): Promise<void>;
}

export interface JobCourseParts {
  readonly store: JobStore<unknown>;
  readonly state: JobState;
  readonly queue: ChunkQueue;
  readonly clock: () => number;
}

export function createJobCourse({ store, state, queue, clock }: JobCourseParts): JobCourse {
  async function takeUp(key: JobKey): Promise<boolean> {
    const manifest = await store.manifest(key);
    if (manifest === null) return false;
    const end = await store.end(key);
    const heads = new Map<number, ChunkHead>();
    if (end === null) {
      for (const chunk of await store.chunks(key)) {
        const head = await store.chunkHead(key, chunk);
        if (head) heads.set(chunk, head);
      }
    }
    await state.takeUp(key, manifest, heads, end);
    if (end === null) await continueJob(key, null);
    return true;
  }

  async function continueJob(
    key: JobKey,
    done: { readonly chunk: number; readonly head: ChunkHead } | null,
  ): Promise<boolean> {
    const advanced = await state.advance(key, done);
    if (advanced.state === 'unknown')
      return (await takeUp(key)) && done !== null ? continueJob(key, done) : false;
    if (advanced.state !== 'running') return false;
    await queue.add(key, advanced.opened);
    if (!advanced.isComplete) return true;
    await finish(key);
    return false;
  }

  async function finish(key: JobKey): Promise<void> {
    const bytes = await state.chunkBytes(key);
    const progress = await state.progress(key);
    if (progress?.state !== 'running') return;
    const summary: ChunkSummary = {
      rows: progress.rowsDone,
      found: progress.found,
      absent: progress.absent,
      invalid: progress.invalid,
      failed: progress.failed,
    };
    const chunkBytes = Array.from({ length: progress.chunks }, (_, chunk) => bytes.get(chunk) ?? 0);
    await end(key, { state: 'done', endedAt: clock(), chunkBytes, ...summary });
  }

  /** Writes to the disk first. If Redis loses the job, `takeUp` restores its state from the disk. */
  async function end(key: JobKey, ending: JobEnd): Promise<void> {
    await store.writeEnd(key, ending);
    await state.end(key, (await store.end(key)) ?? ending);
  }

  return {
    takeUp,
    continueJob,

    async requeueChunks(key) {
      if (!(await continueJob(key, null))) return;
      const open = await state.openChunks(key);
      await queue.add(
        key,
        open.map((chunk, at) => ({ chunk, place: at + 1 })),
      );
    },

    fail: (key, reason) => end(key, { state: 'failed', endedAt: clock(), reason }),

    async remove(key) {
      // Removes the folder first, so that no process takes up the job again.
      await store.remove(key);
      await state.forget(key);
    },
  };
}
