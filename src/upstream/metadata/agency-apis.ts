// Metadata of a work. It comes from the API of its agency if the gateway knows one, else by content negotiation.

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
  /**
   * Whether a request to the API of the agency at this URL would wait or fail now. Undefined if the agency has no API.
   */
  isBusy(url: string): boolean | undefined;
  close(): Promise<void>;
}

/** An operation runs twice as many look-ups at the same time: 1,000, the default of MAX_METADATA. */
export const MAX_WORKS = 500;

export function createAgencyApis(options: AgencyApisOptions): AgencyApis {
  const { negotiate, whichRa, clock } = options;
  /** names whose agency is being looked up; a request to an API may wait for them */
  let agencyLookUps = 0;
  const apis: ReadonlyMap<string, ApiClient> = new Map(
    WORKS_APIS.map((api) => {
      const isCrossref = api.agency === 'Crossref';
      const works = createApiClient({
        ...options,
        // Agencies do not continue traces of other systems.
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

  const describe: Describe = async (name, format, given) => {
    if (format.kind === 'citation') return negotiate(name, format, given);
    const lookUp: DescribeOptions = { ...withOneDeadline(given), agency: given.agency };
    const { status, agency } = await agencyOf(name, lookUp, false);
    const api = apis.get(agency ?? '');
    if (status === 'DOES_NOT_EXIST') return metadataAnswer(clock, null, '');
    if (api === undefined) {
      return format.kind === 'csl' ? negotiate(name, format, lookUp) : metadataAnswer(clock, null, '');
    }
    const answer = await api.describe(name, format, lookUp);
    if (answer.content !== null || lookUp.agency === undefined) return answer;
    // The agency of the prefix has no such work. The name may have moved to another agency.
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
