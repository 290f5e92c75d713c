// The composition root: builds every part once.

import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { createClientSource } from './app/clients.ts';
import { createFaces } from './app/faces.ts';
import { type Limits, limitsOf } from './app/limits.ts';
import type { LiveSourceParts } from './app/live-directory.ts';
import { createSource, NO_CACHE } from './app/source.ts';
import { createTracer } from './app/tracing.ts';
import type { Config } from './config.ts';
import type { Clock, Directory } from './directory/directory.ts';
import { documentFault } from './graphql/document.ts';
import {
  loadOperationManifest,
  NO_MANIFEST,
  type OperationManifest,
  OperationManifestError,
} from './graphql/persisted/operation-manifest.ts';
import type { RandomSource } from './handle/choose-location.ts';
import { createMetricsPage, type ReadMetrics } from './http/ops/metrics-page.ts';
import { createHealthPage, createReadinessPage, type Readiness } from './http/ops/readiness-page.ts';
import type { Jobs } from './jobs/jobs.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics, watchWork } from './metrics.ts';
import type { Tracer } from './tracing/tracer.ts';
import { createTroubleLog, REAL_TIMER } from './trouble-log.ts';
import { createWorkAccount, type WorkAccount, type WorkMemorySizes } from './work/account.ts';
import { cacheSizes, workMemorySizes } from './work/memory-sizes.ts';

export interface App {
  /** answers a request to the GraphQL side in-process */
  readonly fetch: (request: Request) => Promise<Response>;
  /** the same for node:http, and the proxy's REST face, which needs paths as they come */
  readonly listener: RequestListener;
  /** the pages for operators alone, for the connections to OPS_ADDRESS */
  readonly opsListener: RequestListener;
  readonly directory: Directory;
  /** how many ids the manifest has */
  readonly persistedOperations: number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** of all work in hand */
  readonly account: WorkAccount;
  /** reads the file of API keys again; a file that cannot be used is logged, and the keys stay */
  reloadKeys(): Promise<void>;
  /** lets readiness fall, before the server stops */
  announceStop(): void;
  /** lets go of everything that was opened */
  dispose(): Promise<void>;
}

/** Parts that a test or an embedding program gives instead of parts from the configuration. */
export interface AppParts {
  readonly directory?: Directory;
  readonly log?: Log;
  readonly random?: RandomSource;
  /** decides how long a response may be kept */
  readonly clock?: Clock;
  readonly readiness?: Readiness;
  /** how long after the start look-ups wait for the first connection; left out: as long as in any outage */
  readonly firstConnectionMs?: number;
  /** of requests to the directory and to agencies */
  readonly time?: LiveSourceParts['time'];
  /** what /metrics answers in place of this app's own metrics */
  readonly readMetrics?: ReadMetrics;
  readonly tracer?: Tracer;
  readonly workMemorySizes?: WorkMemorySizes;
  /** Yoga executes every operation: tests compare the gateway's own executor with it */
  readonly yogaExecutesAll?: boolean;
  /** in place of those that limitsOf gives */
  readonly limits?: Partial<Limits>;
}

/** Rejects with a DirectoryFileError, an OperationManifestError or an ApiKeysError when a file cannot be used. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<App> {
  const log = parts.log ?? createLog(config.LOG_LEVEL);
  const random = parts.random ?? Math.random;
  const clock = parts.clock ?? Date.now;
  const metrics = createMetrics();
  const limits = { ...limitsOf(config), ...parts.limits };
  const caches = cacheSizes(config.CACHE_MAX_BYTES, freeHeapBytes());
  // Before anything is opened that would have to be closed again.
  const manifest = await loadManifest(config, limits);
  const source = await createClientSource(config, limits, log, clock);
  const tracer = parts.tracer ?? (await createTracer(config, log));
  const { directory, cache } = parts.directory
    ? { directory: parts.directory, cache: NO_CACHE }
    : await createSource(config, {
        limits,
        caches,
        log,
        metrics,
        firstConnectionMs: parts.firstConnectionMs,
        time: parts.time,
      });
  const readMetrics = parts.readMetrics ?? (() => metrics.registry.metrics());
  const readiness = parts.readiness ?? {
    directory: () => directory.status(),
    cache,
    jobs: () => jobs?.redis() ?? 'off',
  };
  const trouble = createTroubleLog(log);
  const account = createWorkAccount(
    parts.workMemorySizes ?? workMemorySizes(freeHeapBytes(), caches, config.MAX_BODY_BYTES),
    {
      deadlineMs: config.OPERATION_DEADLINE_MS,
      setTimer: REAL_TIMER,
      trouble,
    },
  );
  watchWork(metrics, account);
  let stopping = false;
  const jobs = await openJobs(config, limits, log, metrics, clock).catch(async (error: unknown) => {
    source.close();
    await directory.close();
    throw error;
  });
  const router = createFaces({
    jobs: jobs?.routes ?? [],
    config,
    limits,
    directory,
    clients: source.clients,
    account,
    caches,
    tracer,
    log,
    random,
    clock,
    metrics,
    manifest,
    yogaExecutesAll: parts.yogaExecutesAll ?? false,
    ops: {
      health: createHealthPage(log),
      readiness: createReadinessPage(readiness, () => stopping, log),
      metrics: createMetricsPage(metrics, readMetrics, log, clock),
    },
  });
  jobs?.start(router.fetch);
  return {
    fetch: (request) => router.fetch(request),
    listener: router.listener,
    opsListener: router.opsListener,
    directory,
    persistedOperations: manifest.size,
    log,
    metrics,
    account,
    reloadKeys: source.reloadKeys,
    announceStop() {
      stopping = true;
      jobs?.announceStop();
    },
    async dispose() {
      await jobs?.close();
      trouble.close();
      source.close();
      await directory.close();
      if (tracer === null) return;
      // Connections that a stop has cut off report their end at the end of a turn of the event loop.
      await nextTurn();
      await nextTurn();
      await tracer.close();
    },
  };
}

/** The part of the heap limit beside the existing objects. */
function freeHeapBytes(): number {
  const { heap_size_limit: limitBytes, used_heap_size: usedBytes } = getHeapStatistics();
  return limitBytes - usedBytes;
}

/** Loads the queue's packages only where there are jobs. */
async function openJobs(
  config: Config,
  limits: Limits,
  log: Log,
  metrics: Metrics,
  clock: Clock,
): Promise<Jobs | null> {
  if (config.JOBS_REDIS_URL === null) return null;
  const { createJobs } = await import('./jobs/jobs.ts');
  return createJobs({ config, limits, log, metrics, clock });
}

async function loadManifest(config: Config, limits: Limits): Promise<OperationManifest> {
  const { PERSISTED_OPERATIONS: file, PERSISTED_ONLY: only } = config;
  if (file === null) return NO_MANIFEST;
  const manifest = await loadOperationManifest(file, documentFault(limits.queryTokens));
  if (only && manifest.size === 0) {
    throw new OperationManifestError(file, [
      'the file has no operations, and PERSISTED_ONLY executes no others',
    ]);
  }
  return manifest;
}
