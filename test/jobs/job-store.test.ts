// On disk, uploads become jobs, rows are in chunks, and a removed job leaves no files.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createJobId, type JobKey, jobKeyOf } from '../../src/jobs/job-id.ts';
import { createJobStore, type JobManifest, type JobStore } from '../../src/jobs/store/job-store.ts';
import { type JobFolder, newJobKey, openJobFolder, publishJob } from './job-folder.ts';

let folder: JobFolder;
let store: JobStore;
let key: JobKey;
beforeEach(async () => {
  folder = await openJobFolder();
  ({ store } = folder);
  key = newJobKey();
  return () => folder.remove();
});

const publish = (rows: readonly string[]): Promise<JobManifest> => publishJob(store, key, rows);

test('a job is read in chunks of a thousand rows, in order and unchanged', async () => {
  const rows = Array.from({ length: 2_001 }, (_, at) => `["ä ${at}"]`);
  const manifest = await publish(rows);
  expect(await store.manifest(key)).toEqual(manifest);
  const chunks = await Promise.all([0, 1, 2].map((chunk) => store.input(key, manifest, chunk)));
  expect(chunks.map((chunk) => chunk.length)).toEqual([1_000, 1_000, 1]);
  expect(chunks.flat()).toEqual(rows);
});

test('long rows make shorter chunks', async () => {
  const { offsets } = await publish(Array.from({ length: 7 }, () => 'x'.repeat(199_999)));
  expect(offsets).toEqual([0, 600_000, 1_200_000, 1_400_000]);
});

test('rows of many cells make shorter chunks', async () => {
  const upload = await store.upload(key);
  for (let row = 0; row < 100; row += 1) await upload.add('a', 2_000);
  await upload.finish();
  await upload.close();
  // Each chunk has 26 rows, and the last chunk has 22.
  expect(upload.offsets).toEqual([0, 52, 104, 156, 200]);
});

test('the folder of jobs keeps the random word of its first start', async () => {
  const word = await store.open();
  expect(word).toMatch(/^[0-9a-f]{18}$/);
  expect(await createJobStore(folder.path).open()).toBe(word);
});

test('an upload is not a job before it is published, and leaves no files when it is abandoned', async () => {
  const upload = await store.upload(key);
  await upload.add('row', 1);
  expect(await store.keys()).toEqual([]);
  expect(await store.manifest(key)).toBeNull();
  expect((await store.uploadsOf()).map(({ key: known }) => known)).toEqual([key]);
  await upload.close();
  await store.abandon(key);
  expect(await store.uploadsOf()).toEqual([]);
  expect(await readdir(join(folder.path, 'removed'))).toEqual([]);
});

test('the end of a job is written only once', async () => {
  await publish(['row']);
  expect(await store.end(key)).toBeNull();
  await store.writeEnd(key, { state: 'failed', endedAt: 1, reason: 'first' });
  await store.writeEnd(key, { state: 'failed', endedAt: 2, reason: 'second' });
  expect(await store.end(key)).toEqual({ state: 'failed', endedAt: 1, reason: 'first' });
});

test('a removed job leaves no files, and can be removed again', async () => {
  await publish(['row']);
  await Promise.all([store.remove(key), store.remove(key)]);
  expect(await store.keys()).toEqual([]);
  expect(await readdir(join(folder.path, 'removed'))).toEqual([]);
});

test('an id has 144 random bits, and its key does not reveal the id', () => {
  const ids = new Set(Array.from({ length: 100 }, createJobId));
  expect(ids.size).toBe(100);
  for (const id of ids) {
    expect(id).toMatch(/^[\w-]{24}$/);
    expect(jobKeyOf(id)).toMatch(/^[0-9a-f]{32}$/);
  }
  for (const wrong of ['', 'x', '../../../../etc/passwd-x', 'A'.repeat(25), `${'A'.repeat(23)}/`]) {
    expect(jobKeyOf(wrong)).toBeNull();
  }
});
