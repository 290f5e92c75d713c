// Pages for machines: GET and HEAD only, never cached.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Soon } from '../../time.ts';
import type { Answer, Handler } from '../request/exchange.ts';

// The metrics, for Prometheus to fetch.

/** The metrics as text: of this process, or in a cluster of all its workers, merged. */
export type ReadMetrics = () => Promise<string>;

/** To render the metrics takes milliseconds, and anyone may fetch them over many connections. */
export const METRICS_AGE_MS = 1_000;

/** `/metrics`: Prometheus' text format, at most a second old, or 503 if the metrics cannot be read. */
export function createMetricsPage(
  { registry }: Pick<Metrics, 'registry'>,
  read: ReadMetrics,
  log: Log,
  clock: () => number,
): Handler {
  const { contentType } = registry;
  let latest: { readonly at: number; readonly text: Promise<string> } | undefined;

  function recent(): Promise<string> {
    const now = clock();
    // The system clock may also be set back.
    if (latest === undefined || Math.abs(now - latest.at) >= METRICS_AGE_MS)
      latest = { at: now, text: read() };
    return latest.text;
  }

  return createOpsPage('/metrics', log, async () => ({ status: 200, contentType, body: await recent() }));
}

export interface OpsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Answers every method but GET and HEAD with 405, and with 503 where `answer` fails.
 * @param name by which a failure is logged
 */
export function createOpsPage(name: string, log: Log, answer: () => Soon<OpsAnswer>): Handler {
  return async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') return METHOD_NOT_ALLOWED;
    try {
      const { status, contentType, body } = await answer();
      return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
    } catch (error) {
      log.error({ err: error }, `${name} cannot be answered`);
      return UNAVAILABLE;
    }
  };
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
const METHOD_NOT_ALLOWED: Answer = {
  status: 405,
  headers: { ...TEXT, Allow: 'GET, HEAD' },
  body: 'GET or HEAD.\n',
};
const UNAVAILABLE: Answer = { status: 503, headers: TEXT, body: 'No answer can be given now.\n' };

/** One JSON object on one line. */
export function jsonLine(status: number, value: object): OpsAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}

/** `/healthz`: the process is alive. Says nothing of the directory. */
export function createHealthPage(log: Log): Handler {
  return createOpsPage('/healthz', log, () => jsonLine(200, { status: 'ok' }));
}

// Whether a balancer should send requests here.

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
