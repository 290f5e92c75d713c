// Whether the process is alive, and whether a balancer should send requests here.

import type { Log } from '../../log.ts';
import type { Handler } from '../request/exchange.ts';
import { createOpsPage, jsonLine } from './ops-page.ts';

/** `/healthz`: the process is alive. Does not depend on the directory. */
export function createHealthPage(log: Log): Handler {
  return createOpsPage('/healthz', log, () => jsonLine(200, { status: 'ok' }));
}

/** The parts that decide readiness. Each request reads them. They return their current state without any wait. */
export interface Readiness {
  directory(): {
    /** false while the circuit holds requests back */
    readonly available: boolean;
    /** whether the directory has answered since the start */
    readonly reached: boolean;
    /** Why the last probe failed. OUTAGE: may end without a change of the configuration. */
    readonly problem?: string;
  };
  cache(): {
    /** answers in memory */
    readonly entries: number;
    /** The Redis of the cache. `full`: it refuses writes. `down`: it does not respond, and the gateway bypasses it. */
    readonly shared: 'off' | 'up' | 'full' | 'down';
  };
  /**
   * The Redis of the jobs. `full`: it refuses writes, so jobs wait. `evicting`: it may drop jobs, which the gateway then
   * reads from disk again. `down`: only jobs wait for it.
   */
  jobs(): 'off' | 'up' | 'full' | 'evicting' | 'down';
}

/**
 * `degraded` is also ready: the gateway answers from its caches. Other gateways with the same directory and the same
 * Redis are no better. `unavailable`: the directory has not answered since the start, so the configuration may be wrong.
 * But if probes show an outage and the shared cache responds, the gateway is `degraded`. `stopping`: the gateway still
 * answers, but wants no more requests.
 */
type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'stopping';

/** `/readyz`: 200, or 503 if a balancer should send requests to another gateway. */
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
