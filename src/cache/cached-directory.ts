// A directory with a cache. If the cache does not have an answer, the answer comes from the directory behind the cache.

import DataLoader from 'dataloader';
import type { HandleName } from 'doi-names';
import {
  type DescribeOptions,
  type Directory,
  type KeptAnswer,
  type MetadataAnswer,
  spelledRecord,
  type WhichRaAnswer,
} from '../directory/directory.ts';
import { GATEWAY_ITSELF } from '../directory/requester.ts';
import { type Waiters, waitersOfAll } from '../directory/waiters.ts';
import type { HandleRecord } from '../handle/record.ts';
import { CSL, formatKey, type MetadataFormat } from '../works/metadata-format.ts';
import { createMetadataCodec, recordCodec, whichRaCodec } from './codec.ts';
import { Flight, OptionsForWaiters, untilAborted } from './in-flight.ts';
import { createMatchedReferences } from './matched-references.ts';
import { SmallValues } from './memory-tier.ts';
import { createPrefixAgencies } from './prefix-agencies.ts';
import { createReadThrough, type ReadThrough } from './read-through.ts';
import type { CacheParts } from './stored-answers.ts';
import { createTakeLookUp, createTakeLookUpOfName, createTakeLookUpsOfAgencies } from './take-look-up.ts';

export interface CachedDirectoryOptions extends Omit<CacheParts, 'failures'> {
  readonly maxFailureBytes: number;
  readonly maxPrefixBytes: number;
  readonly directory: Directory;
}

export function createCachedDirectory(cachedDirectoryOptions: CachedDirectoryOptions): Directory {
  const { maxFailureBytes } = cachedDirectoryOptions;
  const options = { ...cachedDirectoryOptions, failures: new SmallValues<number>(maxFailureBytes) };
  const { directory, clock, shared } = options;
  const lookUpCounts = options.metrics.cacheLookupCounts;
  const prefixAgencies = createPrefixAgencies(clock, options.maxPrefixBytes);
  // Collects the names that are looked up in one tick, so that few requests are needed.
  const agencyRequests = new DataLoader<AgencyLookUp, WhichRaAnswer>(
    (lookUps) => Promise.resolve(requestAgencies(lookUps) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  /** A request has only names of one client, so that a client never waits in the queue of another client. */
  function requestAgencies(lookUps: readonly AgencyLookUp[]): readonly Promise<WhichRaAnswer>[] {
    const byClient = new Map<string | undefined, AgencyLookUp[]>();
    for (const lookUp of lookUps) {
      const [client] = lookUp.waiters.clients();
      const ofClient = byClient.get(client?.key) ?? [];
      byClient.set(client?.key, ofClient);
      ofClient.push(lookUp);
    }
    const answers = new Map<AgencyLookUp, Promise<WhichRaAnswer>>();
    for (const ofClient of byClient.values()) {
      const waiters = waitersOfAll(ofClient.map((lookUp) => lookUp.waiters));
      const names = ofClient.map(({ name }) => name);
      const answersOfClient = directory.whichRa(names, new OptionsForWaiters(waiters));
      for (const [index, lookUp] of ofClient.entries())
        answers.set(lookUp, answersOfClient[index] as Promise<WhichRaAnswer>);
    }
    return lookUps.map((lookUp) => answers.get(lookUp) as Promise<WhichRaAnswer>);
  }

  const records = createReadThrough<HandleRecord>({
    ...options,
    kind: 'record',
    keyPrefix: 'record',
    codec: recordCodec,
    request: (name, waiters) => directory.resolve(name, new OptionsForWaiters(waiters)),
  });
  const agencies = createReadThrough<WhichRaAnswer>({
    ...options,
    kind: 'agency',
    keyPrefix: 'agency',
    codec: whichRaCodec,
    async request(name, waiters) {
      const answer = await agencyRequests.load({ name, waiters });
      prefixAgencies.learn(name, answer);
      return answer;
    },
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

  const { describe, maxMetadataLookUps } = directory;
  const agencyFor = (name: HandleName, waiters: Waiters, isByName: boolean): Promise<WhichRaAnswer> => {
    const known = isByName ? agencies.peek(name) : peekAgency(name);
    // The requester has no tally here, because the tally already counts this look-up as a look-up of metadata.
    const { requestId, client, span, batch } = waiters.firstRequester;
    const caller = { requester: { requestId, client, span, batch }, signal: waiters.signal };
    return known === undefined ? agencies.find(name, caller) : Promise.resolve(known.answer);
  };
  const metadata =
    describe && createCachedMetadata(describe, maxMetadataLookUps === undefined ? null : agencyFor, options);

  return {
    // `createBeginsRequest` stays unchanged, because the price of an operation must not depend on the cache.
    ...directory,

    async resolve(name, lookUpOptions = {}) {
      if (lookUpOptions.auth || lookUpOptions.cert) {
        const takeLookUp = createTakeLookUp(lookUpOptions);
        if (takeLookUp) await takeLookUp();
        lookUpOptions.signal?.throwIfAborted();
        const flight = new Flight(
          lookUpOptions.requester ?? GATEWAY_ITSELF,
          async (waiters) => {
            const record = await directory.resolve(name, new OptionsForWaiters(waiters, lookUpOptions));
            records.store(name, record);
            return record;
          },
          () => {},
        );
        const record = await flight.join(lookUpOptions);
        lookUpOptions.requester?.tally?.answered('directory', 1);
        return record;
      }
      return spelledRecord(
        await untilAborted(
          records.find(name, lookUpOptions, createTakeLookUpOfName(name, lookUpOptions)),
          lookUpOptions.signal,
        ),
        name,
      );
    },

    whichRa(names, lookUpOptions = {}) {
      const { signal, requester } = lookUpOptions;
      const takeLookUpOf = createTakeLookUpsOfAgencies(
        requester?.client.budget,
        directory.createBeginsRequest?.(),
      );
      return names.map(async (name) => {
        const known = peekAgency(name)?.answer;
        if (known === undefined)
          return untilAborted(agencies.find(name, lookUpOptions, takeLookUpOf?.(name)), signal);
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

// Metadata in the cache: each format of a name's metadata has its own entry.

type AgencyFor = (name: HandleName, waiters: Waiters, isByName: boolean) => Promise<WhichRaAnswer>;

/** @param agencyFor looks up an agency. Null: content negotiation, which needs no agency, fetches the metadata. */
function createCachedMetadata(
  describe: NonNullable<Directory['describe']>,
  agencyFor: AgencyFor | null,
  parts: CacheParts,
) {
  /** By the key of a format. There are about 2,000 formats: each citation style in each locale, and a few others. */
  const readThroughs = new Map<string, ReadThrough<MetadataAnswer>>();

  function readThroughOf(format: MetadataFormat): ReadThrough<MetadataAnswer> {
    const key = formatKey(format);
    const known = readThroughs.get(key);
    if (known) return known;
    const created = createReadThrough<MetadataAnswer>({
      ...parts,
      kind: 'metadata',
      // Metadata from content negotiation has no history, so its keys are different.
      keyPrefix: agencyFor === null ? `metadata ${key}` : `whole work ${key}`,
      codec: createMetadataCodec(format.kind !== 'citation' && format.kind !== 'language'),
      async request(name, waiters) {
        if (format.kind === 'match') return match(name, waiters);
        const describeBy = (agency?: Promise<WhichRaAnswer>): Promise<MetadataAnswer> =>
          describe(name, format, new OptionsForWaiters(waiters, { agency }));
        if (agencyFor === null || format.kind === 'citation') return describeBy();
        const answer = await describeBy(agencyFor(name, waiters, false));
        if (answer.noWorkAt === undefined) return answer;
        const byName = agencyFor(name, waiters, true);
        return (await byName).agency === answer.noWorkAt ? answer : describeBy(byName);
      },
    });
    readThroughs.set(key, created);
    return created;
  }

  const match = createMatchedReferences({
    describe,
    describeWork: (name, waiters) => readThroughOf(CSL).find(name, new OptionsForWaiters(waiters)),
    keepWork: (name, answer) => readThroughOf(CSL).store(name, answer),
    now: () => parts.clock.now(),
  });

  return {
    peek: (name: HandleName, format: MetadataFormat) => readThroughOf(format).peek(name),
    describe(name: HandleName, format: MetadataFormat, lookUpOptions: DescribeOptions = {}) {
      // Each citation needs a separate request, and an operation can select many.
      const takeLookUp =
        format.kind === 'csl' ? createTakeLookUpOfName(name, lookUpOptions) : createTakeLookUp(lookUpOptions);
      const find = readThroughOf(format).find(name, lookUpOptions, takeLookUp);
      return untilAborted(find, lookUpOptions.signal);
    },
  };
}
