// The primary process of a cluster. It starts the workers, replaces workers that die or do not answer, and stops them
// together.

import type { SendHandle } from 'node:child_process';
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Log } from '../log.ts';
import { createAnswerWatch, PING_EVERY_MS, SILENT_SECONDS } from './answer-watch.ts';
import { createMetricsMerger, isMessage, type ToPrimary, type ToWorker } from './merge-metrics.ts';

/** If more workers than this end unexpectedly within DEATHS_WITHIN_MS, the gateway stops. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 10_000;

interface Closable {
  close?(): void;
}

type Listening = Extract<ToPrimary, { type: 'gateway:listening' }>;

interface WorkersOptions {
  readonly count: number;
  /** the heap limit of each worker; null: the limit of this process */
  readonly heapMiB: number | null;
  /** after this time, a stop kills the remaining workers */
  readonly endWithinMs: number;
  readonly log: Log;
}

/** Starts one worker. When this worker listens, starts the others. So an error at the start is logged only once. */
export function startWorkers({ count, heapMiB, endWithinMs, log }: WorkersOptions) {
  const listening = new Set<Worker>();
  const answerWatch = createAnswerWatch<Worker>();
  const merger = createMetricsMerger();
  let deaths: number[] = [];
  let isStopping = false;
  let isAnnounced = false;
  let hasListened = false;
  let status = 0;
  let finish = (_status: number) => {};
  const ended = new Promise<number>((resolve) => {
    finish = resolve;
  });

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage<ToPrimary>(message)) return;
    if (message.type === 'gateway:listening') onListening(worker, message);
    else if (message.type === 'gateway:answer') answerWatch.answered(worker);
    else if (message.type === 'gateway:own') merger.take(worker, message.round, message.metrics);
    // Node sends messages in order, so this message arrives after the connections that were handed over before it.
    else if (message.type === 'gateway:handover') worker.send(message, () => {});
    else void merger.merge(worker, [...listening]);
  });
  cluster.on('exit', (worker, code, signal) => {
    listening.delete(worker);
    merger.workerEnded(worker);
    if (isStopping && code > 0) status = 1;
    if (!isStopping) replace(worker, signal ?? `exit status ${code}`);
    if (isStopping && runningWorkers().length === 0) finish(status);
  });
  if (heapMiB !== null) {
    cluster.setupPrimary({ execArgv: [...process.execArgv, `--max-old-space-size=${heapMiB}`] });
  }
  forkWorker();
  setInterval(checkWorkers, PING_EVERY_MS).unref();
  return {
    stop,
    /** Sends all workers a signal that does not end them. */
    send: forward,
    /** resolves with the exit status of the gateway, when all workers have ended */
    ended,
  };

  function onListening(worker: Worker, { line, heap }: Listening): void {
    listening.add(worker);
    log.debug(`Worker ${worker.process.pid} listens.`);
    if (!hasListened && !isStopping) for (let started = 1; started < count; started += 1) forkWorker();
    hasListened = true;
    if (isAnnounced || listening.size < count) return;
    isAnnounced = true;
    log.info(heap, `${line} ${count} workers share the port.`);
  }

  /** Kills workers that do not answer. `exit` follows, and then the primary replaces them. */
  function checkWorkers(): void {
    if (isStopping) return;
    for (const worker of listening) {
      const next = answerWatch.next(worker);
      if (next === 'ping') worker.send({ type: 'gateway:answer' } satisfies ToWorker, () => {});
      else if (next === 'kill') {
        log.error(
          `Worker ${worker.process.pid} has not answered for ${SILENT_SECONDS} seconds. The gateway kills it.`,
        );
        worker.process.kill('SIGKILL');
      }
    }
  }

  function replace({ process: { pid } }: Worker, cause: string): void {
    const now = performance.now();
    deaths = [...deaths.filter((at) => at > now - DEATHS_WITHIN_MS), now];
    // The first worker could not start. It has already logged the reason.
    if (!hasListened) stopWithError();
    else if (deaths.length > MAX_DEATHS) {
      log.error(
        `Worker ${pid} ended by ${cause}. ${deaths.length} workers have ended within ${DEATHS_WITHIN_MS / 1_000} seconds. The gateway stops.`,
      );
      stopWithError();
    } else {
      log.warn(`Worker ${pid} ended by ${cause}. The gateway starts another worker.`);
      forkWorker();
    }
  }

  function stopWithError(): void {
    status = 1;
    stop('SIGTERM');
  }

  /** Sends all workers a signal that ends them, and starts no more workers. */
  function stop(signal: NodeJS.Signals): void {
    if (!isStopping) setTimeout(() => forward('SIGKILL'), endWithinMs).unref();
    isStopping = true;
    forward(signal);
  }
}

/**
 * Starts a worker. When the worker ends, closes the connections that the worker may not have taken. These are the last
 * connection of each port, and each connection that Node hands over before Node sees that the channel is closed. Node
 * would never close such a connection, and its client would wait for ever.
 */
function forkWorker(): void {
  const worker = cluster.fork();
  const { process: child } = worker;
  const send = child.send.bind(child);
  const lastOfPort = new Map<string, Closable>();
  child.send = ((message: { readonly key?: string }, handle?: SendHandle, ...more: []) => {
    if (handle) lastOfPort.set(message.key ?? '', handle as Closable);
    const sent = send(message, handle, ...more);
    if (worker.isDead()) closeAll();
    return sent;
  }) as typeof child.send;
  worker.once('exit', closeAll);

  function closeAll(): void {
    for (const handle of lastOfPort.values()) handle.close?.();
  }
}

/** The workers that run. Node also lists a worker that has ended, until the channel of the worker is closed. */
function runningWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isDead() === false ? worker : []));
}

function forward(signal: NodeJS.Signals): void {
  for (const worker of runningWorkers()) worker.process.kill(signal);
}
