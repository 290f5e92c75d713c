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
  /** what a failure is about: many subjects that fail are a sign of illness; left out: the path without its query */
  readonly subject?: string;
  /** Whether the answer reports a failure of the directory. It is returned only if no base has a better one. */
  reportsFailure?(answer: T): boolean;
  /** whether clients do without an answer: then its failures are no sign of illness; left out: they do not */
  readonly isOptional?: boolean;
}

export interface AttemptResult<T> {
  readonly answer: T;
  readonly head: ResponseHead;
  /** the failure of the directory that the answer reports; else null */
  readonly failure: UpstreamFailure | null;
}

export interface ProxyBase {
  readonly base: string;
  readonly circuit: Circuit;
  /** One attempt, even if the circuit is open. Rejects with an UpstreamFailure, or with the reason of `sentFor`. */
  attempt<T>(
    request: UpstreamRequest<T>,
    sentFor: AttemptAbort,
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
  /** between the starts of two probes, at most */
  readonly maxProbeIntervalMs: number;
  /** whether to send a probe if look-ups wait and no response arrives */
  readonly watchesSilence: boolean;
  /** the requests of the next probe, which are sent together */
  readonly probes: () => readonly UpstreamRequest<unknown>[];
  /** Waits until a request of a probe may be sent; returns what to call when it has ended. Left out: at any time. */
  readonly waitToSendProbe?: () => Promise<() => void>;
  /** called when the circuit opens or closes: look-ups that wait must check again */
  readonly onCircuit: () => void;
  readonly log: Log;
  readonly troubles: TroubleLog;
  readonly metrics: DirectoryMetrics | null;
}

/** Names that one probe looks up. */
const NAMES_OF_PROBE = 2;

export function createProxyBase(options: ProxyBaseOptions): ProxyBase {
  const { time, random, log, troubles, metrics, timeoutMs } = options;
  const client = createProxyClient(options);
  // Probes have their own connections, because names that hang may block the others. A probe without response runs
  // until its timeout, and the next probe must not wait for its connection.
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
    onChange(by) {
      metrics?.directoryCircuit.set({ base }, by ? 1 : 0);
      if (by)
        troubles.warn(`held back ${base}`, { err: by, base }, 'requests to the directory are held back');
      else log.info({ base }, 'requests to the directory are sent again');
      options.onCircuit();
    },
  });
  metrics?.directoryCircuit.set({ base }, 0);
  const silence = options.watchesSilence ? createSilenceWatch(time, circuit.checkSilence) : null;

  async function send<T>(
    from: typeof client,
    request: UpstreamRequest<T>,
    sentFor: AttemptAbort,
    traceparent?: string,
  ): Promise<AttemptResult<T>> {
    const startedAt = time.now();
    try {
      const { head, answer } = await from.get(request.path, request.reader, sentFor, traceparent);
      silence?.responded(time.now() - startedAt);
      return { head, answer, failure: request.reportsFailure?.(answer) ? failureOfHead(head) : null };
    } catch (error) {
      const ms = time.now() - startedAt;
      if (error instanceof UpstreamFailure && hasResponse(error)) silence?.responded(ms);
      throw isSlow(error, ms) ? failureOfTransport(error, true) : error;
    }
  }

  /** Whether the deadline ended an attempt that had used at least half of its timeout. */
  function isSlow(error: unknown, ms: number): boolean {
    return isPastDeadline(error) && ms >= timeoutMs / 2;
  }

  async function measured<T>(
    face: UpstreamRequest<T>['endpoint'],
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
      metrics?.directoryRequests.inc({ face, outcome });
      metrics?.directorySeconds.observe({ face }, (time.now() - startedAt) / 1_000);
    }
  }

  /** Sends all requests of a probe together. One answer is enough, because a single name may hang. */
  async function probe(signal: AbortSignal): Promise<UpstreamFailure | null> {
    const sent: LightAbort[] = [];
    const endAll = (): void => {
      for (const each of sent) each.abort(signal.reason);
    };
    const sendOne = async (request: UpstreamRequest<unknown>): Promise<void> => {
      const sentFor = new LightAbort();
      sent.push(sentFor);
      const end = await options.waitToSendProbe?.();
      try {
        if (sentFor.isAborted) throw sentFor.reason;
        const { failure } = await measured(request.endpoint, () => send(probeClient, request, sentFor));
        if (failure) throw failure;
      } finally {
        end?.();
      }
    };
    const forget = onAbort(signal, endAll);
    try {
      await Promise.any(options.probes().map(sendOne));
      return null;
    } catch (error) {
      const failures = (error as AggregateError).errors.filter((one) => one instanceof UpstreamFailure);
      return failures.find(isRateLimit) ?? failures[0] ?? badResponse(error);
    } finally {
      forget();
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
    async attempt(request, sentFor, requester) {
      if (sentFor.isAborted) throw sentFor.reason;
      silence?.begin();
      try {
        const answered = await measured(request.endpoint, () =>
          tracedRequest(base, request, requester, (traceparent) =>
            send(client, request, sentFor, options.sendsTrace ? traceparent : undefined),
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

/** The path without its query: the same for all flags of one name. */
function pathOf({ path }: UpstreamRequest<unknown>): string {
  return path.replace(/\?.*$/, '');
}
