// Fetches the metadata of a work from the API of its agency. If the agency has no known API, uses content negotiation.

import type { DescribeOptions, WhichRaAnswer } from '../../directory/directory.ts';
import type { HandleName } from '../../doi/name.ts';
import { metadataHost } from '../../metadata/metadata-rate-limits.ts';
import { type ApiClient, type ApiClientOptions, createApiClient } from './api-client.ts';
import { WORKS_APIS } from './api-requests.ts';
import { type Describe, metadataAnswer, withOneDeadline } from './content-negotiation.ts';

export interface AgencyApisOptions
  extends Omit<ApiClientOptions, 'api' | 'baseUrl' | 'plusToken' | 'isMoreComing'> {
  readonly crossrefUrl: URL;
  readonly dataciteUrl: URL;
  readonly plusToken: string | null;
  /** for agencies without an API, and for citations */
  readonly negotiate: Describe;
  readonly whichRa: (name: HandleName, options: DescribeOptions) => Promise<WhichRaAnswer>;
}

export interface AgencyApis {
  readonly describe: Describe;
  /** Whether a request would wait or fail now. The URL is of an agency's service. Undefined if the agency has no API. */
  isBusy(url: string): boolean | undefined;
  close(): Promise<void>;
}

/** An operation can begin twice as many metadata look-ups at once: 1,000, the default of MAX_METADATA. */
export const MAX_WORKS = 500;

export function createAgencyApis(options: AgencyApisOptions): AgencyApis {
  const { negotiate, whichRa, clock } = options;
  /** number of names whose agency is being looked up: a request to an API can wait for such names */
  let agencyLookUps = 0;
  const apis: ReadonlyMap<string, ApiClient> = new Map(
    WORKS_APIS.map((api) => {
      const isCrossref = api.agency === 'Crossref';
      const works = createApiClient({
        ...options,
        // Agencies do not use the trace ids of other systems.
        sendsTrace: false,
        api,
        baseUrl: isCrossref ? options.crossrefUrl : options.dataciteUrl,
        plusToken: isCrossref ? options.plusToken : null,
        isMoreComing: () => agencyLookUps > 0,
      });
      return [api.agency, works];
    }),
  );

  async function agencyOf(name: HandleName, lookUp: DescribeOptions, exact: boolean): Promise<WhichRaAnswer> {
    agencyLookUps += 1;
    try {
      return await (lookUp.agency?.(exact) ?? whichRa(name, lookUp));
    } finally {
      agencyLookUps -= 1;
      if (agencyLookUps === 0) for (const api of apis.values()) api.wake();
    }
  }

  const describe: Describe = async (name, format, options) => {
    if (format.kind === 'citation') return negotiate(name, format, options);
    const lookUp: DescribeOptions = { ...withOneDeadline(options), agency: options.agency };
    const { status, agency } = await agencyOf(name, lookUp, false);
    const api = apis.get(agency ?? '');
    if (status === 'DOES_NOT_EXIST') return metadataAnswer(clock, null, '');
    if (api === undefined) {
      return format.kind === 'csl' ? negotiate(name, format, lookUp) : metadataAnswer(clock, null, '');
    }
    const answer = await api.describe(name, format, lookUp);
    if (answer.content !== null || lookUp.agency === undefined) return answer;
    // The agency of the prefix has no such work. Perhaps the name has moved to another agency.
    const exact = await agencyOf(name, lookUp, true);
    return exact.agency === agency
      ? answer
      : describe(name, format, { ...lookUp, agency: async () => exact });
  };

  return {
    describe,
    isBusy: (url) => apis.get(metadataHost(new URL(url).host)?.agency ?? '')?.isBusy,
    async close() {
      await Promise.all(Array.from(apis.values(), (api) => api.close()));
    },
  };
}
