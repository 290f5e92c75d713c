// A chunk fails its job if workers die, but not if the directory is down.

import { describe, expect, test } from 'vitest';
import type { JobCourse } from '../../src/jobs/job-course.ts';
import type { JobKey } from '../../src/jobs/job-id.ts';
import type { JobState } from '../../src/jobs/queue/job-state.ts';
import { type AnswerChunk, type AnsweredChunk, createChunkRunner } from '../../src/jobs/run-chunk.ts';
import type { JobStore } from '../../src/jobs/store/job-store.ts';
import { createMetrics } from '../../src/metrics.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';

const KEY = 'a-job' as JobKey;

/** More than MAX_WORKER_DEATHS. */
const MANY = 30;

/** Fakes with only the functions that the work on a chunk calls. */
function createWork(answer: AnswerChunk) {
  let begun = 0;
  let jobState = 'running';
  let written: Uint8Array | null = null;
  const failures: string[] = [];
  const done: number[] = [];
  const store = {
    manifest: async () => ({ work: 'work' }),
    input: async () => ['10.1000/1'],
    chunkHead: async () => (written === null ? null : {}),
    writeChunk: async (_key: JobKey, _chunk: number, body: Uint8Array) => {
      written = body;
    },
  };
  const state = {
    progress: async () => ({ state: jobState }),
    countBegun: async (_key: JobKey, _chunk: number, by: number) => {
      begun += by;
      return begun;
    },
  };
  const course = {
    continueJob: async (_key: JobKey, { chunk }: { chunk: number }) => done.push(chunk) > 0,
    fail: async (_key: JobKey, reason: string) => {
      failures.push(reason);
    },
  };
  const chunkWork = createChunkRunner({
    store: store as unknown as JobStore,
    state: state as unknown as JobState,
    course: course as unknown as JobCourse,
    answer,
    troubles: { warn: () => undefined } as never,
    metrics: createMetrics().jobs,
  });
  const fail = (): void => {
    jobState = 'failed';
  };
  return { ...chunkWork, failures, done, fail, begun: () => begun };
}

const summary = (failed: number) => ({ ...countsBy(() => 0), rows: 1, added: 0, absent: 1 - failed, failed });
const answered = (failed: number, mustWait = failed > 0): AnsweredChunk => ({
  body: Buffer.from('row\n'),
  isTooLarge: false,
  summary: summary(failed),
  retryableRows: failed,
  mustWait,
});

describe('a chunk', () => {
  test('does not fail its job if the directory is down for many attempts', async () => {
    let isAway = true;
    const { run, failures, done } = createWork(async () => answered(isAway ? 1 : 0));
    for (let attempt = 0; attempt < MANY; attempt += 1)
      await expect(run(KEY, 0, attempt)).rejects.toThrow('some look-ups of the chunk failed');
    isAway = false;
    await run(KEY, 0, MANY);
    expect({ failures, done }).toEqual({ failures: [], done: [0] });
  });

  test('is written after a few attempts if only the look-ups of an agency fail', async () => {
    const { run, done } = createWork(async () => answered(1, false));
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(run(KEY, 0, attempt)).rejects.toThrow();
    await run(KEY, 0, 3);
    expect(done).toEqual([0]);
  });

  test('does not fail its job if its attempts throw', async () => {
    const { run, failures } = createWork(() => Promise.reject(new Error('the disk is full')));
    for (let attempt = 0; attempt < MANY; attempt += 1)
      await expect(run(KEY, 0, attempt)).rejects.toThrow('the disk is full');
    expect(failures).toEqual([]);
  });

  test('fails its job if it kills many workers', async () => {
    let begun = 0;
    const { run, failures } = createWork(() => {
      begun += 1;
      // If a process is killed, its work never ends, and the count of its attempts remains.
      return new Promise<never>(() => undefined);
    });
    for (let attempt = 0; attempt < MANY && failures.length === 0; attempt += 1) {
      void run(KEY, 0, attempt);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(failures).toEqual(['The gateway could not process a part of the file.']);
    expect(begun).toBe(20);
  });
});

describe('running work', () => {
  /** Starts work that only its signal ends. */
  async function startWork() {
    const made = createWork(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const working = made.run(KEY, 0, 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.begun()).toBe(1);
    return { ...made, working };
  }

  test('returns to the queue when its process stops, and does not count as the end of a worker', async () => {
    const { working, stop, begun } = await startWork();
    stop(new Error('the worker stops'));
    await expect(working).rejects.toThrow('the worker stops');
    expect(begun()).toBe(0);
  });

  test('ends without an error when its job has ended', async () => {
    const { working, abortStopped, fail, done } = await startWork();
    await abortStopped();
    fail();
    await abortStopped();
    await working;
    expect(done).toEqual([]);
  });
});
