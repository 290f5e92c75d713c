// Sums of uploads to /jobs, and of the streams of their events, with small jobs of another client beside them.

import { type RequestParts, requestBytes } from '../../../http-bytes.ts';
import { type Attack, list, times } from '../../attack.ts';
import { FILES, LONG_JOB } from './job-files.ts';
import { cold, type SumOptions, sums } from './sum.ts';

/** As many as one client has in the queue at a time (src/app/limits.ts). */
const SMALL_JOBS = 4;
const SMALL_NAMES = 100;

const upload = (body: string, query = ''): RequestParts => ({
  target: `/jobs?${query}`,
  headers: { 'x-doi-gateway': 'jobs', connection: 'close' },
  body,
});
const HEAD = `doi${','.repeat(1_990)}\n`;
const wide = (bytes: number): Buffer =>
  requestBytes(upload(`${HEAD}${'a\n'.repeat((bytes - HEAD.length) / 2)}`));

/** Its directory is slow: 100 names take a second, 9,000 take a minute. Resolves with the path of the job. */
async function startJob(port: number, count: number): Promise<string> {
  const names = list(Math.ceil(count / 1_000), () => cold(Math.min(count, 1_000), 'slow')).flat();
  const { target, headers, body } = upload(`doi\n${names.join('\n')}\n`);
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method: 'POST',
    headers: { ...headers },
    body: String(body),
  });
  if (response.status !== 201) throw new Error(`no job: ${await response.text()}`);
  return ((await response.json()) as { job: string }).job;
}

/** What the jobs of one attack leave to do is not part of the next. */
async function deleteJobs(port: number, jobs: readonly string[]): Promise<void> {
  for (const job of jobs) {
    await fetch(`http://127.0.0.1:${port}${job}`, { method: 'DELETE', headers: { 'x-doi-gateway': 'jobs' } });
  }
}

const jobSum = (name: string, bytes: Parameters<typeof sums>[1], options: SumOptions): Attack[] =>
  sums(`/jobs, ${name}`, bytes, { gateway: 'jobs', clean: deleteJobs, ...options });

const events = (target: string): Buffer => requestBytes({ target, headers: { accept: 'text/event-stream' } });

/** The attack, and small jobs of another client beside it: the stream of a job's events ends when the job is done. */
function besideSmallJobs(group: string, attacks: readonly Attack[]): Attack[] {
  const jobs: string[] = [];
  const small = jobSum(`small jobs beside ${group}`, (n) => events(jobs[n] ?? ''), {
    at: [SMALL_JOBS],
    expect: 'allowed',
    async prepare(port) {
      for (let n = 0; n < SMALL_JOBS; n += 1) jobs[n] = await startJob(port, SMALL_NAMES);
    },
    clean: (port) => deleteJobs(port, jobs),
  });
  return [...attacks, ...small].map((attack) => ({ ...attack, group }));
}

/** Streams of the events of one job, which takes a minute. */
function streams(name: string, options: SumOptions): Attack[] {
  let job = '';
  return jobSum(name, () => events(job), {
    group: 'streams',
    async prepare(port) {
      job = await startJob(port, 9_000);
    },
    clean: (port) => deleteJobs(port, [job]),
    ...options,
  });
}

export const jobSums: readonly Attack[] = [
  ...Object.entries(FILES).flatMap(([name, [query, file]], n) =>
    besideSmallJobs(
      name,
      jobSum(`${name}, of one client`, requestBytes(upload(file, query)), {
        at: [10],
        manner: { from: `127.9.9.${n + 1}` },
      }),
    ),
  ),
  ...besideSmallJobs(
    'two jobs of 100,000 names',
    jobSum('100,000 names', requestBytes(upload(LONG_JOB, 'fields=exists')), {
      at: [2],
      manner: { from: 'many' },
    }),
  ),
  ...[4_000, 65_000].flatMap((bytes) =>
    jobSum(`1,991 columns, ${bytes} bytes`, wide(bytes), {
      at: [10, 50],
      manner: { from: 'many' },
    }),
  ),
  ...jobSum('ordinary files', requestBytes(upload(`doi\n${times(1_000, (n) => `10.1/${n}`, '\n')}`)), {
    manner: { from: 'many' },
  }),
  ...streams('event streams of one job', {
    at: [1_002],
    manner: { from: '127.8.8.8', leaveAfterMs: 8_000 },
  }),
  ...streams('streams of the job of another client beside them', {
    at: [40],
    atOnce: 1,
    expect: 'allowed',
    manner: { from: '127.7.7.7', leaveAfterMs: 150 },
  }),
];
