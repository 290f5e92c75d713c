// Whether a balancer should send requests here.

import type { Log } from '../../log.ts';
import type { Handler } from '../exchange.ts';
import { createOpsPage, jsonLine } from './ops-page.ts';

/** What readiness is judged by. Both are asked on every request and answer at once, from what is known. */
export interface Readiness {
  /** false while requests to the directory are held back, because those before them failed */
  directory(): { readonly available: boolean };
  cache(): {
    /** how many answers memory holds */
    readonly entries: number;
    /** `down` is one that is configured and bypassed */
    readonly shared: 'off' | 'up' | 'down';
  };
}

/**
 * `degraded` is ready as well: what the caches hold is answered. `unavailable` is a gateway that could answer
 * nothing, and `stopping` one that still answers but wants no more requests.
 */
export type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'stopping';

/** `/readyz`: 200, or 503 where requests had better go to another gateway. */
export function createReadinessPage(readiness: Readiness, isStopping: () => boolean, log: Log): Handler {
  return createOpsPage('/readyz', log, () => {
    const directory = readiness.directory();
    const cache = readiness.cache();
    const stopping = isStopping();
    const status = stopping ? 'stopping' : statusOf(directory, cache);
    const isReady = status === 'ready' || status === 'degraded';
    return jsonLine(isReady ? 200 : 503, { status, directory, cache, stopping });
  });
}

function statusOf(
  directory: ReturnType<Readiness['directory']>,
  cache: ReturnType<Readiness['cache']>,
): ReadinessStatus {
  if (directory.available) return cache.shared === 'down' ? 'degraded' : 'ready';
  // How much the shared cache holds is not known. One that is up has been filled by some gateway.
  return cache.entries > 0 || cache.shared === 'up' ? 'degraded' : 'unavailable';
}
