// A worker of a cluster: the messages that it exchanges with the primary process.

import type { Worker } from 'node:cluster';
import type { Metrics } from '../metrics.ts';
import { heapReport } from './heap-limit.ts';
import { isMessage, type ToPrimary, type ToWorker } from './merge-metrics.ts';

const MERGE_TIMEOUT_MS = 2_000;

export type Membership = ReturnType<typeof joinCluster>;

export function joinCluster(worker: Worker) {
  let currentRead: Promise<string> | null = null;

  function send(message: ToPrimary): void {
    // A failure to send is ignored: the primary has ended, so the worker will end too.
    worker.send(message, () => {});
  }

  /** Sends a message, and resolves with the next message of type `type` from the primary. Rejects at the timeout. */
  function request<Type extends ToWorker['type']>(message: ToPrimary, type: Type, timeout?: AbortSignal) {
    return new Promise<Extract<ToWorker, { type: Type }>>((resolve, reject) => {
      const onMessage = (received: unknown) => {
        if (!isMessage<ToWorker>(received) || received.type !== type) return;
        worker.off('message', onMessage);
        resolve(received as Extract<ToWorker, { type: Type }>);
      };
      worker.on('message', onMessage);
      timeout?.addEventListener('abort', () => {
        worker.off('message', onMessage);
        reject(timeout.reason);
      });
      send(message);
    });
  }

  async function readMetrics(): Promise<string> {
    const timeout = AbortSignal.timeout(MERGE_TIMEOUT_MS);
    const { text } = await request({ type: 'gateway:want-merged' }, 'gateway:merged', timeout);
    if (text === null) throw new Error('Not all workers have sent their metrics in time.');
    return text;
  }

  worker.on('message', (message: unknown) => {
    if (isMessage<ToWorker>(message) && message.type === 'gateway:answer') send(message);
  });

  return {
    /** Reports to the primary that this worker accepts requests. @param line the start message, for the log */
    reportListening: (line: string): void => send({ type: 'gateway:listening', line, heap: heapReport() }),
    /** Sends these metrics to the primary whenever the primary requests them. */
    shareMetrics({ registry }: Metrics): void {
      worker.on('message', async (message: unknown) => {
        if (!isMessage<ToWorker>(message) || message.type !== 'gateway:want-own') return;
        const metrics = await registry.getMetricsAsJSON();
        send({ type: 'gateway:own', round: message.round, metrics });
      });
    },
    /** The metrics of all workers together. Rejects if a worker does not send its metrics in time. */
    readMetrics(): Promise<string> {
      currentRead ??= readMetrics().finally(() => {
        currentRead = null;
      });
      return currentRead;
    },
    /** Resolves when the primary has handed over the next connection, or if no connection waits in the primary. */
    async waitForHandover(): Promise<void> {
      await request({ type: 'gateway:handover' }, 'gateway:handover');
    },
    /** Disconnects from the primary, so that the channel does not keep the process alive. */
    leave: (): void => void worker.disconnect(),
  };
}
