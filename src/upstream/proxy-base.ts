// One base URL of a proxy. Counts each request and reports its result to the circuit.

import { LightAbort, onAbort } from '../directory/abortable.ts';
import type { Requester } from '../directory/requester.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts';
import type { Time } from './deadlines.ts';
import { isRateLimit } from './holding.ts';
import { createSilenceWatch } from './probes.ts';
import {
  type AttemptAbort,
  createProxyClient,
  type ProxyClientOptions,
  tracedRequest,
} from './proxy-client.ts';
import {
  badResponse,
  failureOfStatus,
  failureOfTransport,
  hasResponse,
  isPastDeadline,
  UpstreamFailure,
} from './upstream-failure.ts';
import { firstValue, type ResponseHead, type ResponseReader } from './upstream-response.ts';

/** A request to a proxy, and the reader of its response. */
export interface UpstreamRequest<T> {
  readonly endpoint: 'handles' | 'doiRA' | 'probe' | 'metadata' | 'works';
  /** below the base, exactly as sent */
  readonly path: string;
  readonly reader: ResponseReader<T>;
  /**
   * The name that a failure concerns. If many subjects fail, the circuit checks the base. Default: the path without
   * query.
   */
  readonly subject?: string;
  /**
   * Whether the answer reports a failure of the directory. The gateway returns such an answer only if no base gives a
   * better answer.
   */
  reportsFailure?(answer: T): boolean;
  /**
   * Whether clients can work without the answer. If so, the circuit ignores its failures, except a 429. Default: false.
   */
  readonly isOptional?: boolean;
}

export interface AttemptResult<T> {
  readonly answer: T;
  readonly head: ResponseHead;
  /** The failure of the directory that the answer reports, else null. */
  readonly failure: UpstreamFailure | null;
}

export interface ProxyBase {
  readonly base: string;
  readonly circuit: Circuit;
  /** Makes one attempt, even if the circuit is open. Rejects with an UpstreamFailure, or with the reason of `abort`. */
  attempt<T>(
    request: UpstreamRequest<T>,
    abort: AttemptAbort,
    requester: Requester,
  ): Promise<AttemptResult<T>>;
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
  /** the longest time from the start of one probe to the start of the next */
  readonly maxProbeIntervalMs: number;
  /** whether to send a probe when look-ups wait and no response arrives */
  readonly watchesSilence: boolean;
  /** Returns the requests of the next probe. The base sends them together. */
  readonly probes: () => readonly UpstreamRequest<unknown>[];
  /**
   * Waits until one request of a probe may be sent. Returns a function to call when the request has ended. Default: no
   * wait.
   */
  readonly waitToSendProbe?: () => Promise<() => void>;
  /** called when the circuit opens or closes: look-ups that wait must check it again */
  readonly onCircuit: () => void;
  readonly log: Log;
  readonly troubles: TroubleLog;
  readonly metrics: DirectoryMetrics | null;
}

/** Two, because a single name may hang. */
const NAMES_OF_PROBE = 2;

export function createProxyBase(options: ProxyBaseOptions): ProxyBase {
  const { time, random, log, troubles, metrics, timeoutMs } = options;
  const client = createProxyClient(options);
  // Probes have their own connections, because look-ups that hang may use all the others. A probe without response
  // keeps
  // its connections until its timeout. The next probes need more. Half of a pause is random, so the shortest is half of
  // the longest. The first probes follow each other faster: 3 more.
  const probesAtOnce = Math.ceil((2 * timeoutMs) / options.maxProbeIntervalMs) + 3;
  const probeClient = createProxyClient({ ...options, maxConnections: NAMES_OF_PROBE * probesAtOnce });
  const { base } = client;
  const circuit = createCircuit({
    time,
    random,
    maxIntervalMs: options.maxProbeIntervalMs,
    onGiveUp: options.onGiveUp,
    firstConnectionMs: options.firstConnectionMs,
    hasConnected: () => client.hasConnected || probeClient.hasConnected,
    probe,
    onChange(failure) {
      metrics?.directoryCircuit.set({ base }, failure ? 1 : 0);
      if (failure)
        troubles.warn(`held back ${base}`, { err: failure, base }, 'requests to the directory are held back');
      else log.info({ base }, 'requests to the directory are sent again');
      options.onCircuit();
    },
  });
  metrics?.directoryCircuit.set({ base }, 0);
  const silence = options.watchesSilence ? createSilenceWatch(time, circuit.checkSilence) : null;

  async function send<T>(
    from: typeof client,
    request: UpstreamRequest<T>,
    abort: AttemptAbort,
    traceparent?: string,
  ): Promise<AttemptResult<T>> {
    const startedAt = time.now();
    try {
      const { head, answer } = await from.get(request.path, request.reader, abort, traceparent);
      silence?.responded(time.now() - startedAt);
      return { head, answer, failure: request.reportsFailure?.(answer) ? failureOfHead(head) : null };
    } catch (error) {
      const ms = time.now() - startedAt;
      if (error instanceof UpstreamFailure && hasResponse(error)) silence?.responded(ms);
      throw isSlow(error, ms) ? failureOfTransport(error, true) : error;
    }
  }

  /** Whether the deadline ended an attempt that had already used half of its timeout. */
  function isSlow(error: unknown, ms: number): boolean {
    return isPastDeadline(error) && ms >= timeoutMs / 2;
  }

  async function measured<T>(
    endpoint: UpstreamRequest<T>['endpoint'],
    work: () => Promise<AttemptResult<T>>,
  ): Promise<AttemptResult<T>> {
    const startedAt = time.now();
    let outcome = 'aborted';
    try {
      const answered = await work();
      outcome = answered.failure ? 'UPSTREAM_UNAVAILABLE' : 'ok';
      return answered;
    } catch (error) {
      if (error instanceof UpstreamFailure) outcome = error.code;
      throw error;
    } finally {
      metrics?.directoryRequests.inc({ face: endpoint, outcome });
      metrics?.directorySeconds.observe({ face: endpoint }, (time.now() - startedAt) / 1_000);
    }
  }

  /** Sends all requests of a probe together. The first answer ends the probe, because a single name may hang. */
  async function probe(signal: AbortSignal): Promise<UpstreamFailure | null> {
    const aborts: LightAbort[] = [];
    const endAll = (): void => {
      for (const each of aborts) each.abort(signal.reason);
    };
    const sendOne = async (request: UpstreamRequest<unknown>): Promise<void> => {
      const abort = new LightAbort();
      aborts.push(abort);
      const end = await options.waitToSendProbe?.();
      try {
        if (abort.isAborted) throw abort.reason;
        const { failure } = await measured(request.endpoint, () => send(probeClient, request, abort));
        if (failure) throw failure;
      } finally {
        end?.();
      }
    };
    const stopListening = onAbort(signal, endAll);
    try {
      await Promise.any(options.probes().map(sendOne));
      return null;
    } catch (error) {
      const failures = (error as AggregateError).errors.filter((one) => one instanceof UpstreamFailure);
      return failures.find(isRateLimit) ?? failures[0] ?? badResponse(error);
    } finally {
      stopListening();
      endAll();
    }
  }

  function failed(request: UpstreamRequest<unknown>, failure: UpstreamFailure): void {
    if (!request.isOptional || isRateLimit(failure))
      circuit.failed(failure, request.subject ?? pathOf(request));
  }

  return {
    base,
    circuit,
    async attempt(request, abort, requester) {
      if (abort.isAborted) throw abort.reason;
      silence?.begin();
      try {
        const answered = await measured(request.endpoint, () =>
          tracedRequest(base, request, requester, (traceparent) =>
            send(client, request, abort, options.sendsTrace ? traceparent : undefined),
          ),
        );
        if (answered.failure) failed(request, answered.failure);
        else circuit.answered();
        return answered;
      } catch (error) {
        if (error instanceof UpstreamFailure) failed(request, error);
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

function failureOfHead({ status, headers }: ResponseHead): UpstreamFailure {
  return failureOfStatus(status, firstValue(headers['retry-after']));
}

/** Without the query, because all requests for one name have the same subject. */
function pathOf({ path }: UpstreamRequest<unknown>): string {
  return path.replace(/\?.*$/, '');
}
