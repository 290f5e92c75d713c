// The fields of a job in its Redis hash.

import { countsBy, OUTCOME_NAMES, type OutcomeCounts } from '../../tools/bulk/row-outcomes.ts';
import type { ChunkHead } from '../store/chunk-files.ts';
import { hasReferences, type JobEnd, type JobManifest } from '../store/job-store.ts';

/** The state and counters of a job. */
export interface JobProgress extends OutcomeCounts {
  readonly state: 'uploading' | 'running' | 'done' | 'failed';
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** why the job failed, for its client; null if it did not fail */
  readonly reason: string | null;
  readonly rows: number;
  readonly rowsDone: number;
  readonly chunks: number;
}

/** The counters that a finished chunk changes: each name, followed by its increment. */
export function counterFields(head: ChunkHead): readonly (string | number)[] {
  return ['rowsDone', head.rows, 'rows', head.added, ...OUTCOME_NAMES.flatMap((name) => [name, head[name]])];
}

/** The fields of a job in its Redis hash: each name, followed by its value. */
export function fieldsOf(manifest: JobManifest, heads: readonly ChunkHead[], end: JobEnd | null): string[] {
  const chunks = manifest.offsets.length - 1;
  const sum = (count: (head: ChunkHead) => number) => heads.reduce((total, head) => total + count(head), 0);
  const isDone = end?.state === 'done';
  const inputBytes = manifest.offsets.at(-1) ?? 0;
  const written = isDone ? end.chunkBytes.reduce((a, b) => a + b, 0) : sum(({ bytes }) => bytes);
  const fields = {
    state: end?.state ?? 'running',
    client: manifest.client,
    anonymous: manifest.owner === null ? 1 : 0,
    createdAt: manifest.createdAt,
    rows: isDone ? end.rows : manifest.rows + sum(({ added }) => added),
    rowsDone: isDone ? end.rows : sum(({ rows }) => rows),
    chunks,
    chunksDone: isDone ? chunks : heads.length,
    next: 0,
    inputBytes,
    // While a job runs, `bytes` includes the largest possible size of its result.
    bytes: inputBytes + (end === null ? (manifest.resultBytes ?? written) : written),
    ...countsBy((name) => (isDone ? (end[name] ?? 0) : sum((head) => head[name]))),
    ...(manifest.id !== undefined && { id: manifest.id }),
    ...(hasReferences(manifest.work) && { references: 1 }),
    ...(end && { endedAt: end.endedAt }),
    ...(end?.state === 'failed' && { reason: end.reason }),
  };
  return Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);
}

export function progressOf(known: Readonly<Record<string, string | undefined>>): JobProgress {
  const number = (name: string) => Number(known[name] ?? 0);
  return {
    state: known['state'] as JobProgress['state'],
    createdAt: number('createdAt'),
    endedAt: known['endedAt'] === undefined ? null : number('endedAt'),
    reason: known['reason'] ?? null,
    rows: number('rows'),
    rowsDone: number('rowsDone'),
    chunks: number('chunks'),
    ...countsBy(number),
  };
}
