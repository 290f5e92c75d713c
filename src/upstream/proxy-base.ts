// One base URL of a proxy. Measures each request, and reports its result to the circuit.

import { LightAbort, onSignalAbort } from '../directory/abortable.ts';
import type { Requester } from '../directory/requester.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { type CircuitOptions, createCircuit } from './circuit.ts';
import type { Time } from './deadlines.ts';
import { createSilenceWatch } from './probes.ts';
import { type AttemptAbort, createProxyClient, type ProxyClientOptions } from './proxy-client.ts';
import { failureOfHead, type ReadResponse, type ResponseReader } from './response-body.ts';
import {
  badResponse,
  failureOfTransport,
  hasResponse,
  isPastDeadline,
  isRateLimit,
  UpstreamFailure,
} from './upstream-failure.ts';

/** The kinds of requests, and their paths as the names of their spans. */
const ROUTES = {
  handles: '/api/handles/{name}',
  doiRA: '/doiRA/{names}',
  probe: '/api/handles/{name}',
  metadata: '/{name}',
  works: '/works',
} as const;

/** A request to a proxy, and the reader of its response. */
export interface UpstreamRequest<T> {
  readonly endpoint: keyof typeof ROUTES;
  /** the path below the base URL, sent unchanged */
  readonly path: string;
  readonly reader: ResponseReader<T>;
  /** The name that the request is about. If many subjects fail, the circuit sends a probe. Default: the path. */
  readonly subject?: string;
  /** Whether the answer reports a failure of the directory. It is returned only if no base has a better answer. */
  reportsFailure?(answer: T): boolean;
  /** True if clients can work without the answer. The circuit then ignores failures, except a 429. Default: false. */
  readonly isOptional?: boolean;
}

export interface AttemptResult<T> extends ReadResponse<T> {
  /** the failure of the directory that the answer reports; null if it reports none */
  readonly failure: UpstreamFailure | null;
}

export type ProxyBase = ReturnType<typeof createProxyBase>;

export type DirectoryMetrics = Pick<
  Metrics,
  'directoryRequests' | 'directorySeconds' | 'directoryCircuit' | 'directoryQueue'
>;

export interface ProxyBaseOptions
  extends ProxyClientOptions,
    Pick<CircuitOptions, 'random' | 'maxProbeIntervalMs' | 'onGiveUp' | 'firstConnectionMs'> {
  readonly time: Time;
  /** whether requests carry `traceparent` */
  readonly sendsTrace: boolean;
  /** whether to send a probe when look-ups wait and no response arrives */
  readonly watchesSilence: boolean;
  /** Returns the requests of the next probe. The base sends these requests together. */
  readonly probes: () => readonly UpstreamRequest<unknown>[];
  /** Waits before each request of a probe. Returns a function to call when the request has ended. Default: no wait. */
  readonly waitToSendProbe?: () => Promise<() => void>;
  /** called when the circuit opens or closes, because waiting look-ups must then check the circuit again */
  readonly onCircuit: () => void;
  readonly log: Log;
  readonly troubles: TroubleLog;
  readonly metrics: DirectoryMetrics | null;
}

const MAX_URL_CHARACTERS = 500;
/** A probe looks up two names, because the look-up of a single name can hang. */
const NAMES_PER_PROBE = 2;

export function createProxyBase(options: ProxyBaseOptions) {
  const { time, log, troubles, metrics, timeoutMs } = options;
  const client = createProxyClient(options);
  // Probes have their own connections, because look-ups that hang can use all other connections. A probe that gets no
  // response ends after `timeoutMs`. Probes start at intervals of at least half of `maxProbeIntervalMs`, but the first
  // three can start sooner. So this is the maximum number of probes that run at the same time.
  const probesAtOnce = Math.ceil((2 * timeoutMs) / options.maxProbeIntervalMs) + 3;
  const probeClient = createProxyClient({ ...options, maxConnections: NAMES_PER_PROBE * probesAtOnce });
  const { base } = client;
  const circuit = createCircuit({
    ...options,
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

  /** Sends one request. Adds it to the metrics, and to the tally and the trace of the requester. */
  async function send<T>(
    sender: typeof client,
    request: UpstreamRequest<T>,
    abort: AttemptAbort,
    requester?: Requester,
  ): Promise<AttemptResult<T>> {
    const { endpoint, path, reader } = request;
    const startedAt = time.now();
    requester?.tally?.sent();
    const span = requester?.span?.child(`GET ${ROUTES[endpoint]}`, 'CLIENT', {
      'http.request.method': 'GET',
      'url.full': `${base}${path}`.slice(0, MAX_URL_CHARACTERS),
      'doi_gateway.request_id': requester.requestId,
    });
    let outcome: string | undefined = 'aborted';
    try {
      const traceparent = options.sendsTrace ? span?.traceparent : undefined;
      const { head, answer } = await sender.get(path, reader, abort, traceparent);
      span?.set({ 'http.response.status_code': head.status });
      silence?.responded(time.now() - startedAt);
      const failure = request.reportsFailure?.(answer) ? failureOfHead(head) : null;
      outcome = failure?.code;
      return { head, answer, failure };
    } catch (error) {
      const ms = time.now() - startedAt;
      if (error instanceof UpstreamFailure && hasResponse(error)) silence?.responded(ms);
      // An attempt that the deadline ended counts as a timeout if it had at least half of its time.
      const isSlow = isPastDeadline(error) && ms >= timeoutMs / 2;
      const failure = isSlow ? failureOfTransport(error, true) : error;
      if (failure instanceof UpstreamFailure) outcome = failure.code;
      throw failure;
    } finally {
      metrics?.directoryRequests.inc({ face: endpoint, outcome: outcome ?? 'ok' });
      metrics?.directorySeconds.observe({ face: endpoint }, (time.now() - startedAt) / 1_000);
      span?.end(outcome);
    }
  }

  /** Sends all requests of a probe together. The first answer ends the probe, because a single look-up can hang. */
  async function probe(signal: AbortSignal): Promise<UpstreamFailure | null> {
    const sendOne = async (request: UpstreamRequest<unknown>): Promise<void> => {
      const abort = new LightAbort();
      const stopListening = onSignalAbort(signal, () => abort.abort(signal.reason));
      const end = await options.waitToSendProbe?.();
      try {
        if (abort.isAborted) throw abort.reason;
        const { failure } = await send(probeClient, request, abort);
        if (failure) throw failure;
      } finally {
        end?.();
        stopListening();
      }
    };
    try {
      await Promise.any(options.probes().map(sendOne));
      return null;
    } catch (error) {
      const { errors } = error as AggregateError;
      const failures = errors.filter((failure) => failure instanceof UpstreamFailure);
      return failures.find(isRateLimit) ?? failures[0] ?? badResponse(error);
    }
  }

  function failed(request: UpstreamRequest<unknown>, failure: UpstreamFailure): void {
    if (!request.isOptional || isRateLimit(failure)) circuit.failed(failure, request.subject ?? request.path);
  }

  return {
    base,
    circuit,
    /** Makes one attempt, even if the circuit is open. Rejects with an UpstreamFailure, or with the reason of `abort`. */
    async attempt<T>(
      request: UpstreamRequest<T>,
      abort: AttemptAbort,
      requester: Requester,
    ): Promise<AttemptResult<T>> {
      if (abort.isAborted) throw abort.reason;
      silence?.begin();
      try {
        const answered = await send(client, request, abort, requester);
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
    async close(): Promise<void> {
      circuit.end();
      await Promise.all([client.close(), probeClient.close()]);
    },
  };
}
