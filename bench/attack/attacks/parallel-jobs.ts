// Sums of uploads to /jobs, and of the streams of their events, with small jobs of another client beside them.

import { requestBytes } from '../../http-bytes.ts';
import { type Attack, cold, type SumBytes, type SumOptions, sums } from '../attack.ts';
import { letters, list, times } from '../requests.ts';

/** As many as one client has in the queue at a time (src/app/limits.ts). */
const SMALL_JOBS = 4;
const SMALL_NAMES = 100;
const LINES_OF_MEGABYTE = 500_000;
const OWN = { 'x-doi-gateway': 'jobs' };

const keys = (count: number, key: (n: number) => string): string =>
  `${JSON.stringify({ doi: 'a', ...Object.fromEntries(list(count, (n) => [key(n), ''])) })}\n`;
const LONG_NAMES = `doi,${list(1_990, (n) => n + letters(25)).join()}\n`;

/** Files that one client uploads ten times at once, and the query of the upload. */
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
  'CSV: 64 kB of names of columns, to JSON Lines': [
    'fields=name&format=jsonl',
    LONG_NAMES + `a${','.repeat(1_990)}\n`.repeat(500),
  ],
  'JSON Lines: 36,000 keys': ['fields=name&column=doi', keys(36_000, (n) => n.toString(36))],
};
/** Its job takes longer than the jobs beside it. */
const LONG_JOB = times(100_000, (n) => `10.5555/${n}\n`, '');
const HEAD = `doi${','.repeat(1_990)}\n`;
const wide = (bytes: number): string => HEAD + 'a\n'.repeat((bytes - HEAD.length) / 2);

/** The directory is slow: 100 names take a second, 9,000 take a minute. Resolves with the path of the job. */
async function startJob(port: number, count: number): Promise<string> {
  const names = list(Math.ceil(count / 1_000), () => cold(Math.min(count, 1_000), 'slow')).flat();
  const body = `doi\n${names.join('\n')}\n`;
  const response = await fetch(`http://127.0.0.1:${port}/jobs?`, { method: 'POST', headers: OWN, body });
  if (response.status !== 201) throw new Error(`no job: ${await response.text()}`);
  return ((await response.json()) as { job: string }).job;
}

/** So that the jobs of one attack do not go on in the next. */
async function deleteJobs(port: number, jobs: readonly string[]): Promise<void> {
  for (const job of jobs) await fetch(`http://127.0.0.1:${port}${job}`, { method: 'DELETE', headers: OWN });
}

const jobSum = (name: string, bytes: SumBytes, options: SumOptions): Attack[] =>
  sums({ [`/jobs, ${name}`]: [bytes, { gateway: 'jobs', clean: deleteJobs, ...options }] });

function uploads(name: string, body: string, options: SumOptions, query = ''): Attack[] {
  const bytes = requestBytes({ target: `/jobs?${query}`, headers: { ...OWN, connection: 'close' }, body });
  return jobSum(name, bytes, { manner: { from: 'many' }, ...options });
}

/** Streams of the events of jobs, which are started first. A stream ends when its job is done. */
function streams(name: string, count: number, names: number, options: SumOptions): Attack[] {
  const jobs: string[] = [];
  const bytes = (n: number): Buffer =>
    requestBytes({ target: jobs[n % count] ?? '', headers: { accept: 'text/event-stream' } });
  return jobSum(name, bytes, {
    async prepare(port) {
      for (let n = 0; n < count; n += 1) jobs[n] = await startJob(port, names);
    },
    clean: (port) => deleteJobs(port, jobs),
    ...options,
  });
}

/** The attack, and small jobs of another client beside it. */
function besideSmallJobs(group: string, attacks: readonly Attack[]): Attack[] {
  const options: SumOptions = { at: [SMALL_JOBS], expect: 'allowed' };
  const small = streams(`small jobs beside ${group}`, SMALL_JOBS, SMALL_NAMES, options);
  return [...attacks, ...small].map((attack) => ({ ...attack, group }));
}

export const jobSums: readonly Attack[] = [
  ...Object.entries(FILES).flatMap(([name, [query, file]], n) => {
    const options: SumOptions = { at: [10], manner: { from: `127.9.9.${n + 1}` } };
    return besideSmallJobs(name, uploads(`${name}, of one client`, file, options, query));
  }),
  ...besideSmallJobs(
    'two jobs of 100,000 names',
    uploads('100,000 names', LONG_JOB, { at: [2] }, 'fields=exists'),
  ),
  ...[4_000, 65_000].flatMap((bytes) =>
    uploads(`1,991 columns, ${bytes} bytes`, wide(bytes), { at: [10, 50] }),
  ),
  ...uploads('ordinary files', `doi\n${times(1_000, (n) => `10.1/${n}`, '\n')}`, {}),
  ...streams('event streams of one job', 1, 9_000, {
    group: 'streams',
    at: [1_002],
    manner: { from: '127.8.8.8', leaveAfterMs: 8_000 },
  }),
  ...streams('streams of the job of another client beside them', 1, 9_000, {
    group: 'streams',
    at: [40],
    atOnce: 1,
    expect: 'allowed',
    manner: { from: '127.7.7.7', leaveAfterMs: 150 },
  }),
];
