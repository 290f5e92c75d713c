// Adds up the metrics of all workers. Prometheus reads the sum from one worker, which requests the sum from the primary.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import { withinMs } from '../time.ts';
import type { heapReport } from './heap-limit.ts';

/** Metrics in the JSON of prom-client: one object for each metric. */
export type MetricsSnapshot = readonly object[];

/** A message from a worker to the primary. */
export type ToPrimary =
  /** the worker accepts requests; `line` is its start message */
  | {
      readonly type: 'gateway:listening';
      readonly line: string;
      readonly heap: ReturnType<typeof heapReport>;
    }
  /** requests the metrics of all workers together */
  | { readonly type: 'gateway:want-merged' }
  /** Requests the next connection that waits for this worker. The primary sends the connection, then this message back. */
  | { readonly type: 'gateway:handover' }
  /** the response to `gateway:answer` */
  | { readonly type: 'gateway:answer' }
  /** the metrics of the worker itself */
  | { readonly type: 'gateway:own'; readonly round: number; readonly metrics: MetricsSnapshot };

/** A message from the primary to a worker. */
export type ToWorker =
  /** requests the metrics of the worker itself */
  | { readonly type: 'gateway:want-own'; readonly round: number }
  | { readonly type: 'gateway:handover' }
  /** the worker must send this message back */
  | { readonly type: 'gateway:answer' }
  /** the metrics of all workers; `text` is null if a worker did not send its metrics in time */
  | { readonly type: 'gateway:merged'; readonly text: string | null };

/** False for messages of other programs, such as tsx. */
export function isMessage<Message extends ToPrimary | ToWorker>(value: unknown): value is Message {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('gateway:');
}

const COLLECT_TIMEOUT_MS = 1_000;

/** The primary collects the metrics at most once in this time. */
const MAX_AGE_MS = 1_000;

/** Types of metrics that only grow. When a worker ends, the sums must not shrink, or Prometheus computes wrong rates. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/** A round collects the metrics of all workers. Requests up to a second after its start get the result of the round. */
export function createMetricsMerger(clock: () => number = Date.now) {
  const latest = new Map<Worker, MetricsSnapshot>();
  /** the growing metrics of all workers that have ended */
  let ended: MetricsSnapshot = [];
  /** the present round; `missing`: the workers that have not sent their metrics yet */
  let round = { number: 0, missing: new Set<Worker>(), finish: () => {} };
  let sum: { readonly at: number; readonly text: Promise<string | null> } | null = null;

  /** Resolves with null if a worker does not send its metrics in time: a sum without them would look like a restart. */
  function collect(workers: readonly Worker[]): Promise<string | null> {
    const allSent = new Promise<void>((resolve) => {
      round = { number: round.number + 1, missing: new Set(workers), finish: resolve };
    });
    const text = allSent.then(() => merged([ended, ...latest.values()]).metrics());
    for (const worker of workers) send(worker, { type: 'gateway:want-own', round: round.number });
    if (workers.length === 0) round.finish();
    return withinMs<string | null>(COLLECT_TIMEOUT_MS, text, null).catch(() => null);
  }

  function stopWaitingFor(worker: Worker): void {
    round.missing.delete(worker);
    if (round.missing.size === 0) round.finish();
  }

  return {
    /** Collects the metrics of all `workers`, and sends the sum to `requester`. */
    async merge(requester: Worker, workers: readonly Worker[]): Promise<void> {
      const at = clock();
      // `Math.abs`, because the system clock can go back.
      if (sum === null || Math.abs(at - sum.at) >= MAX_AGE_MS) sum = { at, text: collect(workers) };
      const requested = sum;
      const text = await requested.text;
      if (text === null && sum === requested) sum = null;
      send(requester, { type: 'gateway:merged', text });
    },
    /** Call it when a worker has sent its metrics. */
    take(worker: Worker, number: number, metrics: MetricsSnapshot): void {
      if (number !== round.number) return;
      latest.set(worker, metrics);
      stopWaitingFor(worker);
    },
    /** Call it when a worker has ended. Keeps the growing metrics of the worker for all later sums. */
    workerEnded(worker: Worker): void {
      const last = latest.get(worker) ?? [];
      latest.delete(worker);
      ended = growing(merged([ended, last]).getMetricsAsArray());
      stopWaitingFor(worker);
    },
  };
}

function merged(snapshots: readonly MetricsSnapshot[]) {
  return AggregatorRegistry.aggregate([...snapshots]);
}

function growing(metrics: readonly MetricObject[]): MetricsSnapshot {
  return metrics.filter(({ type }) => GROWING.has(type));
}

function send(worker: Worker, message: ToWorker): void {
  // A failure to send means that the worker has ended. Then `workerEnded` is called too.
  worker.send(message, () => {});
}
