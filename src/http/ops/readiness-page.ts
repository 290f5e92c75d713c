// `/healthz`: whether the process is alive. `/readyz`: whether a balancer should send requests to this process.

import type { Log } from '../../log.ts';
import type { Handler } from '../request/exchange.ts';
import { createOpsPage, jsonLine } from './ops-page.ts';

/** Always status 200 while the process runs. It does not depend on the directory. */
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
    /** Why the last probe failed. OUTAGE: the failure can end without a change of the configuration. */
    readonly problem?: string;
  };
  cache(): {
    /** the number of answers in memory */
    readonly entries: number;
    /** The Redis of REDIS_URL. `full`: it refuses writes. `down`: it does not respond, and the gateway bypasses it. */
    readonly shared: 'off' | 'up' | 'full' | 'down';
  };
  /**
   * The Redis of JOBS_REDIS_URL. `full`: it refuses writes, so jobs wait. `evicting`: it can lose jobs; the gateway
   * reads a lost job from disk again. `down`: jobs wait, but all other requests work.
   */
  jobs(): 'off' | 'up' | 'full' | 'evicting' | 'down';
}

/**
 * - `degraded`: something does not work, but the gateway can use its caches. Balancers should still send requests,
 *   because other gateways with the same directory and the same Redis have the same problem.
 * - `unavailable`: the directory has not responded since the start, so the configuration is probably wrong. But if
 *   probes show an outage and the shared cache responds, the status is `degraded`.
 * - `stopping`: the gateway still serves requests, but will end soon.
 */
type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'stopping';

/** Status 200 if the gateway is `ready` or `degraded`, else 503. */
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
  const areWell = [cache.shared, jobs].every((redis) => redis === 'off' || redis === 'up');
  return directory.available && areWell ? 'ready' : 'degraded';
}
