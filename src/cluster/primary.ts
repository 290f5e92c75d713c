// The primary process of a cluster: it starts workers, replaces workers that die, and ends them together.

import type { SendHandle, Serializable } from 'node:child_process';
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Log } from '../log.ts';
import { createMetricsMerger, isToPrimary, type ToPrimary } from './merge-metrics.ts';

/** More deaths than these within that time, and another worker would not fare better. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 10_000;

type Listening = Extract<ToPrimary, { type: 'gateway:listening' }>;

export interface WorkersOptions {
  readonly count: number;
  /** of each; null: as for this process */
  readonly heapMiB: number | null;
  /** how long workers may take to end before they are killed */
  readonly endWithinMs: number;
  readonly log: Log;
}

export interface Workers {
  /** Hands a signal on to all workers, and starts none from now on. */
  stop(signal: NodeJS.Signals): void;
  /** Hands a signal on that ends nothing. */
  send(signal: NodeJS.Signals): void;
  /** resolves when no worker is left, with the exit status of the whole */
  readonly ended: Promise<number>;
}

/** Starts one worker, and the others once it listens: what stops a start is said once. */
export function startWorkers({ count, heapMiB, endWithinMs, log }: WorkersOptions): Workers {
  const listening = new Set<Worker>();
  const merger = createMetricsMerger();
  let deaths: number[] = [];
  let stopping = false;
  let announced = false;
  let hasListened = false;
  let status = 0;
  let finish = (_status: number) => {};
  const ended = new Promise<number>((resolve) => {
    finish = resolve;
  });

  cluster.on('message', (worker, message: unknown) => {
    if (!isToPrimary(message)) return;
    if (message.type === 'gateway:listening') welcome(worker, message);
    else if (message.type === 'gateway:own') merger.take(worker, message.round, message.metrics);
    else if (message.type === 'gateway:turn') worker.send(message, () => {});
    else merger.merge(worker, [...listening]);
  });
  cluster.on('exit', (worker, code, signal) => {
    listening.delete(worker);
    merger.forget(worker);
    if (stopping && code > 0) status = 1;
    if (!stopping) replace(worker, signal ?? `exit status ${code}`);
    if (stopping && running().length === 0) finish(status);
  });
  if (heapMiB !== null) {
    cluster.setupPrimary({ execArgv: [...process.execArgv, `--max-old-space-size=${heapMiB}`] });
  }
  forkWorker();
  return { stop, send: forward, ended };

  function welcome(worker: Worker, { line, heap }: Listening): void {
    listening.add(worker);
    log.debug(`Worker ${worker.process.pid} listens.`);
    if (!hasListened && !stopping) for (let started = 1; started < count; started += 1) forkWorker();
    hasListened = true;
    if (announced || listening.size < count) return;
    announced = true;
    log.info(heap, `${line} ${count} workers share the port.`);
  }

  function replace({ process: { pid } }: Worker, how: string): void {
    const now = Date.now();
    deaths = [...deaths.filter((at) => at > now - DEATHS_WITHIN_MS), now];
    // A first worker that cannot start has said itself why.
    if (!hasListened) giveUp();
    else if (deaths.length > MAX_DEATHS) {
      log.error(
        `Worker ${pid} ended by ${how}, number ${deaths.length} within a short time. The gateway gives up.`,
      );
      giveUp();
    } else {
      log.warn(`Worker ${pid} ended by ${how}. Another takes its place.`);
      forkWorker();
    }
  }

  function giveUp(): void {
    status = 1;
    stop('SIGTERM');
  }

  function stop(signal: NodeJS.Signals): void {
    if (!stopping) setTimeout(() => forward('SIGKILL'), endWithinMs).unref();
    stopping = true;
    forward(signal);
  }
}

/**
 * Node leaves a connection open that it was just handing to a worker that dies, so that its client waits for ever.
 * Ending it again where the worker had taken it does nothing.
 */
function forkWorker(): void {
  const worker = cluster.fork();
  const { process: child } = worker;
  const send = child.send.bind(child);
  let handed: { close?(): void } | null = null;
  child.send = ((message: Serializable, handle?: SendHandle, ...rest: []) => {
    if (handle) handed = handle as { close?(): void };
    return send(message, handle, ...rest);
  }) as typeof child.send;
  worker.once('exit', () => handed?.close?.());
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function forward(signal: NodeJS.Signals): void {
  for (const worker of running()) worker.process.kill(signal);
}
