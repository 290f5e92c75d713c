// The steps of a job: queues its first chunks, queues the next chunks when chunks are done, and ends the job. A step can run
// twice, or in two processes at the same time.

import { countsBy } from '../tools/bulk/row-outcomes.ts';
import type { JobKey } from './job-id.ts';
import type { ChunkQueue } from './queue/chunk-queue.ts';
import type { DoneChunk, JobState } from './queue/job-state.ts';
import type { ChunkHead } from './store/chunk-files.ts';
import type { JobEnd, JobStore } from './store/job-store.ts';

interface JobCourseParts {
  readonly store: JobStore;
  readonly state: JobState;
  readonly queue: ChunkQueue;
  readonly clock: () => number;
}

export type JobCourse = ReturnType<typeof createJobCourse>;

export function createJobCourse({ store, state, queue, clock }: JobCourseParts) {
  /** Queues a new job, or a job that Redis has lost. Resolves with false if there is no such job. */
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

  /**
   * Queues the next chunks, or ends the job. Resolves with true if the job still runs.
   * @param done the chunk that is done now; null if there is no such chunk
   */
  async function continueJob(key: JobKey, done: DoneChunk | null): Promise<boolean> {
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
    const summary = { rows: progress.rowsDone, ...countsBy((outcome) => progress[outcome]) };
    const chunkBytes = Array.from({ length: progress.chunks }, (_, chunk) => bytes.get(chunk) ?? 0);
    await end(key, { state: 'done', endedAt: clock(), chunkBytes, ...summary });
  }

  /** Writes the end to the disk first. If Redis then loses the job, `takeUp` restores the job from the disk. */
  async function end(key: JobKey, ending: JobEnd): Promise<void> {
    await store.writeEnd(key, ending);
    await state.end(key, (await store.end(key)) ?? ending);
  }

  return {
    takeUp,
    continueJob,

    /** Queues all open chunks again, because the queue can have lost some of them. */
    async requeueChunks(key: JobKey): Promise<void> {
      if (!(await continueJob(key, null))) return;
      await queue.add(key, await state.openChunks(key));
    },

    /** Ends a job as failed. @param reason for the client of the job */
    fail: (key: JobKey, reason: string): Promise<void> =>
      end(key, { state: 'failed', endedAt: clock(), reason }),

    /** Deletes a job. If the job runs, this also stops the job. */
    async remove(key: JobKey): Promise<void> {
      // Removes the folder first, so that no process takes up the job again.
      await store.remove(key);
      await state.forget(key);
    },
  };
}
