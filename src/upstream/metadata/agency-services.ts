// The services of agencies for content negotiation. Each service has its own queue, rate and circuit.

import type { LookupFunction } from 'node:net';
import type { LookUpOptions } from '../../directory/directory.ts';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { CSL, type MetadataFormat } from '../../metadata/metadata-format.ts';
import { documentedLimit, metadataHost } from '../../metadata/metadata-rate-limits.ts';
import { createHeldLookUps } from '../held-look-ups.ts';
import {
  createProxyBase,
  type ProxyBase,
  type ProxyBaseOptions,
  type UpstreamRequest,
} from '../proxy-base.ts';
import { createRequestQueue } from '../request-queue.ts';
import { createRequestWindow, type RequestWindow, type SharedRate } from '../request-rate.ts';
import { createUpstreamPolicy, type UpstreamPolicy, type UpstreamPolicyOptions } from '../upstream-policy.ts';
import { createPublicLookup, isLoopback, type ServiceTarget } from './public-addresses.ts';
import { type ServiceAnswer, serviceReader } from './read-content.ts';

export interface AgencyServicesOptions
  extends Omit<
      ProxyBaseOptions,
      'baseUrl' | 'probes' | 'onCircuit' | 'onGiveUp' | 'watchesSilence' | 'lookup'
    >,
    Pick<UpstreamPolicyOptions, 'retries' | 'deadlineMs' | 'report'> {
  /** Returns the rate that all replicas share. Undefined: each process has its own rate. */
  readonly sharedRate: (name: string) => SharedRate | undefined;
}

export type AgencyServices = ReturnType<typeof createAgencyServices>;

/** One host of METADATA_HOSTS. */
interface Service {
  readonly base: ProxyBase;
  readonly policy: UpstreamPolicy;
  readonly window: RequestWindow;
  /**
   * The path for probes: the path of the last answered request, because another path can fail although the service works.
   * Before the first answer, and while the circuit is open, it is the path of the newest request.
   */
  path: string;
}

/**
 * How many look-ups of all clients together can be in the queue of one host. As many other look-ups can wait until its
 * circuit closes.
 */
const MAX_WAITING = 5_000;

export function metadataRequest(path: string, format: MetadataFormat): UpstreamRequest<ServiceAnswer> {
  return { endpoint: 'metadata', path, reader: serviceReader(format) };
}

export function createAgencyServices(options: AgencyServicesOptions) {
  const { time, random, userAgent } = options;
  const services = new Map<string, Service>();

  function serviceOf({ origin, host, path }: ServiceTarget): Service {
    const known = services.get(origin);
    if (known) return known;
    const details = metadataHost(host);
    const connections = Math.min(options.maxConnections, details?.connections ?? options.maxConnections);
    const window = createRequestWindow(documentedLimit(host, userAgent), time, options.sharedRate(host));
    const heldLookUps = createHeldLookUps(MAX_WAITING);
    const baseUrl = new URL(origin);
    const base = createProxyBase({
      ...options,
      baseUrl,
      maxConnections: connections,
      probes: () => [metadataRequest(service.path, CSL)],
      onCircuit: heldLookUps.wake,
      onGiveUp: () => policy.giveUp(),
      // A client chose the path of the probe. So a missing response does not show that the service is down.
      watchesSilence: false,
      ...(isLoopback(baseUrl.hostname) ? {} : { lookup: publicLookup }),
    });
    const policy = createUpstreamPolicy({
      bases: [base],
      queue: createRequestQueue({
        slots: connections,
        maxWaiting: MAX_WAITING,
        rate: window,
        time,
        counts: { waiting: 0, running: 0, takenBack: 0, refused: 0 },
      }),
      heldLookUps,
      retries: options.retries,
      deadlineMs: options.deadlineMs,
      time,
      random,
      // The log has the host even if the request was never sent.
      report: (failure, path, base, requester) => options.report(failure, path, base ?? origin, requester),
    });
    const service: Service = { base, policy, window, path };
    services.set(origin, service);
    return service;
  }

  return {
    /** Rejects with an UpstreamFailure, or with the signal's reason. */
    async request(
      target: ServiceTarget,
      format: MetadataFormat,
      options: LookUpOptions,
    ): Promise<ServiceAnswer> {
      const service = serviceOf(target);
      const { circuit } = service.base;
      if (!circuit.hasAnswered || circuit.isOpen()) service.path = target.path;
      const answer = await service.policy
        .request(metadataRequest(target.path, format), options)
        .catch((error: unknown) => Promise.reject(withServiceMessage(error)));
      service.path = target.path;
      if (answer.limit) service.window.learn(answer.limit);
      return answer;
    },
    /** Whether a request to the service at an origin would wait or fail now. False if the service was never used. */
    isBusy(origin: string): boolean {
      const service = services.get(origin);
      return service !== undefined && (service.base.circuit.isOpen() || service.window.isUsedUp);
    },
    async close(): Promise<void> {
      for (const { policy } of services.values()) policy.close();
      await Promise.all(Array.from(services.values(), ({ base }) => base.close()));
    },
  };
}

/** These messages replace the messages of the error table, which mention the directory. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  UPSTREAM_TIMEOUT: "The agency's service is slow. Try again.",
  UPSTREAM_UNAVAILABLE: "The agency's service is down. Try again.",
  UPSTREAM_RATE_LIMITED: "The agency's service is busy. Try again.",
};

export function withServiceMessage(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const message = MESSAGES[error.code];
  return message === undefined
    ? error
    : new GatewayError(error.code, { message, details: error.details, cause: error });
}

const publicLookup: LookupFunction = createPublicLookup();
