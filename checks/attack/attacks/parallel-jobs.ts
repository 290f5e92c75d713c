// Attacks with many parallel uploads to /jobs, or with many streams of a job's events. During some of these attacks,
// another client runs small jobs, which must succeed.

import { requestBytes } from '../../../bench/http-bytes.ts';
import { poll } from '../../../bench/poll.ts';
import type { Attack, ParallelOptions } from '../attack.ts';
import { deleteJobs, onJobs, startJob, uploads } from '../job-requests.ts';
import { letters, list, times } from '../requests.ts';

const jsonLineWithKeys = (count: number, key: (n: number) => string): string =>
  `${JSON.stringify({ doi: 'a', ...Object.fromEntries(list(count, (n) => [key(n), ''])) })}\n`;
const LONG_COLUMN_NAMES = `doi,${list(1_990, (n) => n + letters(25)).join()}\n`;

/** Files that one client uploads ten times in parallel, and the query of the upload. */
const FILES: Readonly<Record<string, readonly [query: string, file: string]>> = {
  '250,000 tiny quoted rows, each with a line break': ['fields=name', `doi\n${'"a\n"\n'.repeat(250_000)}`],
  '250,000 rows with a quotation mark out of place': ['fields=name', `doi\n${'a"b"\n'.repeat(250_000)}`],
  '500,000 tiny rows': ['fields=name', 'a\n'.repeat(500_000)],
  '800,000 tiny quoted rows': ['fields=name', `doi\n${'"a"\n'.repeat(800_000)}`],
  'JSON Lines to CSV: a row with 1,991 keys, then 20,000 empty rows': [
    'fields=name&format=csv&column=doi',
    jsonLineWithKeys(1_990, (n) => `k${n}`) + '{}\n'.repeat(20_000),
  ],
  'CSV to JSON Lines: 1,991 column names of 59 kB together': [
    'fields=name&format=jsonl',
    LONG_COLUMN_NAMES + `a${','.repeat(1_990)}\n`.repeat(500),
  ],
  'JSON Lines: a row with 36,001 keys': [
    'fields=name&column=doi',
    jsonLineWithKeys(36_000, (n) => n.toString(36)),
  ],
};
/** A file of 100,000 names, whose job takes longer than the small jobs. */
const LONG_FILE = times(100_000, (n) => `10.5555/${n}\n`, '');
const HEAD = `doi${','.repeat(1_990)}\n`;
const csvWithWideHead = (bytes: number): string => HEAD + 'a\n'.repeat((bytes - HEAD.length) / 2);

/** Starts jobs, then opens streams of their events. A stream ends when its job is done. */
function streams(name: string, jobCount: number, namesPerJob: number, options: ParallelOptions): Attack[] {
  const jobs: string[] = [];
  const bytes = (n: number): Buffer =>
    requestBytes({ target: jobs[n % jobCount] ?? '', headers: { accept: 'text/event-stream' } });
  return onJobs(name, bytes, {
    async prepare(port) {
      for (let n = 0; n < jobCount; n += 1) jobs[n] = await startJob(port, namesPerJob);
    },
    clean: (port) => deleteJobs()(port, jobs),
    ...options,
  });
}

/** Runs a job whose result has 2 MB, then downloads the result many times. */
function downloads(
  name: string,
  headers: Readonly<Record<string, string>>,
  options: ParallelOptions,
  method = 'GET',
  times = 1,
): Attack[] {
  let job = '';
  const bytes = (): Buffer => {
    const request = requestBytes({ method, target: `${job}/result`, headers });
    return Buffer.concat(list(times, () => request));
  };
  return onJobs(name, bytes, {
    async prepare(port) {
      job = await startJob(
        port,
        8_000,
        'ordinary',
        '?fields=name,canonicalName,uri,urn,display,prefix,suffix,form',
      );
      const state = async () =>
        ((await (await fetch(`http://127.0.0.1:${port}${job}`)).json()) as { state: string }).state;
      const isDone = await poll(state, (now) => now === 'done', { withinMs: 30_000, everyMs: 100 });
      if (isDone !== 'done') throw new Error('The job is not done.');
    },
    clean: (port) => deleteJobs()(port, [job]),
    read: 'nothing',
    leaveAfterMs: 8_000,
    ...options,
  });
}

/**
 * A group: the attacks, and at the same time four small jobs of another client, which must succeed. A client may have
 * four chunks in the queue (src/app/limits.ts), and a hundred names are one chunk.
 */
function withSmallJobs(group: string, attacks: readonly Attack[]): Attack[] {
  const name = `small jobs of another client, during: ${group}`;
  const small = streams(name, 4, 100, { requestCounts: [4], expect: 'success' });
  return [...attacks, ...small].map((attack) => ({ ...attack, group }));
}

export const parallelJobs: readonly Attack[] = [
  ...Object.entries(FILES).flatMap(([name, [query, file]], n) => {
    const options = { requestCounts: [10], from: `127.9.9.${n + 1}` };
    return withSmallJobs(name, uploads(`${name}, from one client`, file, options, query));
  }),
  ...withSmallJobs(
    'two jobs of 100,000 names',
    uploads('100,000 names', LONG_FILE, { requestCounts: [2] }, 'fields=exists'),
  ),
  ...[4_000, 65_000].flatMap((bytes) =>
    uploads(`1,991 columns, ${bytes} bytes`, csvWithWideHead(bytes), { requestCounts: [10, 50] }),
  ),
  ...uploads('ordinary files of 1,000 names', `doi\n${times(1_000, (n) => `10.1/${n}`, '\n')}`, {}),
  ...streams('event streams of one job', 1, 9_000, {
    group: 'streams',
    requestCounts: [1_002],
    from: '127.8.8.8',
    leaveAfterMs: 8_000,
  }),
  ...streams('event streams of another client’s job, while 1,002 streams of one job are open', 1, 9_000, {
    group: 'streams',
    requestCounts: [40],
    atOnce: 1,
    expect: 'success',
    from: '127.7.7.7',
    leaveAfterMs: 150,
  }),
  ...downloads('results, never read', {}, { requestCounts: [1_000, 5_200] }),
  ...downloads('results, never read, many addresses', {}, { requestCounts: [5_200], from: 'many' }),
  ...downloads('results, never read, two addresses', {}, { requestCounts: [4_000], from: '127.5.5.5' }),
  ...downloads('results, read every second', {}, { requestCounts: [2_000], read: { everyMs: 1_000 } }),
  ...downloads(
    'results, compressed, never read',
    { 'accept-encoding': 'br, gzip' },
    { requestCounts: [5_200] },
  ),
  ...downloads('ranges of results, never read', { range: 'bytes=1000-' }, { requestCounts: [5_200] }),
  ...downloads('the last byte of results, never read', { range: 'bytes=-1' }, { requestCounts: [5_200] }),
  ...downloads(
    'the first 64 kB of results, never read',
    { range: 'bytes=0-65535' },
    { requestCounts: [5_200] },
  ),
  ...downloads('HEAD of results, never read', {}, { requestCounts: [5_200] }, 'HEAD'),
  ...downloads('results in pipelines, never read', {}, { requestCounts: [1_000] }, 'GET', 32),
  ...downloads('results, left after 100 ms', {}, { requestCounts: [5_200], leaveAfterMs: 100 }),
  ...streams('unread event streams', 20, 500, {
    requestCounts: [1_500],
    from: 'many',
    read: 'nothing',
    leaveAfterMs: 6_000,
  }),
  ...downloads(
    'results, while 5,200 results are never read',
    {},
    {
      group: 'downloads',
      requestCounts: [20],
      atOnce: 1,
      read: { everyMs: 1 },
      from: '127.7.7.8',
      expect: 'success',
      leaveAfterMs: 6_000,
    },
  ),
  ...downloads('5,200 results, never read', {}, { group: 'downloads', requestCounts: [5_200] }),
];
