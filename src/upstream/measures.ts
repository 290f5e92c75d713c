// Counts, times and traces each request.

import type { Metrics } from '../metrics.ts';
import type { Clock } from '../time.ts';
import type { Dispatch, UpstreamRequest } from './dispatch.ts';
import type { SilenceWatch } from './probes.ts';
import { failureOfTransport, hasResponse, isPastDeadline, UpstreamFailure } from './upstream-failure.ts';

/** The kinds of requests, and their paths as the names of their spans. */
const ROUTES: Readonly<Record<UpstreamRequest<unknown>['endpoint'], string>> = {
  handles: '/api/handles/{name}',
  doiRA: '/doiRA/{names}',
  probe: '/api/handles/{name}',
  metadata: '/{name}',
  works: '/works',
};

export type DirectoryMetrics = Pick<
  Metrics,
  'directoryRequests' | 'directorySeconds' | 'directoryCircuit' | 'directoryQueue'
>;

export interface MeasuresOptions {
  readonly time: Clock;
  readonly timeoutMs: number;
  /** whether requests carry `traceparent` */
  readonly sendsTrace: boolean;
  readonly metrics: DirectoryMetrics | null;
}

const MAX_URL_CHARACTERS = 500;

/** Adds each request to the metrics, and to the tally and the trace of its requester. @param silence hears of responses */
export function withMeasures(
  base: string,
  { time, timeoutMs, sendsTrace, metrics }: MeasuresOptions,
  silence: SilenceWatch | null,
  dispatch: Dispatch,
): Dispatch {
  return async (request, { abort, requester }) => {
    const { endpoint, path } = request;
    const startedAt = time.now();
    requester?.tally?.sent();
    const span = requester?.span?.child(`GET ${ROUTES[endpoint]}`, 'CLIENT', {
      'http.request.method': 'GET',
      'url.full': `${base}${path}`.slice(0, MAX_URL_CHARACTERS),
      'doi_gateway.request_id': requester.requestId,
    });
    let outcome: string | undefined = 'aborted';
    try {
      const traceparent = sendsTrace ? span?.traceparent : undefined;
      const result = await dispatch(request, { abort, requester, traceparent });
      span?.set({ 'http.response.status_code': result.head.status });
      silence?.responded(time.now() - startedAt);
      outcome = result.failure?.code;
      return result;
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
  };
}
