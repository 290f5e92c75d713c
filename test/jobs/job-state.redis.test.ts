// The state of jobs in Redis: each chunk is counted once, clients share the queue, and jobs have limits.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobKey } from '../../src/jobs/job-id.ts';
import {
  createJobState,
  type JobClient,
  type JobLimits,
  type JobState,
} from '../../src/jobs/queue/job-state.ts';
import type { JobManifest, JobTask } from '../../src/jobs/store/job-store.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';
import type { TableShape } from '../../src/tools/bulk/table-shape.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { type JobRedis, manifestOf, newJobKey, startJobRedis } from './job-parts.ts';

const LIMITS: JobLimits = { clientJobs: 3, clientBytes: 1_000, jobs: 5, bytes: 2_000 };
const HEAD = {
  ...countsBy(() => 0),
  added: 0,
  rows: 1_000,
  found: 900,
  absent: 80,
  invalid: 15,
  failed: 5,
  bytes: 10,
};

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

  /** The chunks that entered the queue, with their places: `0:1 1:2`. */
  async function opened(key: JobKey, done: number | null = null): Promise<string> {
    const advance = await state.advance(key, done === null ? null : { chunk: done, head: HEAD });
    if (advance.state !== 'running') return advance.state;
    return advance.opened.map(({ chunk, priority }) => `${chunk}:${priority}`).join(' ');
  }

  it('queues a few chunks of a client, and the next chunk when one ends', async () => {
    const key = await newJob('a', 10);
    expect(await opened(key)).toBe('0:1 1:2 2:3');
    expect(await opened(key)).toBe('');
    expect(await opened(key, 1)).toBe('3:3');
    expect(await opened(key, 1)).toBe('');
    const open = (await state.openChunks(key)).map(({ chunk }) => chunk);
    expect(open.toSorted((a, b) => a - b)).toEqual([0, 2, 3]);
  });

  it('queues the chunks of a job with references apart, and the job keeps its kind', async () => {
    const key = newJobKey();
    const shape = { referenceColumns: [0, 1] } as unknown as TableShape;
    const job = { ...manifest('a', 8), work: { shape } as JobTask };
    await state.takeUp(key, job, new Map(), null);
    const advance = await state.advance(key, null);
    const kinds = advance.state === 'running' ? advance.opened.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(['references', 'references', 'references']);
    expect((await state.openChunks(key)).map(({ kind }) => kind)).toEqual(kinds);
    // Redis has no kind of jobs of earlier versions. These jobs have names.
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
    const last = await state.advance(key, { chunk: 2, head: HEAD });
    expect(last).toEqual({ state: 'running', isComplete: true, opened: [] });
  });

  it('takes up a job from the disk, unless Redis has the job', async () => {
    const key = newJobKey();
    expect(await opened(key)).toBe('unknown');
    const heads = new Map([
      [0, HEAD],
      [2, HEAD],
    ]);
    await state.takeUp(key, manifest('a', 5), heads, null);
    expect(await state.progress(key)).toMatchObject({ rowsDone: 2_000, chunks: 5 });
    expect(await opened(key)).toBe('1:1 3:2 4:3');
    await state.takeUp(key, manifest('a', 5), new Map(), null);
    expect(await state.progress(key)).toMatchObject({ rowsDone: 2_000 });
  });

  it('frees the places of a job that ends or is removed', async () => {
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

  describe('the limits', () => {
    const anonymous = (mark: string) => ({ mark, isAnonymous: true });
    const withKey = (mark: string) => ({ mark, isAnonymous: false });
    /** The exceeded limit. */
    const limitFor = async (client: JobClient, bytes: number, key = newJobKey()) =>
      (await state.admit(key, client, bytes))?.limit ?? null;
    const admit = (mark: string, bytes: number) => limitFor(withKey(mark), bytes);

    it('apply to jobs and bytes, of a client and of all clients', async () => {
      expect(await admit('a', 400)).toBeNull();
      expect(await admit('a', 700)).toBe('clientBytes');
      expect([await admit('a', 0), await admit('a', 0), await admit('a', 0)]).toEqual([
        null,
        null,
        'clientJobs',
      ]);
      expect(await admit('b', 1_000)).toBeNull();
      expect(await admit('c', 601)).toBe('bytes');
      expect([await admit('c', 600), await admit('d', 0)]).toEqual([null, 'jobs']);
    });

    it('count the bytes of an upload while they arrive', async () => {
      const key = newJobKey();
      expect(await limitFor(withKey('a'), 600, key)).toBeNull();
      expect(await limitFor(withKey('a'), 400, key)).toBeNull();
      expect(await limitFor(withKey('a'), 1, key)).toBe('clientBytes');
    });

    /** Stores an ended job. A later job is newer. */
    async function endedJob({ mark, isAnonymous }: JobClient, createdAt: number, bytes = 10) {
      const key = newJobKey();
      const owner = isAnonymous ? null : `key:${mark}`;
      const job = manifestOf({ client: mark, owner, createdAt, offsets: [0, bytes] });
      await state.takeUp(key, job, new Map(), { state: 'failed', endedAt: 2, reason: 'why' });
      return key;
    }

    it('leave half of the jobs to clients with an API key', async () => {
      const limits = [];
      for (const mark of ['a', 'b', 'c', 'd']) limits.push(await limitFor(anonymous(mark), 0));
      expect(limits).toEqual([null, null, 'anonymousJobs', 'anonymousJobs']);
      const others = [];
      for (const mark of ['e', 'f', 'g', 'h']) others.push(await limitFor(withKey(mark), 0));
      expect(others).toEqual([null, null, null, 'jobs']);
      expect((await state.tally()).limitUse).toEqual({
        jobs: 1,
        bytes: 0,
        anonymousJobs: 1,
        anonymousBytes: 0,
      });
    });

    it('let ended jobs give way: the oldest job of the client that has most of them', async () => {
      const many: JobKey[] = [];
      for (let at = 0; at < 3; at += 1) many.push(await endedJob(withKey('many'), 10 + at));
      for (let at = 0; at < 2; at += 1) await endedJob(withKey('few'), at);
      const key = newJobKey();
      expect(await state.admit(key, withKey('new'), 0)).toEqual({ limit: 'jobs', victim: many[0] });
      await state.forget(many[0] as JobKey);
      expect(await state.admit(key, withKey('new'), 0)).toBeNull();
    });

    it('do not count ended jobs as jobs of their client', async () => {
      for (let at = 0; at < 4; at += 1) await endedJob(withKey('a'), at);
      expect(await admit('a', 0)).toBeNull();
    });

    it('delete no job of a client with an API key for a client without, unless those have more than half', async () => {
      for (const mark of ['a', 'b', 'c']) await endedJob(withKey(mark), 1);
      const own = await endedJob(anonymous('d'), 2);
      await endedJob(anonymous('e'), 3);
      const excess = await state.admit(newJobKey(), anonymous('f'), 0);
      expect(excess).toEqual({ limit: 'anonymousJobs', victim: own });
    });

    it('delete ended jobs for bytes, but none if the bytes of the other jobs are already too many', async () => {
      const victim = await endedJob(withKey('a'), 1, 900);
      expect(await state.admit(newJobKey(), withKey('a'), 101)).toEqual({ limit: 'clientBytes', victim });
      expect(await state.admit(newJobKey(), withKey('a'), 1_001)).toEqual({
        limit: 'clientBytes',
        victim: null,
      });
      expect(await state.admit(newJobKey(), withKey('b'), 1_000)).toBeNull();
      expect(await state.admit(newJobKey(), withKey('c'), 101)).toEqual({ limit: 'bytes', victim });
      expect(await state.admit(newJobKey(), withKey('c'), 1_000 + 1)).toEqual({
        limit: 'clientBytes',
        victim: null,
      });
    });

    it('leave half of the bytes to clients with an API key', async () => {
      expect(await limitFor(anonymous('a'), 600)).toBeNull();
      expect(await limitFor(anonymous('b'), 401)).toBe('anonymousBytes');
      expect(await limitFor(anonymous('b'), 400)).toBeNull();
      expect(await admit('c', 1_000)).toBeNull();
    });

    it('count jobs from the disk as jobs of clients without a key', async () => {
      const job = manifestOf({ client: 'a', owner: null, offsets: [0, 100], resultBytes: 900 });
      await state.takeUp(newJobKey(), job, new Map(), null);
      expect(await limitFor(anonymous('b'), 1)).toBe('anonymousBytes');
      expect(await admit('b', 1_000)).toBeNull();
    });

    it('count the largest possible result while a job runs, and then its real size', async () => {
      const key = newJobKey();
      const about = { client: 'a', offsets: [0, 40, 100], resultBytes: 800 };
      await state.takeUp(key, manifestOf(about), new Map(), null);
      const bytes = async () => (await state.tally()).bytes;
      expect(await bytes()).toBe(900);
      expect(await admit('a', 101)).toBe('clientBytes');
      await opened(key);
      await opened(key, 0);
      expect(await bytes()).toBe(900);
      await state.end(key, { state: 'failed', endedAt: 2, reason: 'why' });
      expect(await bytes()).toBe(100 + HEAD.bytes);
    });
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
