// What an agency knows of a work: the directory is asked with the media type of metadata, and sends on to the service of
// the agency. https://www.doi.org/the-identifier/resources/handbook/5_applications (content negotiation)

import { askerOfBatch, OWN_WORK } from '../../directory/asker.ts';
import type { AskOptions, Clock, MetadataAnswer } from '../../directory/directory.ts';
import { nameTarget } from '../../doi/encoding-forms.ts';
import type { HandleName } from '../../doi/name.ts';
import type { MetadataFormat } from '../../metadata/metadata-format.ts';
import { metadataHost } from '../../metadata/metadata-hosts.ts';
import type { CslItem } from '../../metadata/work.ts';
import { badResponse, type UpstreamFailure } from '../upstream-failure.ts';
import type { UpstreamPolicy, UpstreamPolicyOptions } from '../upstream-policy.ts';
import { type AgencyServices, metadataQuestion } from './agency-services.ts';
import { redirectTarget } from './public-addresses.ts';
import type { ServiceAnswer } from './read-content.ts';

export interface ContentNegotiationOptions {
  readonly directory: Pick<UpstreamPolicy, 'ask'>;
  /** of the directory, without slashes at their ends */
  readonly baseUrls: readonly string[];
  readonly services: Pick<AgencyServices, 'ask'>;
  /** where metadata may come from, lower case */
  readonly hosts: ReadonlySet<string>;
  readonly clock: Clock;
  /** is told of redirects that are not followed, for the log */
  readonly report: UpstreamPolicyOptions['report'];
}

export type Describe = (
  name: HandleName,
  format: MetadataFormat,
  asked: AskOptions,
) => Promise<MetadataAnswer>;

const MAX_REDIRECTS = 3;
const DAY_MS = 86_400_000;
/** Of what is not there: a new name has its metadata soon. */
const NONE_MS = 3_600_000;

export function createContentNegotiation(options: ContentNegotiationOptions): Describe {
  const { directory, baseUrls, services, hosts, clock, report } = options;

  /** Where a redirect stays in the directory, as it does for an alias: what follows the base. */
  function pathInDirectory(url: string): string | null {
    const base = baseUrls.find((candidate) => url.startsWith(`${candidate}/`));
    return base === undefined ? null : url.slice(base.length);
  }

  function answerOf(content: CslItem | string | null, source: string): MetadataAnswer {
    const fetchedAt = clock();
    const freshUntil = fetchedAt + (content === null ? NONE_MS : DAY_MS);
    return Object.freeze({ content, source, fetchedAt, freshUntil, stale: false });
  }

  return async (name, format, given) => {
    const asked = withOneDeadline(given);
    const ask = (path: string): Promise<ServiceAnswer> =>
      directory.ask(metadataQuestion(path, format), asked);
    let answer = await ask(nameTarget(name));
    let at = `${baseUrls[0]}/`;
    let host: string | null = null;
    const notFollowed = (reason: string): UpstreamFailure => {
      const failure = badResponse(reason);
      report(failure, nameTarget(name), new URL(at).origin, asked.asker ?? OWN_WORK);
      return failure;
    };
    for (let redirects = 0; answer.kind === 'REDIRECT'; redirects += 1) {
      if (redirects === MAX_REDIRECTS) throw notFollowed(`more than ${MAX_REDIRECTS} redirects`);
      const { location } = answer;
      const inside =
        host === null && URL.canParse(location, at) ? pathInDirectory(new URL(location, at).href) : null;
      if (inside !== null) {
        answer = await ask(inside);
        continue;
      }
      const target = redirectTarget(location, at, hosts);
      // The directory sends whoever has no service to the publisher, who is not asked.
      if (target === null && host === null) return answerOf(null, '');
      if (target === null) throw notFollowed(`a redirect to ${location.slice(0, 200)}`);
      answer = await services.ask(target, format, asked);
      host = target.host;
      at = target.origin + target.path;
    }
    if (answer.kind === 'NONE') return answerOf(null, '');
    const source = host ?? new URL(at).host;
    return answerOf(answer.content, metadataHost(source)?.agency ?? source);
  };
}

/** Of the whole way, however many are asked on it. */
function withOneDeadline(asked: AskOptions): AskOptions {
  const { asker = OWN_WORK } = asked;
  if (asker.batch) return asked;
  return { signal: asked.signal, waiters: asked.waiters, asker: askerOfBatch(asker, asker.span) };
}
