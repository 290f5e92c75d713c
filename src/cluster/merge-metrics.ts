// Adds up the metrics of all workers. Prometheus reads the sum from any worker. This worker requests it from the primary.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import type { HeapReport } from './heap-limit.ts';

/** Metrics in the JSON of prom-client: one object for each metric. */
export type MetricsSnapshot = readonly object[];

/** A message from a worker to the primary. */
export type ToPrimary =
  /** the worker accepts requests; `line` is its start message */
  | { readonly type: 'gateway:listening'; readonly line: string; readonly heap: HeapReport }
  /** requests the metrics of all workers together */
  | { readonly type: 'gateway:want-merged' }
  /** The primary sends this message back, after it has handed over the next connection that waits for the worker. */
  | { readonly type: 'gateway:handover' }
  /** the metrics of the worker itself */
  | { readonly type: 'gateway:own'; readonly round: number; readonly metrics: MetricsSnapshot };

/** A message from the primary to a worker. */
export type ToWorker =
  /** requests the metrics of the worker itself */
  | { readonly type: 'gateway:want-own'; readonly round: number }
  | { readonly type: 'gateway:handover' }
  /** the metrics of all workers; `text` is null if a worker did not send its metrics in time */
  | { readonly type: 'gateway:merged'; readonly text: string | null };

export const isToPrimary = isMessage<ToPrimary>;
export const isToWorker = isMessage<ToWorker>;

/** False for messages of other programs, such as tsx. */
function isMessage<Message extends ToPrimary | ToWorker>(value: unknown): value is Message {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('gateway:');
}

const COLLECT_TIMEOUT_MS = 1_000;

/** The primary collects the metrics at most once in this time. */
const MAX_AGE_MS = 1_000;

/** Metrics that only grow. When a worker ends, their sums must not shrink, or Prometheus would compute wrong rates. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/** One collection of the metrics of all workers. */
interface Round {
  readonly number: number;
  readonly at: number;
  readonly requesters: Set<Worker>;
  readonly missing: Set<Worker>;
  readonly timer: NodeJS.Timeout;
}

/** A request during a round, or up to a second after the start of a round, gets the result of this round. */
export function createMetricsMerger(clock: () => number = Date.now) {
  const latest = new Map<Worker, MetricsSnapshot>();
  /** the growing metrics of all workers that have ended */
  let ended: MetricsSnapshot = [];
  let rounds = 0;
  let current: Round | undefined;
  let collected: { readonly at: number; readonly text: string } | undefined;

  function finish({ requesters, missing, timer, at }: Round): void {
    clearTimeout(timer);
    current = undefined;
    // A sum without some workers would be smaller than before. Prometheus would take this for a restart.
    const sum = missing.size > 0 ? Promise.resolve(null) : merged([ended, ...latest.values()]).metrics();
    sum.then(
      (text) => {
        if (text !== null) collected = { at, text };
        sendToAll(requesters, { type: 'gateway:merged', text });
      },
      () => sendToAll(requesters, { type: 'gateway:merged', text: null }),
    );
  }

  function stopWaitingFor(worker: Worker): void {
    if (current?.missing.delete(worker) && current.missing.size === 0) finish(current);
  }

  return {
    /** Collects the metrics of all `workers`, and sends the sum to `requester`. */
    merge(requester: Worker, workers: readonly Worker[]): void {
      if (current) {
        current.requesters.add(requester);
        return;
      }
      const at = clock();
      // `Math.abs`, because the system clock can go back.
      if (collected && Math.abs(at - collected.at) < MAX_AGE_MS) {
        sendToAll([requester], { type: 'gateway:merged', text: collected.text });
        return;
      }
      const timer = setTimeout(() => current && finish(current), COLLECT_TIMEOUT_MS);
      rounds += 1;
      current = { number: rounds, at, requesters: new Set([requester]), missing: new Set(workers), timer };
      sendToAll(workers, { type: 'gateway:want-own', round: rounds });
    },
    /** Call it when a worker has sent its metrics. */
    take(worker: Worker, round: number, metrics: MetricsSnapshot): void {
      if (current?.number !== round) return;
      latest.set(worker, metrics);
      stopWaitingFor(worker);
    },
    /** Keeps the growing metrics of the worker, for all later sums. */
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

function sendToAll(workers: Iterable<Worker>, message: ToWorker): void {
  // A failure to send means that the worker has ended. Then `workerEnded` is called too.
  for (const worker of workers) worker.send(message, () => {});
}
