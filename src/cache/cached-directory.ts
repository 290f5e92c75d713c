// A directory with the cache in front of it.

import DataLoader from 'dataloader';
import {
  type Directory,
  type KeptAnswer,
  type MetadataAnswer,
  spelledRecord,
  type WhichRaAnswer,
  type WhichRaVerdict,
} from '../directory/directory.ts';
import { OWN_WORK } from '../directory/requester.ts';
import { type Waiters, waitersOfAll } from '../directory/waiters.ts';
import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';
import {
  agencyEntryOf,
  createMetadataCodec,
  entryOf,
  type KnownMetadata,
  metadataEntry,
  recordCodec,
  whichRaCodec,
} from './codec.ts';
import { createFlight, optionsForWaiters, untilAborted } from './in-flight.ts';
import { createSmallValues } from './memory-tier.ts';
import { payForAgencies, payForRecord, payUnlessBusy } from './payment.ts';
import { createPrefixAgencies } from './prefix-agencies.ts';
import { createReadThrough, type ReadThrough } from './read-through.ts';
import type { CacheParts } from './stored-entries.ts';

export interface CachedDirectoryOptions extends Omit<CacheParts, 'failures'> {
  readonly maxFailureBytes: number;
  readonly maxPrefixBytes: number;
  readonly directory: Directory;
}

export function createCachedDirectory(given: CachedDirectoryOptions): Directory {
  const options = { ...given, failures: createSmallValues<number>(given.maxFailureBytes) };
  const { directory, clock, shared } = options;
  const lookUpCounts = options.metrics.cacheLookupCounts;
  const prefixAgencies = createPrefixAgencies(clock, options.maxPrefixBytes);
  // Collects the names of one tick, so that the directory needs few requests.
  const agencyRequests = new DataLoader<AgencyLookUp, WhichRaAnswer>(
    (lookUps) => Promise.resolve(requestAgencies(lookUps) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  /** Puts only names of one client into one request, so that no client waits in the queue of another. */
  function requestAgencies(lookUps: readonly AgencyLookUp[]): readonly Promise<WhichRaAnswer>[] {
    const byClient = new Map<string | undefined, AgencyLookUp[]>();
    for (const lookUp of lookUps) {
      const [client] = lookUp.waiters.clients();
      const ofClient = byClient.get(client) ?? [];
      byClient.set(client, ofClient);
      ofClient.push(lookUp);
    }
    const answers = new Map<AgencyLookUp, Promise<WhichRaAnswer>>();
    for (const ofClient of byClient.values()) {
      const waiters = waitersOfAll(ofClient.map((lookUp) => lookUp.waiters));
      const names = ofClient.map(({ name }) => name);
      const ofNames = directory.whichRa(names, optionsForWaiters(waiters));
      for (const [at, lookUp] of ofClient.entries())
        answers.set(lookUp, ofNames[at] as Promise<WhichRaAnswer>);
    }
    return lookUps.map((lookUp) => answers.get(lookUp) as Promise<WhichRaAnswer>);
  }

  const records = createReadThrough<HandleRecord, HandleRecord>({
    ...options,
    kind: 'record',
    codec: recordCodec,
    ask: async (name, waiters) => entryOf(await directory.resolve(name, optionsForWaiters(waiters))),
    isFailure: ({ status }) => status === 'ERROR',
    answerOf: ({ value }, stale) => (stale ? Object.freeze({ ...value, stale }) : value),
  });
  const agencies = createReadThrough<WhichRaVerdict, WhichRaAnswer>({
    ...options,
    kind: 'agency',
    codec: whichRaCodec,
    async ask(name, waiters) {
      const answer = await agencyRequests.load({ name, waiters });
      prefixAgencies.learn(name, answer);
      return agencyEntryOf(answer, clock.now(), answer.freshUntil);
    },
    isFailure: () => false,
    answerOf: ({ value, freshUntil }, stale) => Object.freeze({ ...value, freshUntil, stale }),
    onChange(name) {
      const record = records.peek(name);
      if (record) prefixAgencies.dropInferred(record);
    },
  });

  function peekAgency(name: HandleName): KeptAnswer<WhichRaAnswer> | undefined {
    const record = records.peek(name);
    if (record === undefined) return agencies.peek(name);
    return prefixAgencies.peek(record) ?? agencies.peek(name) ?? prefixAgencies.infer(name, record);
  }

  function count(kind: keyof typeof lookUpCounts, stale: boolean, uses: number): void {
    const counts = lookUpCounts[kind];
    if (stale) counts.stale += uses;
    else counts.memory += uses;
  }

  const { describe, maxWorks } = directory;
  const agencyFor = (name: HandleName, waiters: Waiters, exact: boolean): Promise<WhichRaAnswer> => {
    const known = exact ? agencies.peek(name) : peekAgency(name);
    // Without the tally: it already counts this look-up, as a look-up of metadata.
    const { requestId, client, span, batch } = waiters.firstRequester;
    const caller = { requester: { requestId, client, span, batch }, signal: waiters.signal };
    return known === undefined ? agencies.find(name, caller) : Promise.resolve(known.answer);
  };
  const metadata =
    describe && createCachedMetadata(describe, maxWorks === undefined ? null : agencyFor, options);

  return {
    description: directory.description,
    ...(directory.maxRequests !== undefined && { maxRequests: directory.maxRequests }),
    ...(maxWorks !== undefined && { maxWorks }),
    status: () => directory.status(),
    ...(directory.isServiceBusy && { isServiceBusy: directory.isServiceBusy }),

    async resolve(name, asked = {}) {
      const pay = payForRecord(asked.requester?.client.budget);
      if (asked.auth || asked.cert) {
        if (pay) await pay();
        asked.signal?.throwIfAborted();
        const flight = createFlight(
          asked.requester ?? OWN_WORK,
          async (waiters) => {
            const record = await directory.resolve(name, optionsForWaiters(waiters, asked));
            records.store(name, entryOf(record));
            return record;
          },
          () => {},
        );
        const record = await flight.join(asked);
        asked.requester?.tally?.answered('directory', 1);
        return record;
      }
      return spelledRecord(await untilAborted(records.find(name, asked, pay), asked.signal), name);
    },

    whichRa(names, asked = {}) {
      const { signal, requester } = asked;
      const pay = payForAgencies(requester?.client.budget, directory.whichRaPacking?.());
      return names.map(async (name) => {
        const known = peekAgency(name)?.answer;
        if (known === undefined) return untilAborted(agencies.find(name, asked, pay?.(name)), signal);
        count('agency', known.stale, 1);
        requester?.tally?.answered(known.stale ? 'stale' : 'memory', 1);
        return known;
      });
    },

    ...(metadata && { describe: metadata.describe }),

    memory: {
      record: records.peek,
      agency: peekAgency,
      ...(metadata && { metadata: metadata.peek }),
      count,
      get generation() {
        return options.memory.generation + prefixAgencies.droppedCount;
      },
      now: () => clock.now(),
    },

    // The packing ignores the cache: the limits of an operation must not depend on earlier requests.
    ...(directory.whichRaPacking && { whichRaPacking: directory.whichRaPacking }),

    async close() {
      await shared.close();
      await directory.close();
    },
  };
}

interface AgencyLookUp {
  readonly name: HandleName;
  readonly waiters: Waiters;
}

// Metadata in the cache. Each format of a name's metadata has its own entry.

interface CachedMetadata extends Required<Pick<Directory, 'describe'>> {
  peek(name: HandleName, format: MetadataFormat): KeptAnswer<MetadataAnswer> | undefined;
}
type MetadataLookup = ReadThrough<KnownMetadata, MetadataAnswer>;

type AgencyFor = (name: HandleName, waiters: Waiters, exact: boolean) => Promise<WhichRaAnswer>;

/** @param agencyFor looks up an agency; null: metadata comes by content negotiation, which needs no agency */
function createCachedMetadata(
  describe: NonNullable<Directory['describe']>,
  agencyFor: AgencyFor | null,
  parts: CacheParts,
): CachedMetadata {
  /** By format. Their number is bounded: each citation style in each locale, and a few other formats. */
  const lookups = new Map<string, MetadataLookup>();

  function lookupOf(format: MetadataFormat): MetadataLookup {
    const key = formatKey(format);
    const known = lookups.get(key);
    if (known) return known;
    const made = createReadThrough<KnownMetadata, MetadataAnswer>({
      ...parts,
      kind: 'metadata',
      // The keys differ, because metadata from content negotiation has no history.
      keyPrefix: agencyFor === null ? `metadata ${key}` : `work ${key}`,
      codec: createMetadataCodec(format.kind === 'csl'),
      async ask(name, waiters) {
        const agency = agencyFor && ((exact: boolean) => agencyFor(name, waiters, exact));
        const answer = await describe(name, format, optionsForWaiters(waiters, agency ? { agency } : {}));
        return metadataEntry(answer, answer);
      },
      isFailure: () => false,
      answerOf: ({ value, fetchedAt, freshUntil }, stale) =>
        Object.freeze({ ...value, fetchedAt, freshUntil, stale }),
    });
    lookups.set(key, made);
    return made;
  }

  return {
    peek: (name, format) => lookupOf(format).peek(name),
    describe(name, format, asked = {}) {
      const pay = payUnlessBusy(asked.mayRequest, payForRecord(asked.requester?.client.budget));
      return untilAborted(lookupOf(format).find(name, asked, pay), asked.signal);
    },
  };
}
