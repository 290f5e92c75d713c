// Tests of jobs use these parts: a folder, a Redis, a job in the folder, and a directory that waits.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, Redis } from 'ioredis';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { createJobId, type JobKey, jobKeyOf } from '../../src/jobs/job-id.ts';
import { connectForRequests } from '../../src/jobs/queue/queue-connection.ts';
import {
  createJobStore,
  type JobManifest,
  type JobStore,
  type JobTask,
} from '../../src/jobs/store/job-store.ts';
import { createFakeDirectory, type FakeDirectory } from '../support/fake-directory.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

export interface JobRedis {
  readonly server: RedisServer;
  /** a connection with the options of the gateway */
  readonly redis: Redis | Cluster;
  close(): Promise<void>;
}

/** Resolves when Redis is ready. */
export async function startJobRedis(): Promise<JobRedis> {
  const server = await startRedisServer();
  const redis = connectForRequests(redisUrl.parse(server.url));
  redis.on('error', () => {});
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  return {
    server,
    redis,
    async close() {
      redis.disconnect();
      await server.close();
    },
  };
}

export interface JobFolder {
  readonly path: string;
  readonly store: JobStore;
  remove(): Promise<void>;
}

export async function openJobFolder(): Promise<JobFolder> {
  const path = await mkdtemp(join(tmpdir(), 'doi-gateway-jobs-'));
  const store = createJobStore(path);
  await store.open();
  return { path, store, remove: () => rm(path, { recursive: true, force: true }) };
}

export function newJobKey(): JobKey {
  return jobKeyOf(createJobId()) as JobKey;
}

const WORK = { shape: {} } as JobTask;

export function manifestOf(parts: Partial<JobManifest>): JobManifest {
  return {
    version: 1,
    owner: null,
    client: 'c',
    createdAt: 1,
    rows: 1,
    offsets: [0, 1],
    work: WORK,
    ...parts,
  };
}

/** Writes a job into the folder. */
export async function publishJob(
  store: JobStore,
  key: JobKey,
  rows: readonly string[] = ['row'],
): Promise<JobManifest> {
  const upload = await store.upload(key);
  for (const row of rows) await upload.add(row, 1);
  await upload.finish();
  await upload.close();
  const manifest = manifestOf({ rows: rows.length, offsets: upload.offsets });
  await store.publish(key, manifest);
  return manifest;
}

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export interface GatedDirectory extends FakeDirectory {
  /** resolves at the first look-up of the name */
  readonly reached: Promise<void>;
  open(): void;
}

/** A directory whose look-up of one name waits for `open`. */
export function createGatedDirectory(name: string): GatedDirectory {
  const gate = createGate();
  const reached = createGate();
  const fake = createFakeDirectory();
  return {
    ...fake,
    reached: reached.opened,
    open: gate.open,
    async resolve(requested, options) {
      if (requested === name) {
        reached.open();
        await gate.opened;
      }
      return fake.resolve(requested, options);
    },
  };
}
