// One base URL of a proxy: its circuit, its probes and its connections.

import { LightAbort, onSignalAbort } from '../abortable.ts';
import type { Log } from '../log.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts';
import type { Dispatch, UpstreamRequest } from './dispatch.ts';
import { type MeasuresOptions, withMeasures } from './measures.ts';
import { createSilenceWatch, type SilenceWatch } from './probes.ts';
import { createProxyClient, type ProxyClientOptions } from './proxy-client.ts';
import { badResponse, isRateLimit, UpstreamFailure } from './upstream-failure.ts';

export interface ProxyBase {
  /** `https://doi.org`, without a final slash */
  readonly base: string;
  readonly circuit: Circuit;
  /** Makes one attempt, even if the circuit is open. */
  readonly dispatch: Dispatch;
  close(): Promise<void>;
}

export interface ProxyBaseOptions
  extends ProxyClientOptions,
    MeasuresOptions,
    Pick<CircuitOptions, 'random' | 'maxProbeIntervalMs' | 'onFailedUntil' | 'firstConnectionMs'> {
  readonly time: MeasuresOptions['time'];
  /** The directory, or a service of an agency. Without the service, only its metadata is missing. */
  readonly kind: 'directory' | 'service';
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
}

/** A probe looks up two names, because the look-up of a single name can hang. */
const NAMES_PER_PROBE = 2;

export function createProxyBase(options: ProxyBaseOptions): ProxyBase {
  const { time, kind, log, troubles, metrics, timeoutMs } = options;
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
      metrics?.directoryCircuit.set({ base, kind }, failure ? 1 : 0);
      if (failure)
        troubles.warn(`held back ${base}`, { err: failure, base }, 'requests to the directory are held back');
      else log.info({ base }, 'requests to the directory are sent again');
      options.onCircuit();
    },
  });
  metrics?.directoryCircuit.set({ base, kind }, 0);
  const silence = options.watchesSilence ? createSilenceWatch(time, circuit.checkSilence) : null;
  const dispatchProbe = withMeasures(base, options, silence, probeClient.dispatch);

  /** Sends all requests of a probe together. The first answer ends the probe, because a single look-up can hang. */
  async function probe(signal: AbortSignal): Promise<UpstreamFailure | null> {
    const sendOne = async (request: UpstreamRequest<unknown>): Promise<void> => {
      const abort = new LightAbort();
      const stopListening = onSignalAbort(signal, () => abort.abort(signal.reason));
      const end = await options.waitToSendProbe?.();
      try {
        if (abort.isAborted) throw abort.reason;
        const { failure } = await dispatchProbe(request, { abort, requester: null });
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

  return {
    base,
    circuit,
    dispatch: withCircuit(circuit, silence, withMeasures(base, options, silence, client.dispatch)),
    async close(): Promise<void> {
      circuit.end();
      await Promise.all([client.close(), probeClient.close()]);
    },
  };
}

/** Reports the result of each request to the circuit. */
function withCircuit(circuit: Circuit, silence: SilenceWatch | null, dispatch: Dispatch): Dispatch {
  function failed(request: UpstreamRequest<unknown>, failure: UpstreamFailure): void {
    if (!request.isOptional || isRateLimit(failure)) circuit.failed(failure, request.subject ?? request.path);
  }

  return async (request, attempt) => {
    if (attempt.abort.isAborted) throw attempt.abort.reason;
    silence?.begin();
    try {
      const result = await dispatch(request, attempt);
      if (result.failure) failed(request, result.failure);
      else circuit.answered();
      return result;
    } catch (error) {
      if (error instanceof UpstreamFailure) failed(request, error);
      throw error;
    } finally {
      silence?.end();
    }
  };
}
