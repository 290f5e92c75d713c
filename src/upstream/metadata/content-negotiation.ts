// Fetches the metadata of a work by content negotiation. The directory redirects to the service of the agency.
// https://www.doi.org/the-identifier/resources/handbook/5_applications (content negotiation)

import type { Clock, DescribeOptions, LookUpOptions, MetadataAnswer } from '../../directory/directory.ts';
import { OWN_WORK, requesterOfBatch } from '../../directory/requester.ts';
import { nameTarget } from '../../doi/encoding-forms.ts';
import type { HandleName } from '../../doi/name.ts';
import type { MetadataFormat } from '../../metadata/metadata-format.ts';
import { metadataHost } from '../../metadata/metadata-rate-limits.ts';
import type { WorkHistory } from '../../metadata/work.ts';
import { badResponse, type UpstreamFailure } from '../upstream-failure.ts';
import type { UpstreamPolicy, UpstreamPolicyOptions } from '../upstream-policy.ts';
import { type AgencyServices, metadataRequest } from './agency-services.ts';
import { serviceTarget } from './public-addresses.ts';
import type { ServiceAnswer } from './read-content.ts';

export interface ContentNegotiationOptions {
  readonly directory: Pick<UpstreamPolicy, 'request'>;
  /** the base URLs of the directory, without final slashes */
  readonly baseUrls: readonly string[];
  readonly services: Pick<AgencyServices, 'request'>;
  /** hosts that may send metadata, in lower case */
  readonly hosts: ReadonlySet<string>;
  readonly clock: Clock;
  /** Logs redirects that the gateway does not follow. */
  readonly report: UpstreamPolicyOptions['report'];
}

export type Describe = (
  name: HandleName,
  format: MetadataFormat,
  options: DescribeOptions,
) => Promise<MetadataAnswer>;

const MAX_REDIRECTS = 3;
const DAY_MS = 86_400_000;
/** How long the answer "no metadata" is fresh. The time is short, because a new name soon gets its metadata. */
const ABSENT_MS = 3_600_000;

export function createContentNegotiation(options: ContentNegotiationOptions): Describe {
  const { directory, baseUrls, services, hosts, clock, report } = options;

  /** For an alias, the directory redirects to its own URL: returns the path below the base URL. Else null. */
  function pathInDirectory(url: string): string | null {
    const base = baseUrls.find((candidate) => url.startsWith(`${candidate}/`));
    return base === undefined ? null : url.slice(base.length);
  }

  return async (name, format, describeOptions) => {
    const options = withOneDeadline(describeOptions);
    const get = (path: string): Promise<ServiceAnswer> =>
      directory.request(metadataRequest(path, format), options);
    let answer = await get(nameTarget(name));
    let at = `${baseUrls[0]}/`;
    let host: string | null = null;
    const notFollowed = (reason: string): UpstreamFailure => {
      const failure = badResponse(reason);
      report(failure, nameTarget(name), new URL(at).origin, options.requester ?? OWN_WORK);
      return failure;
    };
    for (let redirects = 0; answer.kind === 'REDIRECT'; redirects += 1) {
      if (redirects === MAX_REDIRECTS) throw notFollowed(`more than ${MAX_REDIRECTS} redirects`);
      const { location } = answer;
      const inside =
        host === null && URL.canParse(location, at) ? pathInDirectory(new URL(location, at).href) : null;
      if (inside !== null) {
        answer = await get(inside);
        continue;
      }
      const target = serviceTarget(location, at, hosts);
      // The agency has no service: the directory redirects to the publisher, and the gateway does not follow.
      if (target === null && host === null) return metadataAnswer(clock, null, '');
      if (target === null) throw notFollowed(`a redirect to ${location.slice(0, 200)}`);
      answer = await services.request(target, format, options);
      host = target.host;
      at = target.origin + target.path;
    }
    if (answer.kind === 'NONE') return metadataAnswer(clock, null, '');
    const source = host ?? new URL(at).host;
    return metadataAnswer(clock, answer.content, metadataHost(source)?.agency ?? source);
  };
}

/** Makes an answer that was fetched now. @param content null if there is no metadata */
export function metadataAnswer(
  clock: Clock,
  content: MetadataAnswer['content'],
  source: string,
  history?: WorkHistory,
): MetadataAnswer {
  const fetchedAt = clock();
  const freshUntil = fetchedAt + (content === null ? ABSENT_MS : DAY_MS);
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
  const { requester = OWN_WORK } = options;
  if (requester.batch) return options;
  return {
    signal: options.signal,
    waiters: options.waiters,
    requester: requesterOfBatch(requester, requester.span),
  };
}
