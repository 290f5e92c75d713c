// The composition root: builds every part once.

import { getHeapStatistics } from 'node:v8';
import { createClientAccess } from './app/client-access.ts';
import { type Limits, limitsOf } from './app/limits.ts';
import type { LiveSourceParts } from './app/live-directory.ts';
import { type AppRouter, createAppRouter } from './app/routes.ts';
import { createSource, NO_CACHE } from './app/source.ts';
import { VERSION } from './app/version.ts';
import type { Config } from './config.ts';
import type { Directory } from './directory/directory.ts';
import { createDescribeFaults } from './graphql/document.ts';
import {
  loadOperationManifest,
  NO_MANIFEST,
  type OperationManifest,
  OperationManifestError,
} from './graphql/persisted/operation-manifest.ts';
import type { RandomSource } from './handle/choose-location.ts';
import {
  createHealthPage,
  createMetricsPage,
  createReadinessPage,
  type Readiness,
  type ReadMetrics,
} from './http/ops/ops-pages.ts';
import type { Jobs, JobsParts } from './jobs/jobs.ts';
import { createLog, type Log } from './log.ts';
import { MemoryAccount } from './memory/account.ts';
import { cacheSizes, type MemorySizes, memorySizes } from './memory/memory-sizes.ts';
import { createMetrics, type Metrics, watchMemory } from './metrics.ts';
import { type Clock, steadyClock } from './time.ts';
import type { Tracer } from './tracing/tracer.ts';
import { createTroubleLog } from './trouble-log.ts';
import { nextTurn } from './turns.ts';

/** The gateway without a server. Use `listener` for REST paths: a `Request` for `fetch` cannot have dot segments. */
export interface App extends AppRouter {
  readonly directory: Directory;
  /** the number of operations in the manifest */
  readonly persistedOperations: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly memoryAccount: MemoryAccount;
  /** Reads the file of API keys again. If the file cannot be used, logs the reason and keeps the present keys. */
  reloadKeys(): Promise<void>;
  /** From now on, `/readyz` has status 503. Call `announceStop` before the server stops. */
  announceStop(): void;
  /** Closes all connections, files and timers that the app opened. */
  dispose(): Promise<void>;
}

/** Parts that replace the parts made from the configuration, for tests and for programs that embed the gateway. */
export interface AppParts {
  readonly directory?: Directory;
  readonly log?: Log;
  readonly random?: RandomSource;
  /** for cache headers, the expiry of API keys, and jobs */
  readonly clock?: Clock['now'];
  readonly readiness?: Readiness;
  /** how long look-ups wait for the first connection after the start; default: as long as in an outage */
  readonly firstConnectionMs?: number;
  /** the clock and the timers for upstream requests */
  readonly time?: LiveSourceParts['time'];
  /** reads the text of /metrics; default: the metrics of this process */
  readonly readMetrics?: ReadMetrics;
  readonly tracer?: Tracer;
  readonly memorySizes?: MemorySizes;
  /** Yoga executes every operation, so that tests can compare Yoga with the gateway's own executor. */
  readonly yogaExecutesAll?: boolean;
  /** replaces some limits of app/limits.ts */
  readonly limits?: Partial<Limits>;
}

/** Rejects with a DirectoryFileError, an OperationManifestError or an ApiKeysError if a file cannot be used. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<App> {
  const log = parts.log ?? createLog(config.LOG_LEVEL);
  const random = parts.random ?? Math.random;
  const clock = parts.clock ?? Date.now;
  const metrics = createMetrics();
  const limits = { ...limitsOf(config), ...parts.limits };
  const caches = cacheSizes(config.CACHE_MAX_BYTES, freeHeapBytes());
  // If the manifest or the keys cannot be used, createApp throws here, before it opens anything that it must close.
  const manifest = await loadManifest(config, limits);
  const clientAccess = await createClientAccess(config, limits, log, clock);
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
  const memoryAccount = new MemoryAccount(
    parts.memorySizes ?? memorySizes(freeHeapBytes(), caches, config.MAX_BODY_BYTES),
    {
      deadlineMs: config.OPERATION_DEADLINE_MS,
      after: steadyClock.after,
      trouble,
    },
  );
  watchMemory(metrics, memoryAccount);
  let isStopping = false;
  const matchesReferences = directory.matchesReferences ?? false;
  const jobs = await openJobs({ config, limits, matchesReferences, log, metrics, clock }).catch(
    async (error: unknown) => {
      clientAccess.close();
      await directory.close();
      throw error;
    },
  );
  const router = createAppRouter({
    jobs: jobs?.routes ?? [],
    config,
    limits,
    directory,
    clients: clientAccess.clients,
    memoryAccount,
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
      readiness: createReadinessPage(readiness, () => isStopping, log),
      metrics: createMetricsPage(metrics, readMetrics, log, clock),
    },
  });
  jobs?.start(router.fetch);
  return {
    ...router,
    directory,
    persistedOperations: manifest.size,
    log,
    metrics,
    memoryAccount,
    reloadKeys: clientAccess.reloadKeys,
    announceStop() {
      isStopping = true;
      jobs?.announceStop();
    },
    async dispose() {
      await jobs?.close();
      trouble.close();
      clientAccess.close();
      await directory.close();
      if (tracer === null) return;
      // A stop destroys connections. Their spans end within two turns of the event loop. Then the tracer can close.
      await nextTurn();
      await nextTurn();
      await tracer.close();
    },
  };
}

/** OpenTelemetry is imported only if a collector is configured, because it needs time and memory. */
async function createTracer(config: Config, log: Log): Promise<Tracer | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === null) return null;
  const { createOpenTelemetryTracer } = await import('./tracing/open-telemetry.ts');
  return createOpenTelemetryTracer({ endpoint, version: VERSION, log });
}

/** The heap limit minus the size of the objects that exist now. */
function freeHeapBytes(): number {
  const { heap_size_limit: limitBytes, used_heap_size: usedBytes } = getHeapStatistics();
  return limitBytes - usedBytes;
}

/** Imports the job queue only if it is configured, because its packages load slowly. */
async function openJobs(parts: JobsParts): Promise<Jobs | null> {
  if (parts.config.JOBS_REDIS_URL === null) return null;
  const { createJobs } = await import('./jobs/jobs.ts');
  return createJobs(parts);
}

async function loadManifest(config: Config, limits: Limits): Promise<OperationManifest> {
  const { PERSISTED_OPERATIONS: file, PERSISTED_ONLY: executesOnlyManifest } = config;
  if (file === null) return NO_MANIFEST;
  const manifest = await loadOperationManifest(file, createDescribeFaults(limits.queryTokens));
  if (executesOnlyManifest && manifest.size === 0) {
    throw new OperationManifestError(file, [
      'the file has no operations, and PERSISTED_ONLY allows no other operations',
    ]);
  }
  return manifest;
}
