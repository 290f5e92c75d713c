// There are limits on the jobs and bytes of a client and of all clients. Ended jobs are deleted for new jobs.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobKey } from '../../src/jobs/job-id.ts';
import {
  createJobState,
  type JobClient,
  type JobLimits,
  type JobState,
} from '../../src/jobs/queue/job-state.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { type JobRedis, manifestOf, newJobKey, startJobRedis } from './job-folder.ts';
import { CHUNK_HEAD, openedChunks } from './opened-chunks.ts';

const LIMITS: JobLimits = { clientJobs: 3, clientBytes: 1_000, jobs: 5, bytes: 2_000 };
describe.skipIf(withoutRedis('the limits of jobs'))('the limits of jobs', () => {
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

  const opened = (key: JobKey, done: number | null = null) => openedChunks(state, key, done);

  const anonymous = (mark: string) => ({ mark, isAnonymous: true });
  const withKey = (mark: string) => ({ mark, isAnonymous: false });
  /** The exceeded limit. */
  const limitFor = async (client: JobClient, bytes: number, key = newJobKey()) =>
    (await state.admit(key, client, bytes))?.limit ?? null;
  const admit = (mark: string, bytes: number) => limitFor(withKey(mark), bytes);

  it('apply to the jobs and bytes of a client, and to the jobs and bytes of all clients', async () => {
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

  it('select for deletion the oldest ended job of the client with most ended jobs', async () => {
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

  it('select, for a client without a key, a job without a key, even if jobs with a key are older', async () => {
    for (const mark of ['a', 'b', 'c']) await endedJob(withKey(mark), 1);
    const own = await endedJob(anonymous('d'), 2);
    await endedJob(anonymous('e'), 3);
    const excess = await state.admit(newJobKey(), anonymous('f'), 0);
    expect(excess).toEqual({ limit: 'anonymousJobs', victim: own });
  });

  it('select an ended job if its bytes are needed, but no job if its bytes are not enough', async () => {
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

  it('count the largest possible result while a job runs, and the real result after its end', async () => {
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
    expect(await bytes()).toBe(100 + CHUNK_HEAD.bytes);
  });
});
