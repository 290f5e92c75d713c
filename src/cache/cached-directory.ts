// A directory with the cache in front of it.

import DataLoader from 'dataloader';
import type { Directory, HeldAnswer, WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import { abortable } from '../directory/proxy/question-deadline.ts';
import { spelledRecord } from '../directory/spelled-record.ts';
import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { agencyEntryOf, entryOf, recordCodec, whichRaCodec } from './codec.ts';
import { type CacheParts, createLookup } from './lookup.ts';
import { payForAgencies, payForRecord } from './payment.ts';
import { createPrefixAgencies } from './prefix-agencies.ts';

export interface CachedDirectoryOptions extends CacheParts {
  readonly directory: Directory;
  /** take the agency of a name that exists from another name of its prefix */
  readonly agenciesByPrefix: boolean;
}

export function createCachedDirectory(options: CachedDirectoryOptions): Directory {
  const { directory, clock, shared, metrics } = options;
  const prefixAgencies = createPrefixAgencies(clock);
  // The names that a tick asks for go to the directory together, as few requests as it takes.
  const agencyRequests = new DataLoader<HandleName, WhichRaAnswer>(
    (names) => Promise.resolve(directory.whichRa(names) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  const records = createLookup<HandleRecord, HandleRecord>({
    ...options,
    kind: 'record',
    codec: recordCodec,
    ask: async (name, givenUp) => entryOf(await directory.resolve(name, { signal: givenUp })),
    isFailure: ({ status }) => status === 'ERROR',
    answerOf: ({ value }, stale) => (stale ? Object.freeze({ ...value, stale }) : value),
  });
  const agencies = createLookup<WhichRaVerdict, WhichRaAnswer>({
    ...options,
    kind: 'agency',
    codec: whichRaCodec,
    async ask(name) {
      const answer = await agencyRequests.load(name);
      prefixAgencies.learn(name, answer);
      return agencyEntryOf(answer, clock.now(), answer.freshUntil);
    },
    isFailure: () => false,
    answerOf: ({ value, freshUntil }, stale) => Object.freeze({ ...value, freshUntil, stale }),
    onChange(name) {
      const record = records.peek(name);
      if (record) prefixAgencies.forget(record);
    },
  });

  function peekAgency(name: HandleName): HeldAnswer<WhichRaAnswer> | undefined {
    if (!options.agenciesByPrefix) return agencies.peek(name);
    const record = records.peek(name);
    if (record === undefined) return agencies.peek(name);
    return prefixAgencies.told(record) ?? agencies.peek(name) ?? prefixAgencies.tell(name, record);
  }

  function countPeek(kind: 'record' | 'agency', stale: boolean): void {
    metrics.cacheLookupCounts[kind][stale ? 'stale' : 'memory'] += 1;
  }

  return {
    description: directory.description,
    status: () => directory.status(),

    peekRecord: records.peek,

    async resolve(name, asked = {}) {
      const pay = payForRecord(asked.asker?.client.budget);
      if (asked.auth || asked.cert) {
        if (pay) await pay();
        const record = await directory.resolve(name, asked);
        records.store(name, entryOf(record));
        return record;
      }
      return spelledRecord(await unlessGone(records.find(name, asked.signal, pay), asked.signal), name);
    },

    peekWhichRa: peekAgency,

    whichRa(names, { signal, asker } = {}) {
      const pay = payForAgencies(asker?.client.budget, directory.whichRaMeter?.());
      return names.map(async (name) => {
        const known = peekAgency(name)?.answer;
        if (known === undefined) return unlessGone(agencies.find(name, undefined, pay?.(name)), signal);
        countPeek('agency', known.stale);
        return known;
      });
    },

    countPeek,

    // As if nothing were cached: what an operation may ask must not depend on who asked before.
    ...(directory.whichRaMeter && { whichRaMeter: directory.whichRaMeter }),

    async close() {
      await shared.close();
      await directory.close();
    },
  };
}

/**
 * Ends the waiting of a client that is gone. A record that nobody else waits for is then given up by its
 * look-up; agencies go on, for one request asks for those of many names.
 */
function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}
