// Attacks with many parallel uploads to /jobs, or many streams of the events of jobs. With some of them, small jobs of
// another client run at the same time and must succeed.

import { requestBytes } from '../../http-bytes.ts';
import { type Attack, cold, type ParallelBytes, type ParallelOptions, parallel } from '../attack.ts';
import { letters, list, times } from '../requests.ts';

/** The number of jobs that one client may have in the queue (src/app/limits.ts). */
const SMALL_JOBS = 4;
const SMALL_NAMES = 100;
/** the number of lines of two bytes in a megabyte */
const LINES_OF_MEGABYTE = 500_000;
const JOB_HEADERS = { 'x-doi-gateway': 'jobs' };

const keys = (count: number, key: (n: number) => string): string =>
  `${JSON.stringify({ doi: 'a', ...Object.fromEntries(list(count, (n) => [key(n), ''])) })}\n`;
const LONG_NAMES = `doi,${list(1_990, (n) => n + letters(25)).join()}\n`;

/** Files that one client uploads ten times in parallel, and the query of the upload. */
const FILES: Readonly<Record<string, readonly [query: string, file: string]>> = {
  'tiny quoted rows over two lines': ['fields=name', `doi\n${'"a\n"\n'.repeat(LINES_OF_MEGABYTE / 2)}`],
  'rows with a quotation mark out of place': [
    'fields=name',
    `doi\n${'a"b"\n'.repeat(LINES_OF_MEGABYTE / 2)}`,
  ],
  'tiny rows': ['fields=name', 'a\n'.repeat(LINES_OF_MEGABYTE)],
  'tiny rows, all quoted': ['fields=name', `doi\n${'"a"\n'.repeat(800_000)}`],
  'JSON Lines: 1,991 keys, then {}, to CSV': [
    'fields=name&format=csv&column=doi',
    keys(1_990, (n) => `k${n}`) + '{}\n'.repeat(20_000),
  ],
  'CSV: 59 kB of names of columns, to JSON Lines': [
    'fields=name&format=jsonl',
    LONG_NAMES + `a${','.repeat(1_990)}\n`.repeat(500),
  ],
  'JSON Lines: 36,001 keys': ['fields=name&column=doi', keys(36_000, (n) => n.toString(36))],
};
/** A file whose job takes longer than the small jobs. */
const LONG_JOB = times(100_000, (n) => `10.5555/${n}\n`, '');
const HEAD = `doi${','.repeat(1_990)}\n`;
const wide = (bytes: number): string => HEAD + 'a\n'.repeat((bytes - HEAD.length) / 2);

/** Starts a job of new names and resolves with its path. Look-ups are slow: 100 names take a second, 9,000 a minute. */
async function startJob(port: number, count: number): Promise<string> {
  const names = list(Math.ceil(count / 1_000), () => cold(Math.min(count, 1_000), 'slow')).flat();
  const body = `doi\n${names.join('\n')}\n`;
  const response = await fetch(`http://127.0.0.1:${port}/jobs?`, {
    method: 'POST',
    headers: JOB_HEADERS,
    body,
  });
  if (response.status !== 201) throw new Error(`no job: ${await response.text()}`);
  return ((await response.json()) as { job: string }).job;
}

/** Deletes the jobs of an attack, so that they do not run during the next attack. */
async function deleteJobs(port: number, jobs: readonly string[]): Promise<void> {
  for (const job of jobs)
    await fetch(`http://127.0.0.1:${port}${job}`, { method: 'DELETE', headers: JOB_HEADERS });
}

const parallelRequests = (name: string, bytes: ParallelBytes, options: ParallelOptions): Attack[] =>
  parallel({ [`/jobs, ${name}`]: [bytes, { gateway: 'jobs', clean: deleteJobs, ...options }] });

function uploads(name: string, body: string, options: ParallelOptions, query = ''): Attack[] {
  const bytes = requestBytes({
    target: `/jobs?${query}`,
    headers: { ...JOB_HEADERS, connection: 'close' },
    body,
  });
  return parallelRequests(name, bytes, { manner: { from: 'many' }, ...options });
}

/** Starts jobs, then opens streams of their events. A stream ends when its job is done. */
function streams(name: string, count: number, names: number, options: ParallelOptions): Attack[] {
  const jobs: string[] = [];
  const bytes = (n: number): Buffer =>
    requestBytes({ target: jobs[n % count] ?? '', headers: { accept: 'text/event-stream' } });
  return parallelRequests(name, bytes, {
    async prepare(port) {
      for (let n = 0; n < count; n += 1) jobs[n] = await startJob(port, names);
    },
    clean: (port) => deleteJobs(port, jobs),
    ...options,
  });
}

/** A group: the attacks, and small jobs of another client at the same time. */
function withSmallJobs(group: string, attacks: readonly Attack[]): Attack[] {
  const options: ParallelOptions = { requestsAtOnce: [SMALL_JOBS], expect: 'allowed' };
  const small = streams(`small jobs during ${group}`, SMALL_JOBS, SMALL_NAMES, options);
  return [...attacks, ...small].map((attack) => ({ ...attack, group }));
}

export const parallelJobs: readonly Attack[] = [
  ...Object.entries(FILES).flatMap(([name, [query, file]], n) => {
    const options: ParallelOptions = { requestsAtOnce: [10], manner: { from: `127.9.9.${n + 1}` } };
    return withSmallJobs(name, uploads(`${name}, of one client`, file, options, query));
  }),
  ...withSmallJobs(
    'two jobs of 100,000 names',
    uploads('100,000 names', LONG_JOB, { requestsAtOnce: [2] }, 'fields=exists'),
  ),
  ...[4_000, 65_000].flatMap((bytes) =>
    uploads(`1,991 columns, ${bytes} bytes`, wide(bytes), { requestsAtOnce: [10, 50] }),
  ),
  ...uploads('ordinary files', `doi\n${times(1_000, (n) => `10.1/${n}`, '\n')}`, {}),
  ...streams('event streams of one job', 1, 9_000, {
    group: 'streams',
    requestsAtOnce: [1_002],
    manner: { from: '127.8.8.8', leaveAfterMs: 8_000 },
  }),
  ...streams('event streams of another client’s job during them', 1, 9_000, {
    group: 'streams',
    requestsAtOnce: [40],
    atOnce: 1,
    expect: 'allowed',
    manner: { from: '127.7.7.7', leaveAfterMs: 150 },
  }),
];
