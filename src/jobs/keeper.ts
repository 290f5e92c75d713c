// Looks after all jobs, now and then and in one process at a time: takes up what Redis has lost, mends what a crash
// has left half done, and takes away what is over.

import type { JobCourse } from './job-course.ts';
import type { JobKey } from './job-id.ts';
import type { JobProgress } from './queue/job-fields.ts';
import type { JobState } from './queue/job-state.ts';
import type { JobStore } from './store/job-store.ts';

export interface KeeperOptions {
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
