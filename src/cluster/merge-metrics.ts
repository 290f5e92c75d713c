// Merges the metrics of all workers, because a request of Prometheus may reach any worker.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import type { HeapReport } from './heap-limit.ts';

/** Metrics as JSON: one object for each metric, as the registries of prom-client read and write it. */
export type MetricsSnapshot = readonly object[];

export type ToPrimary =
  /** the worker accepts requests; `line` is its start message */
  | { readonly type: 'gateway:listening'; readonly line: string; readonly heap: HeapReport }
  | { readonly type: 'gateway:want-merged' }
  /** The primary first hands over a connection that waits for the worker, then sends the message back. */
  | { readonly type: 'gateway:turn' }
  | { readonly type: 'gateway:own'; readonly round: number; readonly metrics: MetricsSnapshot };

export type ToWorker =
  | { readonly type: 'gateway:want-own'; readonly round: number }
  | { readonly type: 'gateway:turn' }
  /** null: a worker did not send its metrics in time */
  | { readonly type: 'gateway:merged'; readonly text: string | null };

export const isToPrimary = isMessage<ToPrimary>;
export const isToWorker = isMessage<ToWorker>;

/** Skips messages of other programs, such as tsx. Does not check the direction: each side gets only its own messages. */
function isMessage<Message extends ToPrimary | ToWorker>(value: unknown): value is Message {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('gateway:');
}

const COLLECT_TIMEOUT_MS = 1_000;

/** The primary collects the metrics at most once in this time. */
const MERGED_AGE_MS = 1_000;

/** Metrics that only grow. If they became smaller when a worker ends, Prometheus would compute wrong rates. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

export interface MetricsMerger {
  /** Collects the metrics of all `workers`, and sends the result to `requester`. */
  merge(requester: Worker, workers: readonly Worker[]): void;
  take(worker: Worker, round: number, metrics: MetricsSnapshot): void;
  /** Adds the growing metrics of the ended worker to the metrics of all earlier workers. */
  workerEnded(worker: Worker): void;
}

interface Round {
  readonly number: number;
  readonly at: number;
  readonly requesters: Set<Worker>;
  readonly missing: Set<Worker>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Collects metrics in rounds, one at a time. A worker that requests metrics during a round, or within a second after its
 * start, gets the result of this round.
 */
export function createMetricsMerger(clock: () => number = Date.now): MetricsMerger {
  const latest = new Map<Worker, MetricsSnapshot>();
  let departed: MetricsSnapshot = [];
  let rounds = 0;
  let current: Round | undefined;
  let collected: { readonly at: number; readonly text: string } | undefined;

  function finish({ requesters, missing, timer, at }: Round): void {
    clearTimeout(timer);
    current = undefined;
    // To Prometheus, the metrics of only some workers would look like counters that were reset.
    const answer =
      missing.size > 0 ? Promise.resolve(null) : merged([departed, ...latest.values()]).metrics();
    answer.then(
      (text) => {
        if (text !== null) collected = { at, text };
        sendToAll(requesters, { type: 'gateway:merged', text });
      },
      () => sendToAll(requesters, { type: 'gateway:merged', text: null }),
    );
  }

  function settle(worker: Worker): void {
    if (current?.missing.delete(worker) && current.missing.size === 0) finish(current);
  }

  return {
    merge(requester, workers) {
      if (current) {
        current.requesters.add(requester);
        return;
      }
      const at = clock();
      // The system clock may also be set back.
      if (collected && Math.abs(at - collected.at) < MERGED_AGE_MS) {
        sendToAll([requester], { type: 'gateway:merged', text: collected.text });
        return;
      }
      const timer = setTimeout(() => current && finish(current), COLLECT_TIMEOUT_MS);
      rounds += 1;
      current = { number: rounds, at, requesters: new Set([requester]), missing: new Set(workers), timer };
      sendToAll(workers, { type: 'gateway:want-own', round: rounds });
    },
    take(worker, round, metrics) {
      if (current?.number !== round) return;
      latest.set(worker, metrics);
      settle(worker);
    },
    workerEnded(worker) {
      const last = latest.get(worker) ?? [];
      latest.delete(worker);
      departed = growing(merged([departed, last]).getMetricsAsArray());
      settle(worker);
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
  // A worker that has just ended gets no message. Its end is reported separately.
  for (const worker of workers) worker.send(message, () => {});
}
