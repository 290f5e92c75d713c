// How a job goes on: from its file to chunks in the queue, from chunks that are done to the next, and to its end.
// Each step may be taken twice, or by two processes at a time.

import type { JobKey } from './job-id.ts';
import type { ChunkQueue } from './queue/chunk-queue.ts';
import type { JobProgress } from './queue/job-fields.ts';
import type { JobState } from './queue/job-state.ts';
import type { ChunkHead, ChunkSummary } from './store/chunk-files.ts';
import type { JobEnd, JobStore } from './store/job-store.ts';

// Looks after all jobs, now and then and in one process at a time: takes up what Redis has lost, mends what a crash
// has left half done, and takes away what is over.

interface KeeperOptions {
  readonly store: JobStore<unknown>;
  readonly state: JobState;
  readonly course: JobCourse;
  /** after its end */
  readonly keepMs: number;
  /** until it fails */
  readonly maxMs: number;
  readonly clock: () => number;
}

/** How long an upload may be silent: slow ones are cut off long before. */
const SILENT_UPLOAD_MS = 600_000;

/** Looks once. Rejects where Redis or the disk do not answer. */
export function createKeeper(options: KeeperOptions): () => Promise<void> {
  const { store, state, course, keepMs, maxMs, clock } = options;

  async function lookAfter(key: JobKey, progress: JobProgress | null): Promise<void> {
    const now = clock();
    if (progress === null || progress.state === 'uploading') {
      await course.takeUp(key);
    } else if (progress.endedAt !== null) {
      if (now - progress.endedAt > keepMs) await course.remove(key);
    } else if (now - progress.createdAt > maxMs) {
      await course.fail(key, 'The job took longer than a job may take here.');
    } else await course.mend(key);
  }

  return async () => {
    const onDisk = new Set(await store.keys());
    for (const key of onDisk) await lookAfter(key, await state.progress(key));
    const silentSince = clock() - SILENT_UPLOAD_MS;
    const uploads = await store.uploadsOf();
    for (const { key, writtenAt } of uploads) if (writtenAt < silentSince) await store.abandon(key);
    const arriving = new Set(
      uploads.filter(({ writtenAt }) => writtenAt >= silentSince).map(({ key }) => key),
    );
    for (const key of await state.keys()) {
      if (onDisk.has(key) || arriving.has(key)) continue;
      // It may have been published, or begun, since we looked.
      const progress = await state.progress(key);
      if (progress !== null && progress.createdAt > silentSince) continue;
      await state.forget(key);
    }
    await store.emptyRemoved(silentSince);
  };
}

export interface JobCourse {
  /** Puts a job into the queue whose file has just arrived, or one that Redis has lost. False: there is none. */
  takeUp(key: JobKey): Promise<boolean>;
  /** Goes on after a chunk is done; null: none was. Whether the job still runs. */
  goOn(key: JobKey, done: { readonly chunk: number; readonly head: ChunkHead } | null): Promise<boolean>;
  /** Puts chunks back into the queue that should be there. */
  mend(key: JobKey): Promise<void>;
  /** Ends a job that cannot be done. @param reason for whoever asks */
  fail(key: JobKey, reason: string): Promise<void>;
  /** Stops a job, if it runs, and takes everything of it away. */
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

  /** The disk first: what Redis says can be made from it. */
  async function end(key: JobKey, told: JobEnd): Promise<void> {
    await store.writeEnd(key, told);
    await state.end(key, (await store.end(key)) ?? told);
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
      // Without its folder nobody takes it up again.
      await store.remove(key);
      await state.forget(key);
    },
  };
}
