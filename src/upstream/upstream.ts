// Base URLs that can replace each other. Composes the way of a request: deadline, retries, queue, and then the circuit, the
// measures and the connection of a base.

import type { LookUpOptions } from '../directory/directory.ts';
import { createDeadlines } from './deadlines.ts';
import type { UpstreamRequest } from './dispatch.ts';
import { createHeldLookUps, heldBackFailure } from './held-look-ups.ts';
import { createProxyBase, type ProxyBase, type ProxyBaseOptions } from './proxy-base.ts';
import { createRequestQueue, type RequestQueueOptions } from './request-queue.ts';
import { type RetriesOptions, withRetries } from './retries.ts';

export interface UpstreamOptions
  extends Omit<ProxyBaseOptions, 'baseUrl' | 'onCircuit' | 'onFailedUntil'>,
    Omit<RetriesOptions, 'bases' | 'heldLookUps'>,
    Pick<RequestQueueOptions, 'rate' | 'counts'> {
  /** in the order in which they are tried */
  readonly baseUrls: readonly URL[];
  /** maximum time of one look-up, including the time in the queue and all attempts */
  readonly deadlineMs: number;
  /** Maximum number of look-ups in the queue, and also of look-ups that wait until a circuit closes. */
  readonly maxWaiting: number;
}

export type Upstream = ReturnType<typeof createUpstream>;

export function createUpstream(options: UpstreamOptions) {
  const heldLookUps = createHeldLookUps(options.maxWaiting);
  const bases = options.baseUrls.map((baseUrl) =>
    createProxyBase({
      ...options,
      baseUrl,
      onCircuit: heldLookUps.wake,
      onFailedUntil: () => requests.failLookUps(),
    }),
  );
  const requests = createRequests({ ...options, bases, heldLookUps });

  return {
    bases,
    request: requests.request,
    /** whether at least one base has answered since the start */
    get hasAnswered() {
      return bases.some(({ circuit }) => circuit.hasAnswered);
    },
    /** whether the circuits of all bases are open */
    get isHeldBack() {
      return bases.every(({ circuit }) => circuit.isOpen());
    },
    /** Ends all look-ups, then all connections. Later look-ups fail. */
    async close(): Promise<void> {
      requests.close();
      await Promise.all(bases.map((base) => base.close()));
    },
  };
}

interface RequestsOptions
  extends Pick<UpstreamOptions, 'deadlineMs' | 'maxWaiting' | 'maxConnections' | 'rate' | 'counts'>,
    RetriesOptions {
  readonly bases: readonly ProxyBase[];
}

export function createRequests(options: RequestsOptions) {
  const { bases } = options;
  const deadlines = createDeadlines(options.deadlineMs, options.time);
  const queue = createRequestQueue({ ...options, slots: options.maxConnections });
  const queued = bases.map((base) => ({ ...base, dispatch: queue.wrap(base.circuit, base.dispatch) }));
  const dispatch = withRetries({ ...options, bases: queued });
  return {
    /** Rejects with an UpstreamFailure, or with the abort reason of the signal or of all waiting callers. */
    async request<T>(request: UpstreamRequest<T>, lookUp: LookUpOptions = {}): Promise<T> {
      return (await deadlines.run(request, lookUp, dispatch<T>)).answer;
    },
    /** Ends the look-ups that fail by `failedUntil` of every circuit, also look-ups that were sent before the outage. */
    failLookUps(): void {
      const failedUntil = bases.map(
        ({ circuit }) => circuit.holding()?.failedUntil ?? Number.NEGATIVE_INFINITY,
      );
      const begunBy = Math.min(...failedUntil);
      if (begunBy > Number.NEGATIVE_INFINITY) deadlines.endBegunBy(begunBy, heldBackFailure(bases));
    },
    close: () => deadlines.close('the directory was closed'),
  };
}
