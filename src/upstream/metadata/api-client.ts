// Fetches metadata from an agency's API. One request has many names. A name that a list cannot contain gets its own
// request.

import type { Clock, DescribeOptions, MetadataAnswer } from '../../directory/directory.ts';
import type { HandleName } from '../../doi/name.ts';
import { MalformedRecordError, type WireObject } from '../../handle/json.ts';
import { readCrossrefLanguage, readCrossrefWork } from '../../metadata/crossref-work.ts';
import { readDataciteWork } from '../../metadata/datacite-work.ts';
import type { MetadataFormat } from '../../metadata/metadata-format.ts';
import { heldBackFailure } from '../failover.ts';
import { createProxyBase, type ProxyBaseOptions } from '../proxy-base.ts';
import { createReadingSlices } from '../reading-slices.ts';
import type { SharedRate } from '../shared-rate.ts';
import { badResponse } from '../upstream-failure.ts';
import type { UpstreamPolicyOptions } from '../upstream-policy.ts';
import { withServiceMessage } from './agency-services.ts';
import { type ApiRate, type ApiSlots, createApiRate } from './api-rate.ts';
import { type ApiRequests, apiRequest, type WorksApi } from './api-requests.ts';
import { metadataAnswer } from './content-negotiation.ts';
import { createNameBatches, type NameBatches } from './name-batches.ts';

export interface ApiClientOptions
  extends Omit<ProxyBaseOptions, 'probes' | 'onCircuit' | 'onGiveUp' | 'watchesSilence' | 'lookup'>,
    Pick<UpstreamPolicyOptions, 'deadlineMs' | 'report'> {
  readonly api: WorksApi;
  /** The token of Crossref's Metadata Plus. Null: the operator has no token. */
  readonly plusToken: string | null;
  readonly sharedRate: (name: string) => SharedRate | undefined;
  /** Whether more names can come, because their agency is being looked up. */
  readonly isMoreComing: () => boolean;
  readonly clock: Clock;
}

export interface ApiClient {
  /** Rejects with an UpstreamFailure, or with the reason of the signal or of the waiters. */
  describe(name: HandleName, format: MetadataFormat, options: DescribeOptions): Promise<MetadataAnswer>;
  /** Whether a request would wait or fail now. */
  readonly isBusy: boolean;
  /** The caller calls it when no more names will come. */
  wake(): void;
  close(): Promise<void>;
}

/** A probe looks up this name. The name need not exist. */
const PROBE_NAME = '10.5555/12345678' as HandleName;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { api, time, userAgent, baseUrl, plusToken, sharedRate } = options;
  const isIdentified = userAgent.includes('mailto:');
  const pool = plusToken !== null ? 'plus' : isIdentified ? 'polite' : 'public';
  const base = createProxyBase({
    ...options,
    maxConnections: MAX_CONNECTIONS,
    ...(plusToken !== null && { headers: { 'crossref-plus-api-token': `Bearer ${plusToken}` } }),
    probes: () => [apiRequest(api.single, [api.single.encode(PROBE_NAME)])],
    waitToSendProbe,
    onCircuit: wake,
    onGiveUp() {
      const givenUpAt = base.circuit.holding()?.givenUpAt ?? Number.NEGATIVE_INFINITY;
      for (const batches of kinds) batches.giveUp(givenUpAt, heldBackFailure([base]));
    },
    watchesSilence: false,
  });
  const limitKind = isIdentified || plusToken !== null ? 'limit' : 'anonymousLimit';
  const slots: ApiSlots = { running: 0, maxRunning: api.list[limitKind].concurrent };
  const listRate = rateOf('list', api.list);
  const list = batchesOf(api.list, listRate, options.isMoreComing);
  const singleRate = api.sharesLimit ? listRate : rateOf('single', api.single);
  const single = batchesOf(api.single, singleRate, () => false);
  const kinds = [list, single];
  const readSoon = createReadingSlices();
  const probesWaiting: (() => void)[] = [];

  function rateOf(kind: string, requests: ApiRequests): ApiRate {
    return createApiRate({
      limit: requests[limitKind],
      pool,
      time,
      sharedIn: (poolName) => sharedRate(`${baseUrl.host} ${kind} ${poolName}`),
    });
  }

  function batchesOf(
    requests: ApiRequests,
    rate: ApiRate,
    isMoreComing: () => boolean,
  ): NameBatches<WireObject> {
    const request = (encodedNames: readonly string[]) => apiRequest(requests, encodedNames);
    return createNameBatches({
      ...options,
      ...requests,
      base,
      rate,
      slots,
      onFreeSlot,
      request,
      isMoreComing,
    });
  }

  function wake(): void {
    for (const batches of kinds) batches.wake();
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
    isListed: boolean,
  ): Promise<WireObject | null> {
    const listed = isListed && api.mayList(name) ? await list.find(name, lookUp) : null;
    return listed ?? single.find(name, lookUp);
  }

  function read(item: WireObject | null, name: HandleName, format: MetadataFormat): MetadataAnswer {
    const { clock } = options;
    if (item === null) return metadataAnswer(clock, null, '');
    if (format.kind === 'language') return metadataAnswer(clock, readCrossrefLanguage(item), api.agency);
    const work = api.agency === 'Crossref' ? readCrossrefWork(item, name) : readDataciteWork(item, name);
    return metadataAnswer(clock, work?.csl ?? null, work === null ? '' : api.agency, work?.history);
  }

  return {
    async describe(name, format, lookUp) {
      try {
        const item = await itemOf(name, lookUp, format.kind === 'csl');
        // The item is read in a slice of its own: a list has up to 100 items, and an item can have thousands of authors.
        await new Promise<void>(readSoon);
        return read(item, name, format);
      } catch (error) {
        throw error instanceof MalformedRecordError ? badResponse(error) : withServiceMessage(error);
      }
    },
    get isBusy() {
      return base.circuit.isOpen() || (list.isBusy && single.isBusy);
    },
    wake,
    async close() {
      for (const batches of kinds) batches.close();
      await base.close();
    },
  };
}

const MAX_CONNECTIONS = 12;
