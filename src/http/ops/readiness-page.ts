// Whether the process is alive, and whether a balancer should send requests here.

import type { Log } from '../../log.ts';
import type { Handler } from '../request/exchange.ts';
import { createOpsPage, jsonLine } from './ops-page.ts';

/** `/healthz`: the process is alive. Says nothing of the directory. */
export function createHealthPage(log: Log): Handler {
  return createOpsPage('/healthz', log, () => jsonLine(200, { status: 'ok' }));
}

/** What readiness is judged by. Both are asked on every request and answer at once, from what is known. */
export interface Readiness {
  directory(): {
    /** false while requests to it are held back */
    readonly available: boolean;
    /** whether it has answered since the start */
    readonly reached: boolean;
    /** what the last probe met; OUTAGE: it may pass without any change here */
    readonly problem?: string;
  };
  cache(): {
    /** how many answers memory holds */
    readonly entries: number;
    /** `full`: it refuses writes. `down` is one that is configured and bypassed */
    readonly shared: 'off' | 'up' | 'full' | 'down';
  };
  /**
   * The Redis of the jobs. `full`: it refuses writes, so jobs wait. `evicting`: it may throw away jobs, which are then
   * read from disk again. `down`: jobs wait for it, and nothing else does
   */
  jobs(): 'off' | 'up' | 'full' | 'evicting' | 'down';
}

/**
 * `degraded` is ready too: what the caches hold and what is computed is answered, as it is on every other gateway
 * before the same directory and the same Redis. `unavailable` is a gateway whose directory has not answered since the
 * start, so that its configuration may be wrong; where probes show an outage and the shared cache responds, it is
 * `degraded`. `stopping` is a gateway that still answers but wants no more requests.
 */
type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'stopping';

/** `/readyz`: 200, or 503 where requests had better go to another gateway. */
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
