// Gateways with jobs that share one Redis and one folder, and requests of a client.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, vi } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import type { JobView } from '../../src/jobs/http/job-progress.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

export interface JobFleet {
  readonly redis: RedisServer;
  /** JOBS_DIR */
  readonly folder: string;
  /** Starts one more gateway. */
  start(parts?: AppParts, env?: Environment): Promise<ListeningGateway>;
  /** the folders of jobs on disk */
  jobsOnDisk(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function createJobFleet(env: Environment = {}): Promise<JobFleet> {
  const redis = await startRedisServer();
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-jobs-'));
  const gateways: ListeningGateway[] = [];
  return {
    redis,
    folder,
    async start(parts = {}, more = {}) {
      const gateway = await startGateway(parts, {
        JOBS_REDIS_URL: redis.url,
        JOBS_DIR: folder,
        ...env,
        ...more,
      });
      gateways.push(gateway);
      return gateway;
    },
    jobsOnDisk: () => readdir(join(folder, 'jobs')),
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await redis.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A fleet that is closed at the end of a test. */
export async function newFleet(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  env: Environment = {},
): Promise<JobFleet> {
  const fleet = await createJobFleet(env);
  onTestFinished(() => fleet.close());
  return fleet;
}

export const JOB_HEADER = { 'x-doi-gateway': 'jobs' };

/** Uploads a file. */
export function uploadTo(
  { url }: ListeningGateway,
  body: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/jobs${query}`, {
    method: 'POST',
    headers: { ...JOB_HEADER, 'content-type': 'application/octet-stream', ...headers },
    body,
  });
}

/** The address of the new job. */
export async function addressOf(response: Response): Promise<string> {
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

export async function jobAt({ url }: ListeningGateway, address: string): Promise<JobView> {
  const response = await fetch(url + address);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as JobView;
}

/** Resolves when the job has ended. The event stream reports the end up to a second later. */
export function ended(
  { url }: ListeningGateway,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<JobView> {
  return vi.waitUntil(
    async () => {
      const job = (await (await fetch(url + address, { headers })).json()) as JobView;
      return job.endedAt !== null && job;
    },
    { timeout: 50_000, interval: 20 },
  );
}

export async function resultOf({ url }: ListeningGateway, address: string): Promise<string> {
  const response = await fetch(`${url}${address}/result`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}

/** The message of the first error of a response. */
export async function messageOf(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return errors[0]?.message ?? '';
}
