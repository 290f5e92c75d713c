// Fetches the metadata of a work from the API of its agency. If the agency has no known API, uses content negotiation.

import type { HandleName } from 'doi-names';
import type { DescribeOptions, MetadataAnswer, WhichRaAnswer } from '../../directory/directory.ts';
import { MalformedRecordError, type WireObject } from '../../handle/json.ts';
import type { Clock } from '../../time.ts';
import { TURNS } from '../../turns.ts';
import { readCrossrefLanguage, readCrossrefWork } from '../../works/crossref-work.ts';
import { readDataciteWork } from '../../works/datacite-work.ts';
import { readFoundWorks } from '../../works/matching/found-works.ts';
import type { MetadataFormat } from '../../works/metadata-format.ts';
import { crossrefReferences, dataciteReferences } from '../../works/references.ts';
import { heldBackFailure } from '../held-look-ups.ts';
import { createProxyBase, type ProxyBaseOptions } from '../proxy-base.ts';
import type { SharedRate } from '../request-rate.ts';
import type { UpstreamOptions } from '../upstream.ts';
import { badResponse } from '../upstream-failure.ts';
import { metadataHost } from './agency-limits.ts';
import { type ApiRate, type ApiSlots, createApiRate, MAX_CONCURRENT } from './api-rate.ts';
import { type ApiRequests, apiRequest, WORKS_APIS, type WorksApi } from './api-requests.ts';
import { type Describe, metadataAnswer, withOneDeadline, withService } from './content-negotiation.ts';
import { createNameBatches } from './name-batches.ts';

export interface AgencyApisOptions
  extends Omit<ApiClientOptions, 'api' | 'baseUrl' | 'plusToken' | 'isMoreComing'> {
  readonly crossrefUrl: URL;
  readonly dataciteUrl: URL;
  readonly plusToken: string | null;
  /** for agencies without an API, and for citations */
  readonly negotiate: Describe;
  readonly whichRa: (name: HandleName, options: DescribeOptions) => Promise<WhichRaAnswer>;
}

/** The loaders run twice this number of metadata look-ups of an operation together: the default of MAX_METADATA. */
export const MAX_METADATA_LOOK_UPS = 500;

export function createAgencyApis(options: AgencyApisOptions) {
  const { negotiate, whichRa, clock } = options;
  /** number of names whose agency is being looked up; a request to an API can wait for these names */
  let agencyLookUps = 0;
  const apis = new Map<string, ApiClient>(
    WORKS_APIS.map((api) => {
      const isCrossref = api.agency === 'Crossref';
      const apiClient = createApiClient({
        ...options,
        // Agencies do not use the trace ids of other systems.
        sendsTrace: false,
        api,
        baseUrl: isCrossref ? options.crossrefUrl : options.dataciteUrl,
        plusToken: isCrossref ? options.plusToken : null,
        isMoreComing: () => agencyLookUps > 0,
      });
      return [api.agency, apiClient];
    }),
  );

  async function agencyOf(name: HandleName, lookUp: DescribeOptions): Promise<WhichRaAnswer> {
    agencyLookUps += 1;
    try {
      return await (lookUp.agency ?? whichRa(name, lookUp));
    } finally {
      agencyLookUps -= 1;
      if (agencyLookUps === 0) for (const api of apis.values()) api.wake();
    }
  }

  const describe: Describe = async (name, format, options) => {
    if (format.kind === 'citation') return negotiate(name, format, options);
    const lookUp: DescribeOptions = { ...withOneDeadline(options), agency: options.agency };
    const { status, agency } = await agencyOf(name, lookUp);
    const api = apis.get(agency ?? '');
    if (status === 'DOES_NOT_EXIST') return metadataAnswer(clock, null, '');
    if (api === undefined) {
      return format.kind === 'csl' ? negotiate(name, format, lookUp) : metadataAnswer(clock, null, '');
    }
    return api.describe(name, format, lookUp);
  };

  return {
    describe,
    /** Whether a request to this service of an agency would wait or fail now. Undefined if the agency has no API. */
    isBusy: (url: string) => apis.get(metadataHost(new URL(url).host)?.agency ?? '')?.isBusy,
    async close(): Promise<void> {
      await Promise.all(Array.from(apis.values(), (api) => api.close()));
    },
  };
}

/** The options of the client for one API. */
interface ApiClientOptions
  extends Omit<
      ProxyBaseOptions,
      'kind' | 'probes' | 'onCircuit' | 'onFailedUntil' | 'watchesSilence' | 'lookup'
    >,
    Pick<UpstreamOptions, 'deadlineMs' | 'report'> {
  readonly api: WorksApi;
  /** The token of Crossref's Metadata Plus. Null: the operator has no token. */
  readonly plusToken: string | null;
  readonly sharedRate: (name: string) => SharedRate | undefined;
  /** Whether more names may come soon: the look-up of their agency still runs. */
  readonly isMoreComing: () => boolean;
  readonly clock: Clock['now'];
}

type ApiClient = ReturnType<typeof createApiClient>;

const nextTurn = (): Promise<void> => new Promise<void>(TURNS.runLater);

/** A probe looks up this name. The name need not exist. */
const PROBE_NAME = '10.5555/12345678' as HandleName;

/** A list request has many names. A name that a list request cannot contain gets its own request. */
function createApiClient(options: ApiClientOptions) {
  const { api, time, userAgent, baseUrl, plusToken, sharedRate } = options;
  const isIdentified = userAgent.includes('mailto:');
  const pool = plusToken !== null ? 'plus' : isIdentified ? 'polite' : 'public';
  const base = createProxyBase({
    ...options,
    kind: 'service',
    maxConnections: MAX_CONCURRENT,
    ...(plusToken !== null && { headers: { 'crossref-plus-api-token': `Bearer ${plusToken}` } }),
    probes: () => [apiRequest(api.single, [api.single.encode(PROBE_NAME)])],
    waitToSendProbe,
    onCircuit: wake,
    onFailedUntil() {
      const failedUntil = base.circuit.holding()?.failedUntil ?? Number.NEGATIVE_INFINITY;
      for (const batches of allBatches) batches.endBegunBy(failedUntil, heldBackFailure([base]));
    },
    watchesSilence: false,
  });
  const limitKind = isIdentified || plusToken !== null ? 'limit' : 'anonymousLimit';
  const slots: ApiSlots = { running: 0, maxRunning: api.list[limitKind].concurrent };
  const listRate = rateOf('list', api.list);
  const list = batchesOf(api.list, listRate, options.isMoreComing);
  const references = batchesOf(api.references, listRate, options.isMoreComing);
  const search = batchesOf(api.search, listRate, () => false);
  const singleRate = api.sharesLimit ? listRate : rateOf('single', api.single);
  const single = batchesOf(api.single, singleRate, () => false);
  const allBatches = [list, references, search, single];
  const probesWaiting: (() => void)[] = [];

  function rateOf(kind: string, requests: ApiRequests): ApiRate {
    return createApiRate({
      limit: requests[limitKind],
      pool,
      time,
      sharedIn: (poolName) => sharedRate(`${baseUrl.host} ${kind} ${poolName}`),
    });
  }

  function batchesOf(requests: ApiRequests, rate: ApiRate, isMoreComing: () => boolean) {
    return createNameBatches({ ...options, requests, base, rate, slots, onFreeSlot, isMoreComing });
  }

  function wake(): void {
    for (const batches of allBatches) batches.wake();
  }

  function onFreeSlot(): void {
    probesWaiting.shift()?.();
    wake();
  }

  /** A probe needs a slot and a permit, because the API includes probes in its limits. */
  async function waitToSendProbe(): Promise<() => void> {
    while (slots.running >= slots.maxRunning) {
      await new Promise<void>((resolve) => probesWaiting.push(resolve));
    }
    slots.running += 1;
    const { sent, responded } = await singleRate.take();
    sent();
    return () => {
      responded();
      slots.running -= 1;
      onFreeSlot();
    };
  }

  async function itemOf(
    name: HandleName,
    lookUp: DescribeOptions,
    kind: MetadataFormat['kind'],
  ): Promise<WireObject | null> {
    if (kind === 'search') return search.find(name, lookUp);
    const batches = kind === 'csl' ? list : kind === 'references' ? references : null;
    const listed = batches !== null && api.mayList(name) ? await batches.find(name, lookUp) : null;
    return listed ?? single.find(name, lookUp);
  }

  function read(
    item: WireObject | null,
    name: HandleName,
    format: MetadataFormat,
  ): MetadataAnswer | Promise<MetadataAnswer> {
    const { clock } = options;
    if (item === null) return metadataAnswer(clock, null, '');
    const isCrossref = api.agency === 'Crossref';
    if (format.kind === 'search') {
      const works = readFoundWorks(item, isCrossref, nextTurn);
      return works.then((content) => metadataAnswer(clock, content, api.agency));
    }
    if (format.kind === 'language') return metadataAnswer(clock, readCrossrefLanguage(item), api.agency);
    if (format.kind === 'references') {
      const content = isCrossref ? crossrefReferences(item) : dataciteReferences(item['attributes']);
      return metadataAnswer(clock, content, api.agency);
    }
    const work = isCrossref ? readCrossrefWork(item, name) : readDataciteWork(item, name);
    return metadataAnswer(clock, work?.csl ?? null, work === null ? '' : api.agency, work?.history);
  }

  return {
    /** Rejects with an UpstreamFailure, or with the abort reason of the signal or of all waiting callers. */
    async describe(
      name: HandleName,
      format: MetadataFormat,
      lookUp: DescribeOptions,
    ): Promise<MetadataAnswer> {
      try {
        const item = await itemOf(name, lookUp, format.kind);
        // Reads items in several slices: a list has up to 100 items, and an item can have thousands of authors.
        await nextTurn();
        const answer = await read(item, name, format);
        return answer.content === null ? { ...answer, noWorkAt: api.agency } : answer;
      } catch (error) {
        const failure = error instanceof MalformedRecordError ? badResponse(error) : error;
        throw withService(failure, baseUrl.host, api.agency);
      }
    },
    /** Whether a request would wait or fail now. */
    get isBusy() {
      return base.circuit.isOpen() || (list.isBusy && single.isBusy);
    },
    /** Must be called when no more names will come. */
    wake,
    async close(): Promise<void> {
      for (const batches of allBatches) batches.close();
      await base.close();
    },
  };
}
