// The jobs on disk: uploads that become jobs, rows by chunks, and what is left behind.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createJobId, type JobKey, jobKeyOf } from '../../src/jobs/job-id.ts';
import { createJobStore, type JobManifest, type JobStore } from '../../src/jobs/store/job-store.ts';

let root = '';
let store: JobStore;
let key: JobKey;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'doi-gateway-store-'));
  store = createJobStore(root);
  await store.open(() => 'word');
  key = jobKeyOf(createJobId()) as JobKey;
  return () => rm(root, { recursive: true, force: true });
});

async function publish(rows: readonly string[]): Promise<JobManifest> {
  const upload = await store.upload(key);
  for (const row of rows) await upload.add(row);
  await upload.finish();
  await upload.close();
  const { offsets } = upload;
  const manifest = {
    version: 1,
    owner: null,
    client: 'c',
    createdAt: 1,
    rows: rows.length,
    offsets,
    work: {},
  } as const;
  await store.publish(key, manifest);
  return manifest;
}

test('rows come back in chunks of a thousand, in order and to the byte', async () => {
  const rows = Array.from({ length: 2_001 }, (_, at) => `["ä ${at}"]`);
  const manifest = await publish(rows);
  expect(await store.manifest(key)).toEqual(manifest);
  const chunks = await Promise.all([0, 1, 2].map((chunk) => store.input(key, manifest, chunk)));
  expect(chunks.map((chunk) => chunk.length)).toEqual([1_000, 1_000, 1]);
  expect(chunks.flat()).toEqual(rows);
});

test('long rows make shorter chunks', async () => {
  const rows = Array.from({ length: 6 }, () => 'x'.repeat(200_000));
  const manifest = await publish(rows);
  expect(manifest.offsets.length).toBeGreaterThan(2);
});

test('a folder keeps the word that it was first opened with', async () => {
  expect(await createJobStore(root).open(() => 'another')).toBe('word');
});

test('an upload is no job before it is published, and leaves nothing when it is abandoned', async () => {
  const upload = await store.upload(key);
  await upload.add('row');
  expect(await store.keys()).toEqual([]);
  expect(await store.manifest(key)).toBeNull();
  expect((await store.uploadsOf()).map(({ key: known }) => known)).toEqual([key]);
  await upload.close();
  await store.abandon(key);
  expect(await store.uploadsOf()).toEqual([]);
  expect(await readdir(join(root, 'removed'))).toEqual([]);
});

test('how a job ended is written once', async () => {
  await publish(['row']);
  expect(await store.end(key)).toBeNull();
  await store.writeEnd(key, { state: 'failed', endedAt: 1, reason: 'first' });
  await store.writeEnd(key, { state: 'failed', endedAt: 2, reason: 'second' });
  expect(await store.end(key)).toEqual({ state: 'failed', endedAt: 1, reason: 'first' });
});

test('a removed job leaves nothing, and may be removed again', async () => {
  await publish(['row']);
  await Promise.all([store.remove(key), store.remove(key)]);
  expect(await store.keys()).toEqual([]);
  expect(await readdir(join(root, 'removed'))).toEqual([]);
});

test('an id is 144 random bits, and its key does not tell it', () => {
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
