// Takes up and repairs jobs after a crash. Deletes jobs after their end, and uploads that have stopped.

import type { JobCourse } from './job-course.ts';
import type { JobKey } from './job-id.ts';
import type { JobProgress } from './queue/job-fields.ts';
import type { JobState } from './queue/job-state.ts';
import type { JobStore } from './store/job-store.ts';

interface JobMaintenanceOptions {
  readonly store: JobStore;
  readonly state: JobState;
  readonly course: JobCourse;
  /** the time from the end of a job to its deletion */
  readonly keepMs: number;
  /** the longest time from the start of a job to its end */
  readonly maxMs: number;
  readonly clock: () => number;
}

/** If an upload gets no bytes for this time, maintenance deletes the upload. The server closes slow uploads much earlier. */
const SILENT_UPLOAD_MS = 600_000;

/**
 * Creates the function that maintains all jobs once. This function takes up jobs that Redis has lost, repairs jobs after a
 * crash, and deletes ended jobs. It rejects if Redis or the disk fails. One process at a time calls the function regularly.
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
      await course.fail(key, 'The job took longer than the limit of this gateway.');
    } else await course.requeueChunks(key);
  }

  return async () => {
    const onDisk = new Set(await store.keys());
    const failures: unknown[] = [];
    for (const key of onDisk) {
      const progress = await state.progress(key);
      await maintain(key, progress).catch((error) => failures.push(error));
    }
    const silentSince = clock() - SILENT_UPLOAD_MS;
    const uploads = await store.uploadsOf();
    for (const { key, writtenAt } of uploads) if (writtenAt < silentSince) await store.abandon(key);
    const arriving = new Set(
      uploads.filter(({ writtenAt }) => writtenAt >= silentSince).map(({ key }) => key),
    );
    for (const key of await state.keys()) {
      if (onDisk.has(key) || arriving.has(key)) continue;
      // The upload of the job can have begun or ended after the folders were read.
      const progress = await state.progress(key);
      if (progress !== null && progress.createdAt > silentSince) continue;
      await state.forget(key);
    }
    await store.emptyRemoved(silentSince);
    // On a full disk, steps that write fail. They must not keep the steps that delete from running.
    if (failures.length > 0) throw failures[0];
  };
}
