// The services of agencies, each asked in turn, at its own rate, and left alone while it is ill.

import type { LookupFunction } from 'node:net';
import type { AskOptions } from '../../directory/directory.ts';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { CSL, type MetadataFormat } from '../../metadata/metadata-format.ts';
import { metadataHost } from '../../metadata/metadata-hosts.ts';
import { createProxyBase, type ProxyBase, type ProxyBaseOptions, type Question } from '../proxy-base.ts';
import { createRequestQueue } from '../request-queue.ts';
import { createUpstreamPolicy, type UpstreamPolicy, type UpstreamPolicyOptions } from '../upstream-policy.ts';
import { createWaitingRoom } from '../waiting-room.ts';
import { createPublicLookup, isLoopback, type RedirectTarget } from './public-addresses.ts';
import { type ServiceAnswer, serviceReader } from './read-content.ts';
import { createRequestWindow, type RequestWindow } from './request-window.ts';

export interface AgencyServicesOptions
  extends Omit<
      ProxyBaseOptions,
      'baseUrl' | 'probes' | 'onCircuit' | 'onGiveUp' | 'watchesSilence' | 'lookup'
    >,
    Pick<UpstreamPolicyOptions, 'retries' | 'deadlineMs' | 'report'> {
  /** whether requests say who the operator is */
  readonly isIdentified: boolean;
}

export interface AgencyServices {
  /** Rejects with an UpstreamFailure, or with the signal's reason. */
  ask(target: RedirectTarget, format: MetadataFormat, asked: AskOptions): Promise<ServiceAnswer>;
  close(): Promise<void>;
}

/** One host. There are no more of them than are listed. */
interface Service {
  readonly base: ProxyBase;
  readonly policy: UpstreamPolicy;
  readonly window: RequestWindow;
  /** of the last work that the service answered: a probe repeats it, since the work of a new look-up may be what fails */
  path: string;
}

/** Questions that wait for one host, of all clients together. */
const MAX_WAITING = 5_000;

export function metadataQuestion(path: string, format: MetadataFormat): Question<ServiceAnswer> {
  return { face: 'metadata', path, reader: serviceReader(format) };
}

export function createAgencyServices(options: AgencyServicesOptions): AgencyServices {
  const { time, random, isIdentified } = options;
  const services = new Map<string, Service>();

  function serviceOf({ origin, host, path }: RedirectTarget): Service {
    const known = services.get(origin);
    if (known) return known;
    const details = metadataHost(host);
    const limit = (isIdentified ? details?.limit : details?.anonymousLimit) ?? null;
    const connections = Math.min(options.maxConnections, details?.connections ?? options.maxConnections);
    const window = createRequestWindow(limit, time);
    const room = createWaitingRoom(MAX_WAITING);
    const baseUrl = new URL(origin);
    const base = createProxyBase({
      ...options,
      baseUrl,
      maxConnections: connections,
      probes: () => [metadataQuestion(service.path, CSL)],
      onCircuit: room.wake,
      onGiveUp: () => policy.giveUp(),
      // A probe asks for what a client has chosen: its silence says nothing of the service.
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
      room,
      retries: options.retries,
      deadlineMs: options.deadlineMs,
      time,
      random,
      // Of what was never sent the host is told as well.
      report: (failure, path, base, asker) => options.report(failure, path, base ?? origin, asker),
    });
    const service: Service = { base, policy, window, path };
    services.set(origin, service);
    return service;
  }

  return {
    async ask(target, format, asked) {
      const service = serviceOf(target);
      const { circuit } = service.base;
      if (!circuit.hasAnswered || circuit.isOpen()) service.path = target.path;
      const answer = await service.policy
        .ask(metadataQuestion(target.path, format), asked)
        .catch((error: unknown) => Promise.reject(toldOfService(error)));
      service.path = target.path;
      if (answer.limit) service.window.learn(answer.limit);
      return answer;
    },
    async close() {
      for (const { policy } of services.values()) policy.close();
      await Promise.all(Array.from(services.values(), ({ base }) => base.close()));
    },
  };
}

/** What the table says of the directory. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  UPSTREAM_TIMEOUT: "The agency's service is slow. Try again.",
  UPSTREAM_UNAVAILABLE: "The agency's service is down. Try again.",
  UPSTREAM_RATE_LIMITED: "The agency's service is busy. Try again.",
};

function toldOfService(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const message = MESSAGES[error.code];
  return message === undefined
    ? error
    : new GatewayError(error.code, { message, details: error.details, cause: error });
}

const publicLookup: LookupFunction = createPublicLookup();
