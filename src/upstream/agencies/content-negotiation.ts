// Fetches the metadata of a work by content negotiation. The directory redirects to the service of the agency. Each service
// has its own queue, rate and circuit.
// https://www.doi.org/the-identifier/resources/handbook/5_applications (content negotiation)

import type { HandleName } from 'doi-names';
import { nameTarget } from 'doi-names/parts';
import type { DescribeOptions, LookUpOptions, MetadataAnswer } from '../../directory/directory.ts';
import { GATEWAY_ITSELF, requesterOfBatch } from '../../directory/requester.ts';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { LIFETIMES } from '../../lifetimes.ts';
import type { Clock } from '../../time.ts';
import { CSL, type MetadataFormat } from '../../works/metadata-format.ts';
import { cleanCsl } from '../../works/negotiated-csl.ts';
import type { WorkHistory } from '../../works/work.ts';
import type { UpstreamRequest } from '../dispatch.ts';
import { createRequestWindow, type RequestWindow, type SharedRate } from '../request-rate.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '../upstream.ts';
import { badResponse, type UpstreamFailure } from '../upstream-failure.ts';
import { documentedLimit, metadataHost } from './agency-limits.ts';
import { createPublicLookup, isLoopback, type ServiceTarget, serviceTarget } from './public-addresses.ts';
import { type ServiceAnswer, serviceReader } from './read-content.ts';

interface ServicesOptions
  extends Omit<
    UpstreamOptions,
    'kind' | 'baseUrls' | 'probes' | 'watchesSilence' | 'lookup' | 'maxWaiting' | 'rate'
  > {
  /** Returns the rate that all replicas share. Undefined: each process has its own rate. */
  readonly sharedRate: (name: string) => SharedRate | undefined;
}

export interface ContentNegotiationOptions extends ServicesOptions {
  readonly directory: Pick<Upstream, 'request'>;
  /** the base URLs of the directory, without final slashes */
  readonly directoryUrls: readonly string[];
  /** hosts that may send metadata, in lower case */
  readonly hosts: ReadonlySet<string>;
  readonly clock: Clock['now'];
}

export type Describe = (
  name: HandleName,
  format: MetadataFormat,
  options: DescribeOptions,
) => Promise<MetadataAnswer>;

const NO_REFERENCES =
  'This gateway does not use the APIs of Crossref and DataCite, which report references. Its operator can turn them on with METADATA_API=yes.';
const MAX_REDIRECTS = 3;

export function createContentNegotiation(options: ContentNegotiationOptions) {
  const { directory, directoryUrls, hosts, clock, report } = options;
  const services = createServices(options);

  /** Returns the path below a base URL, else null. For an alias, the directory redirects to a URL below its base URL. */
  function pathInDirectory(url: string): string | null {
    const base = directoryUrls.find((candidate) => url.startsWith(`${candidate}/`));
    return base === undefined ? null : url.slice(base.length);
  }

  const describe: Describe = async (name, format, describeOptions) => {
    if (format.kind === 'references') throw new GatewayError('METADATA_OFF', { message: NO_REFERENCES });
    const options = withOneDeadline(describeOptions);
    const get = (path: string): Promise<ServiceAnswer> =>
      directory.request(metadataRequest(path, format), options);
    let answer = await get(nameTarget(name));
    let url = `${directoryUrls[0]}/`;
    let host: string | null = null;
    const notFollowed = (reason: string): UpstreamFailure => {
      const failure = badResponse(reason);
      report(failure, nameTarget(name), new URL(url).origin, options.requester ?? GATEWAY_ITSELF);
      return failure;
    };
    for (let redirects = 0; answer.kind === 'REDIRECT'; redirects += 1) {
      if (redirects === MAX_REDIRECTS) throw notFollowed(`there are more than ${MAX_REDIRECTS} redirects`);
      const { location } = answer;
      const innerPath =
        host === null && URL.canParse(location, url) ? pathInDirectory(new URL(location, url).href) : null;
      if (innerPath !== null) {
        answer = await get(innerPath);
        continue;
      }
      const target = serviceTarget(location, url, hosts);
      // If the agency has no service, the directory redirects to the publisher. The gateway does not follow.
      if (target === null && host === null) return metadataAnswer(clock, null, '');
      if (target === null) throw notFollowed(`the redirect to ${location.slice(0, 200)} is not allowed`);
      answer = await services.request(target, format, options);
      host = target.host;
      url = target.origin + target.path;
    }
    if (answer.kind === 'NONE') return metadataAnswer(clock, null, '');
    const source = host ?? new URL(url).host;
    const { content } = answer;
    const cleaned = typeof content === 'string' ? content : cleanCsl(content, name);
    return metadataAnswer(clock, cleaned, metadataHost(source)?.agency ?? source);
  };
  return { describe, isBusy: services.isBusy, close: services.close };
}

/** Makes an answer that is fresh from now. @param content null if there is no metadata */
export function metadataAnswer(
  clock: Clock['now'],
  content: MetadataAnswer['content'],
  source: string,
  history?: WorkHistory,
): MetadataAnswer {
  const fetchedAt = clock();
  const freshUntil = fetchedAt + (content === null ? LIFETIMES.absentMetadata : LIFETIMES.metadata);
  return Object.freeze({
    content,
    source,
    fetchedAt,
    freshUntil,
    stale: false,
    ...(history !== undefined && { history }),
  });
}

/** Puts all requests of one look-up into a batch, so that they share one deadline. */
export function withOneDeadline(options: LookUpOptions): LookUpOptions {
  const { requester = GATEWAY_ITSELF } = options;
  if (requester.batch) return options;
  return {
    signal: options.signal,
    waiters: options.waiters,
    requester: requesterOfBatch(requester, requester.span),
  };
}

/** One host of METADATA_HOSTS. */
interface Service {
  readonly upstream: Upstream;
  readonly window: RequestWindow;
  /**
   * Probes request this path. It is the path of the last answered request, because another path can fail although the
   * service works. Before the first answer, and while the circuit is open, it is the path of the newest request.
   */
  path: string;
}

const MAX_WAITING = 5_000;

function metadataRequest(path: string, format: MetadataFormat): UpstreamRequest<ServiceAnswer> {
  return { endpoint: 'metadata', path, subject: path.replace(/\?.*$/, ''), reader: serviceReader(format) };
}

function createServices(options: ServicesOptions) {
  const services = new Map<string, Service>();

  function serviceOf({ origin, host, path }: ServiceTarget): Service {
    const known = services.get(origin);
    if (known) return known;
    const connections = metadataHost(host)?.connections ?? options.maxConnections;
    const limit = documentedLimit(host, options.userAgent);
    const window = createRequestWindow(limit, options.time, options.sharedRate(host));
    const baseUrl = new URL(origin);
    const upstream = createUpstream({
      ...options,
      kind: 'service',
      baseUrls: [baseUrl],
      maxConnections: Math.min(options.maxConnections, connections),
      maxWaiting: MAX_WAITING,
      rate: window,
      probes: () => [metadataRequest(service.path, CSL)],
      // A client chose the path of the probe. So a missing response does not show that the service is down.
      watchesSilence: false,
      // The log has the host even if the request was never sent.
      report: (failure, path, base, requester) => options.report(failure, path, base ?? origin, requester),
      ...(isLoopback(baseUrl.hostname) ? {} : { lookup: PUBLIC_LOOKUP }),
    });
    const service: Service = { upstream, window, path };
    services.set(origin, service);
    return service;
  }

  return {
    /** Rejects with an UpstreamFailure, or with the signal's reason. */
    async request(
      target: ServiceTarget,
      format: MetadataFormat,
      lookUp: LookUpOptions,
    ): Promise<ServiceAnswer> {
      const service = serviceOf(target);
      if (!service.upstream.hasAnswered || service.upstream.isHeldBack) service.path = target.path;
      const answer = await service.upstream
        .request(metadataRequest(target.path, format), lookUp)
        .catch((error: unknown) =>
          Promise.reject(withService(error, target.host, metadataHost(target.host)?.agency)),
        );
      service.path = target.path;
      if (answer.limit) service.window.learn(answer.limit);
      return answer;
    },
    /** Whether a request to the service at an origin would wait or fail now. False if the service was never used. */
    isBusy(origin: string): boolean {
      const service = services.get(origin);
      return service !== undefined && (service.upstream.isHeldBack || service.window.isUsedUp);
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(services.values(), ({ upstream }) => upstream.close()));
    },
  };
}

const PUBLIC_LOOKUP = createPublicLookup();

/** Clients see these members of an error: the agency, if the gateway knows it, and the host of the service that failed. */
interface FailedService {
  readonly agency?: string;
  readonly host: string;
}

/** These messages replace the messages of the error table, which mention the directory. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  UPSTREAM_TIMEOUT: "The agency's service is slow. Try again.",
  UPSTREAM_UNAVAILABLE: "The agency's service is down. Try again.",
  UPSTREAM_RATE_LIMITED: "The agency's service is busy. Try again.",
};

/** The error with the service that failed. An error that is no GatewayError stays unchanged. */
export function withService(error: unknown, host: string, agency: string | undefined): unknown {
  if (!(error instanceof GatewayError)) return error;
  const service: FailedService = { ...(agency !== undefined && { agency }), host };
  const message = MESSAGES[error.code] ?? error.message;
  return new GatewayError(error.code, { message, details: { ...error.details, ...service }, cause: error });
}
