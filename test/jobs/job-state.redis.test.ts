// In the state of jobs in Redis, each chunk counts once, and clients share the queue.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobKey } from '../../src/jobs/job-id.ts';
import { createJobState, type JobLimits, type JobState } from '../../src/jobs/queue/job-state.ts';
import type { JobManifest, JobTask } from '../../src/jobs/store/job-store.ts';
import type { TableShape } from '../../src/tools/bulk/table-shape.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { type JobRedis, manifestOf, newJobKey, startJobRedis } from './job-folder.ts';
import { CHUNK_HEAD, openedChunks } from './opened-chunks.ts';

const LIMITS: JobLimits = { clientJobs: 3, clientBytes: 1_000, jobs: 5, bytes: 2_000 };
const manifest = (client: string, chunks: number): JobManifest =>
  manifestOf({ client, rows: chunks * 1_000, offsets: Array.from({ length: chunks + 1 }, (_, at) => at) });

describe.skipIf(withoutRedis('the state of jobs'))('the state of jobs', () => {
  let parts: JobRedis;
  let state: JobState;

  beforeAll(async () => {
    parts = await startJobRedis();
    return () => parts.close();
  });

  beforeEach(async () => {
    await parts.server.client.flushall();
    state = createJobState({ redis: parts.redis, prefix: '{t}:', window: 3, limits: LIMITS, clock: () => 1 });
  });

  async function newJob(client: string, chunks: number): Promise<JobKey> {
    const key = newJobKey();
    await state.takeUp(key, manifest(client, chunks), new Map(), null);
    return key;
  }

  const opened = (key: JobKey, done: number | null = null) => openedChunks(state, key, done);

  it('queues a few chunks of a client, and the next chunk when a chunk ends', async () => {
    const key = await newJob('a', 10);
    expect(await opened(key)).toBe('0:1 1:2 2:3');
    expect(await opened(key)).toBe('');
    expect(await opened(key, 1)).toBe('3:3');
    expect(await opened(key, 1)).toBe('');
    const open = (await state.openChunks(key)).map(({ chunk }) => chunk);
    expect(open.toSorted((a, b) => a - b)).toEqual([0, 2, 3]);
  });

  it('keeps the kind of a job, and queues the chunks of a job with references separately', async () => {
    const key = newJobKey();
    const shape = { referenceColumns: [0, 1] } as unknown as TableShape;
    const job = { ...manifest('a', 8), work: { shape } as JobTask };
    await state.takeUp(key, job, new Map(), null);
    const advance = await state.advance(key, null);
    const kinds = advance.state === 'running' ? advance.opened.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(['references', 'references', 'references']);
    expect((await state.openChunks(key)).map(({ kind }) => kind)).toEqual(kinds);
    // Redis has no kind for jobs of earlier versions. These jobs have names.
    await parts.redis.hdel(`{t}:job:${key}`, 'references');
    expect((await state.openChunks(key)).map(({ kind }) => kind)).toEqual(['first', 'first', 'first']);
  });

  it('queues at least one chunk of each job, behind the other chunks of the client', async () => {
    const large = await newJob('a', 10);
    expect(await opened(large)).toBe('0:1 1:2 2:3');
    const small = await newJob('a', 2);
    expect(await opened(small)).toBe('0:4');
    // The large job gets no new chunk until both jobs have their share.
    expect(await opened(large, 0)).toBe('');
    expect(await opened(small, 0)).toBe('1:3');
    const others = await newJob('b', 10);
    expect(await opened(others)).toBe('0:1 1:2 2:3');
  });

  it('counts a chunk once, even if several workers finish it', async () => {
    const key = await newJob('a', 3);
    await opened(key);
    for (const chunk of [0, 0, 1, 0]) await opened(key, chunk);
    expect(await state.progress(key)).toMatchObject({
      rowsDone: 2_000,
      found: 1_800,
      absent: 160,
      invalid: 30,
      failed: 10,
    });
    const last = await state.advance(key, { chunk: 2, head: CHUNK_HEAD });
    expect(last).toEqual({ state: 'running', isComplete: true, opened: [] });
  });

  it('registers a job from the disk, unless Redis has the job', async () => {
    const key = newJobKey();
    expect(await opened(key)).toBe('unknown');
    const heads = new Map([
      [0, CHUNK_HEAD],
      [2, CHUNK_HEAD],
    ]);
    await state.takeUp(key, manifest('a', 5), heads, null);
    expect(await state.progress(key)).toMatchObject({ rowsDone: 2_000, chunks: 5 });
    expect(await opened(key)).toBe('1:1 3:2 4:3');
    await state.takeUp(key, manifest('a', 5), new Map(), null);
    expect(await state.progress(key)).toMatchObject({ rowsDone: 2_000 });
  });

  it('frees the queue positions of a job that ends or is removed', async () => {
    const [first, second] = [await newJob('a', 10), await newJob('a', 10)];
    expect(await opened(first)).toBe('0:1 1:2 2:3');
    await state.end(first, { state: 'failed', endedAt: 2, reason: 'why' });
    expect(await opened(first, 0)).toBe('failed');
    expect(await state.progress(first)).toMatchObject({
      state: 'failed',
      endedAt: 2,
      reason: 'why',
      rowsDone: 0,
    });
    expect(await opened(second)).toBe('0:1 1:2 2:3');
    await state.forget(second);
    expect(await opened(await newJob('a', 10))).toBe('0:1 1:2 2:3');
    expect(await state.keys()).toHaveLength(2);
  });

  describe('the list of an API key', () => {
    async function owned(id: string, createdAt: number): Promise<JobKey> {
      const key = newJobKey();
      await state.takeUp(key, manifestOf({ owner: 'key:a', client: 'a', id, createdAt }), new Map(), null);
      return key;
    }
    const ids = async (most = 10) => (await state.listOf('a', most)).map(({ id }) => id);

    it('has the newest jobs first, up to the limit', async () => {
      for (const [id, createdAt] of [
        ['middle', 2],
        ['newest', 3],
        ['oldest', 1],
      ] as const)
        await owned(id, createdAt);
      await newJob('a', 1);
      expect(await ids()).toEqual(['newest', 'middle', 'oldest']);
      expect(await ids(2)).toEqual(['newest', 'middle']);
      expect((await state.listOf('a', 1))[0]?.progress).toMatchObject({
        state: 'running',
        createdAt: 3,
        rows: 1,
      });
    });

    it('has no removed jobs, and no jobs that Redis has lost', async () => {
      const [first, second] = [await owned('first', 1), await owned('second', 2)];
      await state.forget(second);
      expect(await ids()).toEqual(['first']);
      await parts.server.client.del(`{t}:job:${first}`);
      expect(await ids()).toEqual([]);
      expect(await parts.server.client.keys('*:of:*')).toEqual([]);
    });
  });

  it('lets one process at a time maintain the jobs', async () => {
    expect(await state.isMaintainer('one', 60_000)).toBe(true);
    expect([await state.isMaintainer('other', 60_000), await state.isMaintainer('one', 60_000)]).toEqual([
      false,
      true,
    ]);
  });
});
