// One base URL of a proxy: each request is counted, and the circuit is told how it ended.

import { OwnAbort, onAbort } from '../directory/abortable.ts';
import type { Asker } from '../directory/asker.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts';
import { isRateLimit } from './holding.ts';
import { type AnswerHead, type AnswerReader, single } from './http-answer.ts';
import { createProxyClient, type ProxyClientOptions, type SentFor, tracedRequest } from './proxy-client.ts';
import type { Time } from './question-deadline.ts';
import { createSilence } from './silence.ts';
import {
  badResponse,
  failureOfStatus,
  failureOfTransport,
  hasResponse,
  isDeadline,
  UpstreamFailure,
} from './upstream-failure.ts';

/** What is asked of a proxy, and how its answer is read. */
export interface Question<T> {
  readonly face: 'handles' | 'doiRA' | 'probe' | 'metadata';
  /** below the base, exactly as it is sent */
  readonly path: string;
  readonly reader: AnswerReader<T>;
  /** An answer that says the directory failed. It counts if no better one is to be had. */
  isPoor?(answer: T): boolean;
}

export interface Answer<T> {
  readonly answer: T;
  readonly head: Pick<AnswerHead, 'status'>;
  /** where the answer is poor: what it says of the directory */
  readonly poor: UpstreamFailure | null;
}

export interface ProxyBase {
  readonly base: string;
  readonly circuit: Circuit;
  /** One attempt, whatever the circuit says. Rejects with an UpstreamFailure, or with the reason of `sentFor`. */
  ask<T>(question: Question<T>, sentFor: SentFor, asker: Asker): Promise<Answer<T>>;
  close(): Promise<void>;
}

export type DirectoryMetrics = Pick<
  Metrics,
  'directoryRequests' | 'directorySeconds' | 'directoryCircuit' | 'directoryQueue'
>;

export interface ProxyBaseOptions
  extends ProxyClientOptions,
    Pick<CircuitOptions, 'onGiveUp' | 'firstConnectionMs'> {
  readonly time: Time;
  readonly random: () => number;
  /** whether requests carry `traceparent` */
  readonly sendsTrace: boolean;
  /** between the starts of two probes, at most */
  readonly maxProbePauseMs: number;
  /** whether a probe is sent where look-ups wait and no response arrives */
  readonly watchesSilence: boolean;
  /** what to ask for to find out how the directory is, one after the other */
  readonly probes: () => readonly Question<unknown>[];
  /** is told whenever questions that wait may have something to hope for, or no more */
  readonly onCircuit: () => void;
  readonly log: Log;
  readonly troubles: TroubleLog;
  readonly metrics: DirectoryMetrics | null;
}

/** Names that one probe looks up at once. */
const NAMES_OF_PROBE = 2;

export function createProxyBase(options: ProxyBaseOptions): ProxyBase {
  const { time, random, log, troubles, metrics, timeoutMs } = options;
  const client = createProxyClient(options);
  // Own connections: all connections of clients may wait for names that hang. A probe without response stays under
  // way until its timeout, and the next one must not wait for its connection.
  const probesAtOnce = Math.ceil((2 * timeoutMs) / options.maxProbePauseMs) + 3;
  const probeClient = createProxyClient({ ...options, maxConnections: NAMES_OF_PROBE * probesAtOnce });
  const { base } = client;
  const circuit = createCircuit({
    time,
    random,
    maxPauseMs: options.maxProbePauseMs,
    onGiveUp: options.onGiveUp,
    firstConnectionMs: options.firstConnectionMs,
    hasConnected: () => client.hasConnected || probeClient.hasConnected,
    probe,
    onChange(by) {
      metrics?.directoryCircuit.set({ base }, by ? 1 : 0);
      if (by)
        troubles.warn(`held back ${base}`, { err: by, base }, 'requests to the directory are held back');
      else log.info({ base }, 'requests to the directory are sent again');
      options.onCircuit();
    },
  });
  metrics?.directoryCircuit.set({ base }, 0);
  const silence = options.watchesSilence ? createSilence(time, circuit.checkSilence) : null;

  async function send<T>(
    from: typeof client,
    question: Question<T>,
    sentFor: SentFor,
    traceparent?: string,
  ): Promise<Answer<T>> {
    const startedAt = time.now();
    try {
      const { head, answer } = await from.get(question.path, question.reader, sentFor, traceparent);
      silence?.responded(time.now() - startedAt);
      return { head, answer, poor: question.isPoor?.(answer) ? failureOfHead(head) : null };
    } catch (error) {
      const ms = time.now() - startedAt;
      if (error instanceof UpstreamFailure && hasResponse(error)) silence?.responded(ms);
      throw isSlow(error, ms) ? failureOfTransport(error, true) : error;
    }
  }

  /** Whether the deadline ended an attempt that had much of its own time already. */
  function isSlow(error: unknown, ms: number): boolean {
    return isDeadline(error) && ms >= timeoutMs / 2;
  }

  async function measured<T>(face: Question<T>['face'], work: () => Promise<Answer<T>>): Promise<Answer<T>> {
    const startedAt = time.now();
    let outcome = 'aborted';
    try {
      const answered = await work();
      outcome = answered.poor ? 'UPSTREAM_UNAVAILABLE' : 'ok';
      return answered;
    } catch (error) {
      if (error instanceof UpstreamFailure) outcome = error.code;
      throw error;
    } finally {
      metrics?.directoryRequests.inc({ face, outcome });
      metrics?.directorySeconds.observe({ face }, (time.now() - startedAt) / 1_000);
    }
  }

  /** Asks all at once. One answer is enough: a name may hang by itself. */
  async function probe(signal: AbortSignal): Promise<UpstreamFailure | null> {
    const sent: OwnAbort[] = [];
    const endAll = (): void => {
      for (const each of sent) each.abort(signal.reason);
    };
    const ask = async (question: Question<unknown>): Promise<void> => {
      const sentFor = new OwnAbort();
      sent.push(sentFor);
      const { poor } = await measured(question.face, () => send(probeClient, question, sentFor));
      if (poor) throw poor;
    };
    const forget = onAbort(signal, endAll);
    try {
      await Promise.any(options.probes().map(ask));
      return null;
    } catch (error) {
      const failures = (error as AggregateError).errors.filter((one) => one instanceof UpstreamFailure);
      return failures.find(isRateLimit) ?? failures[0] ?? badResponse(error);
    } finally {
      forget();
      endAll();
    }
  }

  return {
    base,
    circuit,
    async ask(question, sentFor, asker) {
      if (sentFor.isAborted) throw sentFor.reason;
      silence?.begin();
      try {
        const answered = await measured(question.face, () =>
          tracedRequest(base, question, asker, (traceparent) =>
            send(client, question, sentFor, options.sendsTrace ? traceparent : undefined),
          ),
        );
        if (answered.poor) circuit.failed(answered.poor, pathOf(question));
        else circuit.answered();
        return answered;
      } catch (error) {
        if (error instanceof UpstreamFailure) circuit.failed(error, pathOf(question));
        throw error;
      } finally {
        silence?.end();
      }
    },
    async close() {
      circuit.end();
      await Promise.all([client.close(), probeClient.close()]);
    },
  };
}

function failureOfHead({ status, headers }: AnswerHead): UpstreamFailure {
  return failureOfStatus(status, single(headers['retry-after']));
}

/** What was asked about, however it was asked. */
function pathOf({ path }: Question<unknown>): string {
  return path.replace(/\?.*$/, '');
}
