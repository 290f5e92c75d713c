// What a worker of a cluster sends to its primary process, and requests from it.

import type { Worker } from 'node:cluster';
import type { Metrics } from '../metrics.ts';
import { heapReport } from './heap-limit.ts';
import { isToWorker, type ToPrimary } from './merge-metrics.ts';

const MERGE_TIMEOUT_MS = 2_000;

export interface Membership {
  /** Reports to the primary that this worker accepts requests. @param line the start message, for the log */
  listening(line: string): void;
  /** Sends these metrics to the primary whenever the primary requests them. */
  shareMetrics(metrics: Metrics): void;
  /** The metrics of all workers together. Rejects if a worker does not send its metrics in time. */
  readMetrics(): Promise<string>;
  /** Resolves when the primary has handed over the next connection, or if no connection waits in the primary. */
  turn(): Promise<void>;
  /** Disconnects from the primary, so that the channel does not keep the process alive. */
  leave(): void;
}

export function joinCluster(worker: Worker): Membership {
  const waiting = new Set<(text: string | null) => void>();

  worker.on('message', (message: unknown) => {
    if (!isToWorker(message) || message.type !== 'gateway:merged') return;
    for (const settle of waiting) settle(message.text);
    waiting.clear();
  });

  function send(message: ToPrimary): void {
    // If the primary has ended, the worker will end too. So a failure to send is ignored.
    worker.send(message, () => {});
  }

  return {
    listening: (line) => send({ type: 'gateway:listening', line, heap: heapReport() }),
    shareMetrics({ registry }) {
      worker.on('message', async (message: unknown) => {
        if (!isToWorker(message) || message.type !== 'gateway:want-own') return;
        const metrics = await registry.getMetricsAsJSON();
        send({ type: 'gateway:own', round: message.round, metrics });
      });
    },
    readMetrics() {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(null), MERGE_TIMEOUT_MS);
        const settle = (text: string | null) => {
          clearTimeout(timer);
          waiting.delete(settle);
          if (text === null) reject(new Error('Not all workers have sent their metrics in time.'));
          else resolve(text);
        };
        waiting.add(settle);
        send({ type: 'gateway:want-merged' });
      });
    },
    turn() {
      return new Promise((resolve) => {
        const onMessage = (message: unknown) => {
          if (!isToWorker(message) || message.type !== 'gateway:turn') return;
          worker.off('message', onMessage);
          resolve();
        };
        worker.on('message', onMessage);
        send({ type: 'gateway:turn' });
      });
    },
    leave: () => void worker.disconnect(),
  };
}
