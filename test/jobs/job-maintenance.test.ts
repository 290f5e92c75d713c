// Maintenance registers, repairs, ends and deletes jobs.

import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JobCourse } from '../../src/jobs/job-course.ts';
import type { JobKey } from '../../src/jobs/job-id.ts';
import { createJobMaintenance } from '../../src/jobs/job-maintenance.ts';
import type { JobProgress } from '../../src/jobs/queue/job-fields.ts';
import type { JobState } from '../../src/jobs/queue/job-state.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';
import { type JobFolder, newJobKey, openJobFolder, publishJob } from './job-folder.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');
const RUNNING: JobProgress = {
  state: 'running',
  createdAt: NOW - HOUR,
  endedAt: null,
  reason: null,
  rows: 1,
  rowsDone: 0,
  chunks: 1,
  ...countsBy(() => 0),
};

let folder: JobFolder;
let calls: string[];
let isDiskFull = false;
let known: Map<JobKey, JobProgress>;
beforeEach(async () => {
  folder = await openJobFolder();
  calls = [];
  isDiskFull = false;
  known = new Map();
  return () => folder.remove();
});

async function publish(): Promise<JobKey> {
  const key = newJobKey();
  await publishJob(folder.store, key);
  return key;
}

/** Runs maintenance once, some time after NOW. Resolves with its calls. */
async function maintain(laterMs = 0): Promise<readonly string[]> {
  const logged = (action: string) => async (key: JobKey, more?: unknown) => {
    calls.push([action, key, ...(typeof more === 'string' ? [more] : [])].join(' '));
    return true;
  };
  const course = {
    takeUp: logged('take up'),
    requeueChunks: logged('requeue'),
    fail: async (key: JobKey, reason: string) => {
      await logged('fail')(key, reason);
      if (isDiskFull) throw new Error('no space');
    },
    remove: logged('remove'),
  } as unknown as JobCourse;
  const state = {
    progress: async (key: JobKey) => known.get(key) ?? null,
    keys: async () => [...known.keys()],
    forget: logged('forget'),
  } as unknown as JobState;
  await createJobMaintenance({
    store: folder.store,
    state,
    course,
    keepMs: HOUR,
    maxMs: 2 * HOUR,
    clock: () => NOW + laterMs,
  })();
  return calls;
}

test('maintenance registers a job from the disk in Redis if Redis has lost the job', async () => {
  const key = await publish();
  expect(await maintain()).toEqual([`take up ${key}`]);
});

test('maintenance registers a job in Redis if the gateway stopped just after the upload', async () => {
  const key = await publish();
  known.set(key, { ...RUNNING, state: 'uploading' });
  expect(await maintain()).toEqual([`take up ${key}`]);
});

test('maintenance queues the chunks of a running job again, and ends the job if it is too old', async () => {
  const key = await publish();
  known.set(key, RUNNING);
  expect(await maintain()).toEqual([`requeue ${key}`]);
  calls = [];
  expect(await maintain(HOUR + 1)).toEqual([
    `fail ${key} The job took longer than the limit of this gateway.`,
  ]);
});

test('maintenance deletes an ended job after the time that results are kept', async () => {
  const key = await publish();
  known.set(key, { ...RUNNING, state: 'done', endedAt: NOW });
  expect(await maintain(HOUR)).toEqual([]);
  expect(await maintain(HOUR + 1)).toEqual([`remove ${key}`]);
});

test('maintenance removes a job from Redis if it is not on disk, unless its upload might still run', async () => {
  const key = newJobKey();
  known.set(key, { ...RUNNING, state: 'uploading', createdAt: NOW });
  expect(await maintain()).toEqual([]);
  expect(await maintain(600_001)).toEqual([`forget ${key}`]);
});

test('maintenance deletes an upload if no bytes arrive for ten minutes', async () => {
  const [silent, arriving] = [newJobKey(), newJobKey()];
  for (const [key, ago] of [
    [silent, 601],
    [arriving, 599],
  ] as const) {
    await (await folder.store.upload(key)).close();
    const at = new Date(NOW - ago * 1_000);
    await utimes(join(folder.path, 'uploads', key, 'input.jsonl'), at, at);
  }
  await maintain();
  expect((await folder.store.uploadsOf()).map(({ key }) => key)).toEqual([arriving]);
});

test('maintenance deletes ended jobs even if the disk is full', async () => {
  const [first, second, third] = [await publish(), await publish(), await publish()];
  for (const key of [first, third]) known.set(key, { ...RUNNING, createdAt: NOW - 3 * HOUR });
  known.set(second, { ...RUNNING, state: 'done', endedAt: NOW - 2 * HOUR });
  isDiskFull = true;
  await expect(maintain()).rejects.toThrow('no space');
  expect(calls.filter((call) => call.startsWith('fail '))).toHaveLength(2);
  expect(calls).toContain(`remove ${second}`);
});
