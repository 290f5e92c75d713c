// The chunks that enter the queue when a chunk of a job has ended.

import type { JobKey } from '../../src/jobs/job-id.ts';
import type { JobState } from '../../src/jobs/queue/job-state.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';

/** The counts of a chunk that has ended. */
export const CHUNK_HEAD = {
  ...countsBy(() => 0),
  added: 0,
  rows: 1_000,
  found: 900,
  absent: 80,
  invalid: 15,
  failed: 5,
  bytes: 10,
};

/** The chunks that entered the queue, with their priorities: `0:1 1:2`. The state of a job that does not run. */
export async function openedChunks(state: JobState, key: JobKey, done: number | null): Promise<string> {
  const advance = await state.advance(key, done === null ? null : { chunk: done, head: CHUNK_HEAD });
  if (advance.state !== 'running') return advance.state;
  return advance.opened.map(({ chunk, priority }) => `${chunk}:${priority}`).join(' ');
}
