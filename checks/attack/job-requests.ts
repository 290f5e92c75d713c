// Requests for jobs: functions that start and delete jobs, and attacks that upload files.

import { createHash } from 'node:crypto';
import { requestBytes } from '../../bench/http-bytes.ts';
import { type Attack, type Each, type ParallelOptions, parallel, uncachedNames } from './attack.ts';
import { list } from './requests.ts';

export const JOB_HEADERS = { 'x-doi-gateway': 'jobs' };

const DELETED_AT_ONCE = 20;

/** The API keys of the gateway with jobs. */
const KEYS = ['flooding', 'honest'] as const;
type Key = (typeof KEYS)[number];

/** The content of the gateway's file of API keys. */
export const keysFile = (): string =>
  JSON.stringify(KEYS.map((name) => ({ name, sha256: createHash('sha256').update(name).digest('hex') })));

export const withKey = (key: Key): Readonly<Record<string, string>> => ({
  ...JOB_HEADERS,
  authorization: `Bearer ${key}`,
});

/**
 * Starts a job with uncached names and resolves with its path. The directory responds only after 400 ms, so that a job of
 * 100 names takes about a second, and a job of 9,000 names about a minute.
 */
export async function startJob(
  port: number,
  count: number,
  behaviour: 'slow' | 'ordinary' = 'slow',
  query = '?',
): Promise<string> {
  const names = list(Math.ceil(count / 1_000), () => uncachedNames(Math.min(count, 1_000), behaviour)).flat();
  const body = `doi\n${names.join('\n')}\n`;
  const address = `http://127.0.0.1:${port}/jobs${query}`;
  const response = await fetch(address, { method: 'POST', headers: JOB_HEADERS, body });
  if (response.status !== 201) throw new Error(`no job: ${await response.text()}`);
  return ((await response.json()) as { job: string }).job;
}

/** Deletes the jobs of an attack, so that they do not run during the next attack. The client with the key owns them. */
export const deleteJobs =
  (headers: Readonly<Record<string, string>> = JOB_HEADERS) =>
  async (port: number, jobs: readonly string[]): Promise<void> => {
    const rest = jobs.values();
    const deletions = list(DELETED_AT_ONCE, async () => {
      for (const job of rest) await fetch(`http://127.0.0.1:${port}${job}`, { method: 'DELETE', headers });
    });
    await Promise.all(deletions);
  };

export const onJobs = (name: string, bytes: Each<Buffer>, options: ParallelOptions): Attack[] =>
  parallel({ [`/jobs, ${name}`]: [bytes, { gateway: 'jobs', clean: deleteJobs(), ...options }] });

export function uploads(name: string, body: string, options: ParallelOptions, query = ''): Attack[] {
  const headers = { ...JOB_HEADERS, connection: 'close' };
  const bytes = requestBytes({ target: `/jobs?${query}`, headers, body });
  return onJobs(name, bytes, { from: 'many', ...options });
}
