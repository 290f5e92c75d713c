// On a full disk or quota, an upload gets 503 and leaves nothing, and no job is lost.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createReceiver } from '../../src/jobs/http/receive-job.ts';
import type { JobCourse } from '../../src/jobs/job-course.ts';
import type { JobKey } from '../../src/jobs/job-id.ts';
import type { JobState } from '../../src/jobs/queue/job-state.ts';
import type { JobStore } from '../../src/jobs/store/job-store.ts';
import { createTurns } from '../../src/turns.ts';
import { createHttpRequest } from '../support/http-request.ts';
import { type JobFolder, openJobFolder } from './job-folder.ts';

let folder: JobFolder;
beforeEach(async () => {
  folder = await openJobFolder();
  return () => folder.remove();
});

const full = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

/** The real folder, where one step of an upload fails. */
function storeThatFails(step: string, code: string): JobStore {
  const { store } = folder;
  if (step === 'create') return { ...store, upload: full(code) };
  if (step === 'publish') {
    return {
      ...store,
      async publish(key, manifest) {
        await store.publish(key, manifest);
        await full(code)();
      },
    };
  }
  return {
    ...store,
    upload: async (key) => Object.assign(await store.upload(key), { [step]: full(code) }),
  };
}

const CASES = ['create', 'add', 'finish', 'publish'].flatMap((step) =>
  ['ENOSPC', 'EDQUOT'].map((code) => [step, code] as const),
);

test.each(CASES)(
  'an upload whose step “%s” fails with %s gets 503 with a time to wait, and leaves no files',
  async (step, code) => {
    const store = storeThatFails(step, code);
    const admitted = new Set<JobKey>();
    const state = {
      async admit(key: JobKey) {
        admitted.add(key);
        return null;
      },
    } as unknown as JobState;
    const course = {
      takeUp: async () => true,
      async remove(key: JobKey) {
        await folder.store.remove(key);
        admitted.delete(key);
      },
    } as unknown as JobCourse;
    const config = { MAX_JOB_BYTES: 1_000_000 };
    const receive = createReceiver({
      ...{ store, state, course, config },
      turns: createTurns(),
      clock: () => 1,
      matchesReferences: false,
    });
    const request = createHttpRequest('/jobs?fields=name', {
      method: 'POST',
      body: '10.1000/1\n'.repeat(5_000),
    });
    await expect(receive(request)).rejects.toMatchObject({
      code: 'GATEWAY_BUSY',
      httpStatus: 503,
      details: { retryAfterSeconds: 60 },
      message: expect.stringContaining('disk of the gateway is full'),
    });
    expect([...admitted]).toEqual([]);
    for (const part of ['uploads', 'jobs', 'removed']) {
      expect(await readdir(join(folder.path, part))).toEqual([]);
    }
  },
);
