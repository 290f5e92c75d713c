// One base URL of a proxy: a request is sent where the circuit allows, and is counted.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { createProxyClient, type JsonResponse, type ProxyClientOptions } from './proxy-client.ts';
import type { Time } from './question-deadline.ts';
import { failureOfTransport, UpstreamFailure } from './upstream-failure.ts';

/** What is asked of a proxy, and how its answer is read. */
export interface Question<T> {
  readonly face: 'handles' | 'doiRA';
  /** below the base, exactly as it is sent */
  readonly path: string;
  /** Throws an UpstreamFailure for what is no answer. */
  read(response: JsonResponse): T;
  /** An answer that says the directory failed. It counts if no better one is to be had. */
  isPoor?(answer: T): boolean;
}

export interface Answer<T> {
  readonly answer: T;
  readonly response: JsonResponse;
}

export interface ProxyBase {
  readonly base: string;
  readonly circuit: Circuit;
  /** One attempt. Rejects with an UpstreamFailure, or with the signal's reason. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>>;
  close(): Promise<void>;
}

export type DirectoryMetrics = Pick<
  Metrics,
  'directoryRequests' | 'directorySeconds' | 'directoryCircuit' | 'directoryQueue'
>;

export interface ProxyBaseOptions extends ProxyClientOptions {
  readonly time: Time;
  readonly log: Log;
  readonly metrics: DirectoryMetrics | null;
}

export function createProxyBase(options: ProxyBaseOptions): ProxyBase {
  const { time, log, metrics, timeoutMs } = options;
  const client = createProxyClient(options);
  const { base } = client;
  const circuit = createCircuit({
    time,
    onChange(openedBy) {
      metrics?.directoryCircuit.set({ base }, openedBy ? 1 : 0);
      if (openedBy) log.warn({ err: openedBy, base }, 'requests to the directory are held back');
      else log.info({ base }, 'requests to the directory are sent again');
    },
  });
  metrics?.directoryCircuit.set({ base }, 0);

  async function send<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
    const startedAt = time.now();
    try {
      const response = await client.getJson(question.path, signal);
      return { response, answer: question.read(response) };
    } catch (error) {
      throw isSlow(error, time.now() - startedAt) ? failureOfTransport(error, true) : error;
    }
  }

  /** Whether the deadline ended an attempt that had much of its own time already. */
  function isSlow(error: unknown, ms: number): boolean {
    return error instanceof UpstreamFailure && error.kind === 'DEADLINE' && ms >= timeoutMs / 2;
  }

  async function measured<T>(question: Question<T>, work: () => Promise<Answer<T>>): Promise<Answer<T>> {
    const { face } = question;
    const startedAt = time.now();
    let outcome = 'aborted';
    try {
      const answered = await work();
      outcome = question.isPoor?.(answered.answer) ? 'UPSTREAM_UNAVAILABLE' : 'ok';
      return answered;
    } catch (error) {
      if (error instanceof UpstreamFailure) outcome = error.code;
      throw error;
    } finally {
      metrics?.directoryRequests.inc({ face, outcome });
      metrics?.directorySeconds.observe({ face }, (time.now() - startedAt) / 1_000);
    }
  }

  return {
    base,
    circuit,
    async ask(question, signal) {
      signal.throwIfAborted();
      return circuit.run(() => measured(question, () => send(question, signal)));
    },
    close: () => client.close(),
  };
}
