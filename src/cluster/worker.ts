// A worker of a cluster: the messages that it exchanges with the primary process.

import type { Worker } from 'node:cluster';
import type { Metrics } from '../metrics.ts';
import { heapReport } from './heap-limit.ts';
import { isToWorker, type ToPrimary } from './merge-metrics.ts';

const MERGE_TIMEOUT_MS = 2_000;

export type Membership = ReturnType<typeof joinCluster>;

export function joinCluster(worker: Worker) {
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
    /** Reports to the primary that this worker accepts requests. @param line the start message, for the log */
    listening: (line: string): void => send({ type: 'gateway:listening', line, heap: heapReport() }),
    /** Sends these metrics to the primary whenever the primary requests them. */
    shareMetrics({ registry }: Metrics): void {
      worker.on('message', async (message: unknown) => {
        if (!isToWorker(message) || message.type !== 'gateway:want-own') return;
        const metrics = await registry.getMetricsAsJSON();
        send({ type: 'gateway:own', round: message.round, metrics });
      });
    },
    /** The metrics of all workers together. Rejects if a worker does not send its metrics in time. */
    readMetrics(): Promise<string> {
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
    /** Resolves when the primary has handed over the next connection, or if no connection waits in the primary. */
    waitForHandover(): Promise<void> {
      return new Promise((resolve) => {
        const onMessage = (message: unknown) => {
          if (!isToWorker(message) || message.type !== 'gateway:handover') return;
          worker.off('message', onMessage);
          resolve();
        };
        worker.on('message', onMessage);
        send({ type: 'gateway:handover' });
      });
    },
    /** Disconnects from the primary, so that the channel does not keep the process alive. */
    leave: (): void => void worker.disconnect(),
  };
}
