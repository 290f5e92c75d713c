// The pages for operators: `/healthz`, `/readyz` and `/metrics`. They allow only GET and HEAD. Caches do not keep them.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Soon } from '../../time.ts';
import type { Handler, HttpResponse } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/failure-headers.ts';

/**
 * Responds with 405 to all methods except GET and HEAD, and with 503 if `make` throws or rejects.
 * @param name for the log
 */
function createOpsPage(name: string, log: Log, make: () => Soon<HttpResponse>): Handler {
  return async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed();
    try {
      return await make();
    } catch (error) {
      log.error({ err: error }, `${name} failed`);
      return opsPage(503, 'text/plain; charset=utf-8', 'This page has failed. The error has been logged.\n');
    }
  };
}

function opsPage(status: number, contentType: string, body: string): HttpResponse {
  return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
}

/** One JSON object on one line. */
function jsonLine(status: number, value: object): HttpResponse {
  return opsPage(status, 'application/json', `${JSON.stringify(value)}\n`);
}

/** The page says whether the process is alive. The status is 200 while the process runs, even without the directory. */
export function createHealthPage(log: Log): Handler {
  return createOpsPage('/healthz', log, () => jsonLine(200, { status: 'ok' }));
}

/** The parts that decide readiness. Each function returns the present state at once. */
export interface Readiness {
  directory(): {
    /** false while the circuit is open, so that no requests are sent */
    readonly available: boolean;
    /** whether the directory has responded since the start */
    readonly reached: boolean;
    /** Why the last probe failed. OUTAGE: the failure can end although the configuration stays the same. */
    readonly problem?: string;
  };
  cache(): {
    /** the number of entries in memory */
    readonly entries: number;
    /** The Redis of REDIS_URL. `full`: it refuses writes. `down`: it does not respond, and the gateway bypasses it. */
    readonly shared: 'off' | 'up' | 'full' | 'down';
  };
  /**
   * The Redis of JOBS_REDIS_URL. `full`: it refuses writes, so jobs wait. `evicting`: it can lose jobs; the gateway
   * reads a lost job from disk again. `down`: jobs wait, but the gateway serves all other requests.
   */
  jobs(): 'off' | 'up' | 'full' | 'evicting' | 'down';
}

/**
 * - `degraded`: a part fails, but the gateway can use its caches. Balancers should still send requests,
 *   because other gateways with the same directory and the same Redis have the same problem.
 * - `unavailable`: the directory has not responded since the start, so the configuration is probably wrong. But if
 *   probes show an outage and the shared cache responds, the status is `degraded`.
 * - `stopping`: the gateway still serves requests, but will end soon.
 */
type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'stopping';

/**
 * The page says whether a balancer should send requests to this process. Status 200: `ready` or `degraded`. Else 503.
 */
export function createReadinessPage(readiness: Readiness, isStopping: () => boolean, log: Log): Handler {
  return createOpsPage('/readyz', log, () => {
    const directory = readiness.directory();
    const cache = readiness.cache();
    const jobs = readiness.jobs();
    const stopping = isStopping();
    const status = stopping ? 'stopping' : statusOf(directory, cache, jobs);
    const isReady = status === 'ready' || status === 'degraded';
    return jsonLine(isReady ? 200 : 503, { status, directory, cache, jobs, stopping });
  });
}

function statusOf(
  directory: ReturnType<Readiness['directory']>,
  cache: ReturnType<Readiness['cache']>,
  jobs: ReturnType<Readiness['jobs']>,
): ReadinessStatus {
  if (!directory.reached) {
    const responds = cache.shared === 'up' || cache.shared === 'full';
    return directory.problem === 'OUTAGE' && responds ? 'degraded' : 'unavailable';
  }
  const isRedisUsable = [cache.shared, jobs].every((state) => state === 'off' || state === 'up');
  return directory.available && isRedisUsable ? 'ready' : 'degraded';
}

/** Returns the metrics of this process, or of all workers of a cluster together, in the text format of Prometheus. */
export type ReadMetrics = () => Promise<string>;

/** The gateway makes the page at most once in this time, because making the page takes milliseconds. */
export const METRICS_AGE_MS = 1_000;

/** Status 503 if the metrics cannot be read. */
export function createMetricsPage(
  { registry }: Pick<Metrics, 'registry'>,
  read: ReadMetrics,
  log: Log,
  clock: () => number,
): Handler {
  const { contentType } = registry;
  let latest: { readonly at: number; readonly text: Promise<string> } | undefined;

  function recentText(): Promise<string> {
    const now = clock();
    // `Math.abs`, because the system clock can go back.
    if (latest === undefined || Math.abs(now - latest.at) >= METRICS_AGE_MS)
      latest = { at: now, text: read() };
    return latest.text;
  }

  return createOpsPage('/metrics', log, async () => opsPage(200, contentType, await recentText()));
}
