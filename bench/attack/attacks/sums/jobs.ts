// Sums of uploads to /jobs, and of the streams of their events.

import { type RequestParts, requestBytes } from '../../../http-bytes.ts';
import { type Attack, list, times } from '../../attack.ts';
import { cold, sums } from './sum.ts';

const upload = (body: string): RequestParts => ({
  target: '/jobs',
  headers: { 'content-type': 'text/csv', 'x-doi-gateway': 'jobs', connection: 'close' },
  body,
});
const QUOTED = requestBytes(upload(`doi\n${'"a"\n'.repeat(800_000)}`));
const HEAD = `doi${','.repeat(1_990)}\n`;
const wide = (bytes: number): Buffer =>
  requestBytes(upload(`${HEAD}${'a\n'.repeat((bytes - HEAD.length) / 2)}`));

let job = '';

/** A job that takes minutes, for its directory is slow. */
async function startJob(port: number): Promise<void> {
  const { target, headers, body } = upload(
    `doi\n${list(9, () => cold(1_000, 'slow').join('\n')).join('\n')}\n`,
  );
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method: 'POST',
    headers: { ...headers },
    body: String(body),
  });
  ({ job } = (await response.json()) as { job: string });
}

const events = (): Buffer => requestBytes({ target: job, headers: { accept: 'text/event-stream' } });

export const jobSums: readonly Attack[] = [
  ...sums('/jobs, tiny quoted rows of one client', QUOTED, {
    gateway: 'jobs',
    at: [10],
    manner: { from: '127.9.9.9' },
  }),
  ...[4_000, 65_000].flatMap((bytes) =>
    sums(`/jobs, 1,991 columns, ${bytes} bytes`, wide(bytes), {
      gateway: 'jobs',
      at: [10, 50],
      manner: { from: 'many' },
    }),
  ),
  ...sums('/jobs, ordinary files', requestBytes(upload(`doi\n${times(1_000, (n) => `10.1/${n}`, '\n')}`)), {
    gateway: 'jobs',
    manner: { from: 'many' },
  }),
  ...sums('/jobs, event streams of one job', events, {
    gateway: 'jobs',
    at: [1_002],
    prepare: startJob,
    group: 'streams',
    manner: { from: '127.8.8.8', leaveAfterMs: 8_000 },
  }),
  ...sums('/jobs, streams of another client beside them', events, {
    gateway: 'jobs',
    at: [40],
    atOnce: 1,
    group: 'streams',
    expect: 'allowed',
    manner: { from: '127.7.7.7', leaveAfterMs: 150 },
  }),
];
