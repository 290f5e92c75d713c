// The directory behind a DOI proxy such as https://doi.org. It uses the proxy's REST API and its Which RA service.

import type { HandleName } from 'doi-names';
import { whichRaTarget } from 'doi-names/parts';
import type { Cluster, Redis } from 'ioredis';
import {
  createWhichRaAnswer,
  type Directory,
  type LookUpOptions,
  type WhichRaAnswer,
} from '../directory/directory.ts';
import { GATEWAY_ITSELF, type Requester } from '../directory/requester.ts';
import type { GatewayError } from '../errors.ts';
import { createRecord } from '../handle/record.ts';
import type { Log } from '../log.ts';
import { type Clock, steadyClock } from '../time.ts';
import { createTroubleLog } from '../trouble-log.ts';
import { type AgencyApisOptions, createAgencyApis, MAX_METADATA_LOOK_UPS } from './agencies/agency-apis.ts';
import { createContentNegotiation } from './agencies/content-negotiation.ts';
import type { DirectoryMetrics } from './measures.ts';
import type { ProxyClientOptions } from './proxy-client.ts';
import { createProbeNames, jsonReader, probeRequest, recordRequest } from './record-look-up.ts';
import { createRequestWindow, createSharedRate } from './request-rate.ts';
import { failureOfHead } from './response-body.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';
import { worstProblem } from './upstream-failure.ts';
import { createBeginsRequest, lookUpAgencies, type WhichRaLimits } from './which-ra-requests.ts';

export interface ProxyDirectoryOptions
  extends Omit<ProxyClientOptions, 'baseUrl' | 'time'>,
    Pick<UpstreamOptions, 'deadlineMs' | 'retries'> {
  /** in the order in which they are tried */
  readonly baseUrls: readonly URL[];
  /** null: no limit */
  readonly requestsPerSecond?: number | null;
  /** Replicas with the same Redis share the request rate. Default: each process counts only its own requests. */
  readonly redis?: Redis | Cluster | null | undefined;
  readonly whichRa: WhichRaLimits;
  /** whether requests carry `traceparent`. Default: false. */
  readonly sendsTrace?: boolean;
  /** A name that every probe looks up. The name need not exist. */
  readonly probeName: HandleName;
  /** Hosts that may send metadata, with the port if it is not the default port. Default: metadata is off. */
  readonly metadataHosts?: ReadonlySet<string> | null;
  /** The APIs of the agencies. Default: metadata comes only by content negotiation. */
  readonly agencyApis?: Pick<AgencyApisOptions, 'crossrefUrl' | 'dataciteUrl' | 'plusToken'> | null;
  /** Whether the APIs of the agencies search works by the text of a reference. Default: false. */
  readonly matchesReferences?: boolean;
  /** whether to send a probe at the start, before the first look-up */
  readonly probesAtStart?: boolean;
  /** How long look-ups wait for the first connection after the start. Default: as long as in any outage. */
  readonly firstConnectionMs?: number | undefined;
  readonly log: Log;
  readonly metrics?: DirectoryMetrics | null;
  readonly clock?: Clock['now'];
  readonly time?: Clock | undefined;
  readonly random?: () => number;
}

const MAX_WAITING = 10_000;
/** While the circuit is open, the longest time from the start of one probe to the start of the next probe. */
const MAX_PROBE_INTERVAL_MS = 2_000;
/** Look-ups with an API need a longer deadline. Without CONTACT, Crossref allows 1 request per second: 20 s for 1,000 names. */
const LIST_DEADLINE_FACTOR = 1.25;

export function createProxyDirectory(options: ProxyDirectoryOptions): Directory {
  const { log, clock = Date.now, time = steadyClock, random = Math.random, metrics = null } = options;
  const { requestsPerSecond = null, redis, deadlineMs } = options;
  const sharedRate = (name: string) => (redis ? createSharedRate(redis, name, time) : undefined);
  const rate =
    requestsPerSecond === null
      ? null
      : createRequestWindow({ requests: requestsPerSecond, seconds: 1 }, time, sharedRate('directory'));
  const troubles = createTroubleLog(log, time.after);
  const probeNames = createProbeNames(options.probeName);
  const common = {
    ...options,
    sendsTrace: options.sendsTrace ?? false,
    timeoutMs: Math.min(options.timeoutMs, deadlineMs),
    // So the circuit can send several probes before the deadline of a look-up.
    maxProbeIntervalMs: Math.min(MAX_PROBE_INTERVAL_MS, deadlineMs / 4),
    firstConnectionMs: options.firstConnectionMs ?? null,
    clock,
    time,
    random,
    metrics,
    troubles,
    sharedRate,
    report,
  };
  const upstream = createUpstream({
    ...common,
    kind: 'directory',
    maxWaiting: MAX_WAITING,
    rate,
    counts: metrics?.directoryQueue,
    probes: () => probeNames.pick().map(probeRequest),
    watchesSilence: true,
  });
  const { bases } = upstream;
  const baseUrls = bases.map(({ base }) => base);
  const baseBytes = Math.max(...baseUrls.map((base) => `${base}/doiRA/`.length));
  const { metadataHosts: hosts, agencyApis } = options;
  const negotiation = hosts
    ? createContentNegotiation({ ...common, directory: upstream, directoryUrls: baseUrls, hosts })
    : null;
  const apis =
    negotiation && agencyApis
      ? createAgencyApis({
          ...common,
          ...agencyApis,
          negotiate: negotiation.describe,
          deadlineMs: LIST_DEADLINE_FACTOR * deadlineMs,
          whichRa: (name, lookUp) => whichRa([name], lookUp)[0] as Promise<WhichRaAnswer>,
        })
      : null;
  const describe = apis?.describe ?? negotiation?.describe;
  if (options.probesAtStart) for (const { circuit } of bases) circuit.check();

  function whichRa(names: readonly HandleName[], lookUp: LookUpOptions = {}): Promise<WhichRaAnswer>[] {
    const reader = jsonReader((json, head) => {
      if (head.status === 200) return json;
      throw failureOfHead(head);
    });
    const verdicts = lookUpAgencies(names, options.whichRa, baseBytes, {
      fetch: (encodedNames) =>
        upstream.request({ endpoint: 'doiRA', path: whichRaTarget(encodedNames), reader }, lookUp),
      spendExtra: async (requests) => lookUp.requester?.client.budget?.take(requests),
      report: (failure, encodedNames) =>
        report(failure, whichRaTarget(encodedNames), null, lookUp.requester ?? GATEWAY_ITSELF),
    });
    return verdicts.map(async (verdict) => createWhichRaAnswer(await verdict, clock()));
  }

  /** Logs the details of a failure, because clients must not see them. */
  function report(failure: GatewayError, path: string, base: string | null, { requestId }: Requester): void {
    const about = { path: excerpt(path), requestId, ...(base === null ? {} : { base }) };
    troubles.warn(`${failure.code} ${base}`, { err: failure, ...about }, failure.code);
  }

  return {
    description: {
      kind: 'PROXY',
      baseUrls,
      records: null,
      description: `The DOI proxy at ${baseUrls.join(', then the one at ')}.`,
    },

    maxRequests: options.maxConnections,

    async resolve(name, lookUp = {}) {
      const { message, responseCode, values } = await upstream.request(recordRequest(name, lookUp), lookUp);
      if (message !== null) {
        const about = { name: excerpt(name), requestId: (lookUp.requester ?? GATEWAY_ITSELF).requestId };
        troubles.warn('message', { ...about, message: excerpt(message) }, 'message of the directory');
      }
      const record = createRecord({ responseCode, values, handle: name, fetchedAt: clock() });
      if (record.status === 'SUCCESS') probeNames.found(name);
      return record;
    },

    whichRa,
    ...(describe && { describe: (name, format, lookUp = {}) => describe(name, format, lookUp) }),
    ...(apis && {
      maxMetadataLookUps: MAX_METADATA_LOOK_UPS,
      matchesReferences: options.matchesReferences ?? false,
    }),

    isServiceBusy(url) {
      if (upstream.isHeldBack) return true;
      return apis?.isBusy(url) ?? negotiation?.isBusy(new URL(url).origin) ?? false;
    },

    createBeginsRequest: () => createBeginsRequest(options.whichRa, baseBytes),

    status() {
      const problem = worstProblem(bases.map(({ circuit }) => circuit.problem));
      return {
        available: !upstream.isHeldBack,
        reached: upstream.hasAnswered,
        ...(problem && { problem }),
      };
    },

    async close() {
      await Promise.all([upstream.close(), negotiation?.close(), apis?.close()]);
      troubles.close();
    },
  };
}

function excerpt(text: string): string {
  return text.slice(0, 200);
}
