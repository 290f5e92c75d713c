// The steps of a job: it puts the chunks of the file into the queue, opens the next chunks, and ends the job. Each step
// may
// run twice, or in two processes at the same time.

import type { JobKey } from './job-id.ts';
import type { ChunkQueue } from './queue/chunk-queue.ts';
import type { JobState } from './queue/job-state.ts';
import type { ChunkHead, ChunkSummary } from './store/chunk-files.ts';
import type { JobEnd, JobStore } from './store/job-store.ts';

export interface JobCourse {
  /** Queues a job whose file has just arrived, or that Redis has lost. Returns false if there is no such job. */
  takeUp(key: JobKey): Promise<boolean>;
  /** Continues a job after a chunk is done, or without a new chunk (null). Returns whether the job still runs. */
  goOn(key: JobKey, done: { readonly chunk: number; readonly head: ChunkHead } | null): Promise<boolean>;
  /** Queues chunks that the queue has lost. */
  mend(key: JobKey): Promise<void>;
  /** Ends a job that cannot be done. @param reason for its client */
  fail(key: JobKey, reason: string): Promise<void>;
  /** Stops a job, if it runs, and deletes it. */
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
    if (end === null) await goOn(key, null);
    return true;
  }

  async function goOn(
    key: JobKey,
    done: { readonly chunk: number; readonly head: ChunkHead } | null,
  ): Promise<boolean> {
    const advance = await state.advance(key, done);
    if (advance.state === 'unknown') return (await takeUp(key)) && done !== null ? goOn(key, done) : false;
    if (advance.state !== 'running') return false;
    await queue.add(key, advance.opened);
    if (!advance.isComplete) return true;
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

  /** Writes to the disk first, because the state in Redis can be made from it. */
  async function end(key: JobKey, ending: JobEnd): Promise<void> {
    await store.writeEnd(key, ending);
    await state.end(key, (await store.end(key)) ?? ending);
  }

  return {
    takeUp,
    goOn,

    async mend(key) {
      if (!(await goOn(key, null))) return;
      const open = await state.openChunks(key);
      await queue.add(
        key,
        open.map((chunk, at) => ({ chunk, place: at + 1 })),
      );
    },

    fail: (key, reason) => end(key, { state: 'failed', endedAt: clock(), reason }),

    async remove(key) {
      // Without its folder, no process takes up the job again.
      await store.remove(key);
      await state.forget(key);
    },
  };
}
