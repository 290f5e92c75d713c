// Who looks after the jobs: what is taken up, mended, ended and taken away, and when.

import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JobCourse } from '../../src/jobs/job-course.ts';
import type { JobKey } from '../../src/jobs/job-id.ts';
import { createJobMaintenance } from '../../src/jobs/job-maintenance.ts';
import type { JobProgress, JobState } from '../../src/jobs/queue/job-state.ts';
import { type JobFolder, newJobKey, openJobFolder, publishJob } from './job-parts.ts';

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
  chunksDone: 0,
  found: 0,
  absent: 0,
  invalid: 0,
  failed: 0,
};

let folder: JobFolder;
let told: string[];
let known: Map<JobKey, JobProgress>;
beforeEach(async () => {
  folder = await openJobFolder();
  told = [];
  known = new Map();
  return () => folder.remove();
});

async function publish(): Promise<JobKey> {
  const key = newJobKey();
  await publishJob(folder.store, key);
  return key;
}

/** One look, a while after NOW. */
async function look(laterMs = 0): Promise<readonly string[]> {
  const note = (what: string) => async (key: JobKey, more?: unknown) => {
    told.push([what, key, ...(typeof more === 'string' ? [more] : [])].join(' '));
    return true;
  };
  const course = {
    takeUp: note('take up'),
    requeueChunks: note('mend'),
    fail: note('fail'),
    remove: note('remove'),
  } as unknown as JobCourse;
  const state = {
    progress: async (key: JobKey) => known.get(key) ?? null,
    keys: async () => [...known.keys()],
    forget: note('forget'),
  } as unknown as JobState;
  await createJobMaintenance({
    store: folder.store,
    state,
    course,
    keepMs: HOUR,
    maxMs: 2 * HOUR,
    clock: () => NOW + laterMs,
  })();
  return told;
}

test('a job that Redis does not know is taken up', async () => {
  const key = await publish();
  expect(await look()).toEqual([`take up ${key}`]);
});

test('so is one that was published and then left', async () => {
  const key = await publish();
  known.set(key, { ...RUNNING, state: 'uploading' });
  expect(await look()).toEqual([`take up ${key}`]);
});

test('one that runs is mended, until it is too old', async () => {
  const key = await publish();
  known.set(key, RUNNING);
  expect(await look()).toEqual([`mend ${key}`]);
  told = [];
  expect(await look(HOUR + 1)).toEqual([`fail ${key} The job took longer than the limit of this gateway.`]);
});

test('one that has ended is kept for its time', async () => {
  const key = await publish();
  known.set(key, { ...RUNNING, state: 'done', endedAt: NOW });
  expect(await look(HOUR)).toEqual([]);
  expect(await look(HOUR + 1)).toEqual([`remove ${key}`]);
});

test('what Redis knows and the disk does not is forgotten, but not while it may be on its way', async () => {
  const key = newJobKey();
  known.set(key, { ...RUNNING, state: 'uploading', createdAt: NOW });
  expect(await look()).toEqual([]);
  expect(await look(600_001)).toEqual([`forget ${key}`]);
});

test('an upload that has been silent for ten minutes is taken away', async () => {
  const [silent, arriving] = [newJobKey(), newJobKey()];
  for (const [key, ago] of [
    [silent, 601],
    [arriving, 599],
  ] as const) {
    await (await folder.store.upload(key)).close();
    const at = new Date(NOW - ago * 1_000);
    await utimes(join(folder.path, 'uploads', key, 'input.jsonl'), at, at);
  }
  await look();
  expect((await folder.store.uploadsOf()).map(({ key }) => key)).toEqual([arriving]);
});
