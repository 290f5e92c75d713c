// Deletes jobs that have ended and uploads that have stopped.

import type { JobCourse } from './job-course.ts';
import type { JobKey } from './job-id.ts';
import type { JobProgress } from './queue/job-fields.ts';
import type { JobState } from './queue/job-state.ts';
import type { JobStore } from './store/job-store.ts';

interface JobMaintenanceOptions {
  readonly store: JobStore<unknown>;
  readonly state: JobState;
  readonly course: JobCourse;
  /** how long a job is kept after its end */
  readonly keepMs: number;
  /** how long a job may take */
  readonly maxMs: number;
  readonly clock: () => number;
}

/** How long an upload may be silent. The server closes slow uploads much earlier. */
const SILENT_UPLOAD_MS = 600_000;

/**
 * Maintains all jobs once: takes up jobs that Redis has lost, repairs jobs after a crash, and deletes ended jobs. Runs
 * regularly, in one process at a time. Rejects if Redis or the disk fails.
 */
export function createJobMaintenance(options: JobMaintenanceOptions): () => Promise<void> {
  const { store, state, course, keepMs, maxMs, clock } = options;

  async function maintain(key: JobKey, progress: JobProgress | null): Promise<void> {
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
    for (const key of onDisk) await maintain(key, await state.progress(key));
    const silentSince = clock() - SILENT_UPLOAD_MS;
    const uploads = await store.uploadsOf();
    for (const { key, writtenAt } of uploads) if (writtenAt < silentSince) await store.abandon(key);
    const arriving = new Set(
      uploads.filter(({ writtenAt }) => writtenAt >= silentSince).map(({ key }) => key),
    );
    for (const key of await state.keys()) {
      if (onDisk.has(key) || arriving.has(key)) continue;
      // It may have been published or begun since the folders were read.
      const progress = await state.progress(key);
      if (progress !== null && progress.createdAt > silentSince) continue;
      await state.forget(key);
    }
    await store.emptyRemoved(silentSince);
  };
}
