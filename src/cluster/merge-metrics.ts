// The metrics of all workers as one, so that it does not matter which of them Prometheus meets.

import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import type { MetricsSnapshot, ToWorker } from './messages.ts';

const COLLECT_TIMEOUT_MS = 1_000;

/** Each worker may want the metrics once a second; for all of them together they are collected so often. */
const MERGED_AGE_MS = 1_000;

/** What only grows: a rate would leap if it became less with a worker's end. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

export interface MetricsMerger {
  /** Answers `asker` with the metrics of all `workers`, once each of them has given its own. */
  merge(asker: Worker, workers: readonly Worker[]): void;
  take(worker: Worker, round: number, metrics: MetricsSnapshot): void;
  /** Keeps what the worker had counted when it was last asked. */
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
    // Half of them would look to Prometheus like counters that were reset.
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
    merge(asker, workers) {
      if (current) {
        current.askers.add(asker);
        return;
      }
      const at = clock();
      // The system clock may also be set back.
      if (collected && Math.abs(at - collected.at) < MERGED_AGE_MS) {
        tellAll([asker], { type: 'gateway:merged', text: collected.text });
        return;
      }
      const timer = setTimeout(() => current && finish(current), COLLECT_TIMEOUT_MS);
      rounds += 1;
      current = { number: rounds, at, askers: new Set([asker]), missing: new Set(workers), timer };
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
  // A worker that has just ended cannot be told; its end is reported by itself.
  for (const worker of workers) worker.send(message, () => {});
}
