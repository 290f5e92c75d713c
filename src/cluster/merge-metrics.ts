// The metrics of all workers as one, because a request of Prometheus may reach any worker.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import type { HeapReport } from './heap-limit.ts';

/** Metrics as JSON: one object for each metric, as the registries of prom-client read and write it. */
export type MetricsSnapshot = readonly object[];

export type ToPrimary =
  /** the worker accepts requests; `line` is its start message */
  | { readonly type: 'gateway:listening'; readonly line: string; readonly heap: HeapReport }
  | { readonly type: 'gateway:want-merged' }
  /** the primary hands over the worker's next connection first, then sends this back */
  | { readonly type: 'gateway:turn' }
  | { readonly type: 'gateway:own'; readonly round: number; readonly metrics: MetricsSnapshot };

export type ToWorker =
  | { readonly type: 'gateway:want-own'; readonly round: number }
  | { readonly type: 'gateway:turn' }
  /** null: a worker did not send its metrics in time */
  | { readonly type: 'gateway:merged'; readonly text: string | null };

export const isToPrimary = isMessage<ToPrimary>;
export const isToWorker = isMessage<ToWorker>;

/** Other programs use the channel too: tsx reports to its parent process. */
function isMessage<Message extends ToPrimary | ToWorker>(value: unknown): value is Message {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('gateway:');
}

const COLLECT_TIMEOUT_MS = 1_000;

/** The primary collects the metrics at most once a second, however many workers want them. */
const MERGED_AGE_MS = 1_000;

/** Metrics that only grow. A rate would leap if they became smaller when a worker ends. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

export interface MetricsMerger {
  /** Answers `requester` with the metrics of all `workers`, once each of them has given its own. */
  merge(requester: Worker, workers: readonly Worker[]): void;
  take(worker: Worker, round: number, metrics: MetricsSnapshot): void;
  /** Keeps the last metrics of a worker that has ended. */
  forget(worker: Worker): void;
}

interface Round {
  readonly number: number;
  readonly at: number;
  readonly askers: Set<Worker>;
  readonly missing: Set<Worker>;
  readonly timer: NodeJS.Timeout;
}

/**
 * One round of questions at a time. A worker that asks during a round, or within a second after its begin, gets the
 * result of this round.
 */
export function createMetricsMerger(clock: () => number = Date.now): MetricsMerger {
  const latest = new Map<Worker, MetricsSnapshot>();
  let departed: MetricsSnapshot = [];
  let rounds = 0;
  let current: Round | undefined;
  let collected: { readonly at: number; readonly text: string } | undefined;

  function finish({ askers, missing, timer, at }: Round): void {
    clearTimeout(timer);
    current = undefined;
    // To Prometheus, the metrics of only some workers would look like counters that were reset.
    const answer =
      missing.size > 0 ? Promise.resolve(null) : merged([departed, ...latest.values()]).metrics();
    answer.then(
      (text) => {
        if (text !== null) collected = { at, text };
        tellAll(askers, { type: 'gateway:merged', text });
      },
      () => tellAll(askers, { type: 'gateway:merged', text: null }),
    );
  }

  function settle(worker: Worker): void {
    if (current?.missing.delete(worker) && current.missing.size === 0) finish(current);
  }

  return {
    merge(requester, workers) {
      if (current) {
        current.askers.add(requester);
        return;
      }
      const at = clock();
      // The system clock may also be set back.
      if (collected && Math.abs(at - collected.at) < MERGED_AGE_MS) {
        tellAll([requester], { type: 'gateway:merged', text: collected.text });
        return;
      }
      const timer = setTimeout(() => current && finish(current), COLLECT_TIMEOUT_MS);
      rounds += 1;
      current = { number: rounds, at, askers: new Set([requester]), missing: new Set(workers), timer };
      tellAll(workers, { type: 'gateway:want-own', round: rounds });
    },
    take(worker, round, metrics) {
      if (current?.number !== round) return;
      latest.set(worker, metrics);
      settle(worker);
    },
    forget(worker) {
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

function tellAll(workers: Iterable<Worker>, message: ToWorker): void {
  // A worker that has just ended gets no message. Its end is reported separately.
  for (const worker of workers) worker.send(message, () => {});
}
