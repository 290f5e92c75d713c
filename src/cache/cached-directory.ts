// A directory with the cache in front of it.

import DataLoader from 'dataloader';
import { abortable } from '../directory/abortable.ts';
import type { Directory, ResolveOptions, WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import { spelledRecord } from '../directory/spelled-record.ts';
import { type Waiters, waitersOfAll } from '../directory/waiters.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { entryOf, recordCodec, whichRaCodec } from './codec.ts';
import { startFlight } from './in-flight.ts';
import { type CacheParts, createLookup } from './lookup.ts';
import { createSmallValues } from './memory-tier.ts';

export interface CachedDirectoryOptions extends CacheParts {
  readonly directory: Directory;
  /** take the agency of a name that exists from another name of its prefix */
  readonly agenciesByPrefix: boolean;
}

const PREFIXES_MAX_BYTES = 16_000_000;

export function createCachedDirectory(options: CachedDirectoryOptions): Directory {
  const { directory, clock, shared, metrics } = options;
  const prefixAgencies = createSmallValues<WhichRaAnswer>(PREFIXES_MAX_BYTES);
  // What prefixes told of names without an answer of their own, by the records that say the names exist.
  const byPrefix = new WeakMap<HandleRecord, { readonly answer: WhichRaAnswer; readonly until: number }>();
  // The names that a tick asks for go to the directory together, as few requests as it takes.
  const agencyRequests = new DataLoader<AgencyQuestion, WhichRaAnswer>(
    (questions) => Promise.resolve(askAgencies(questions) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  /** A client's names share no request with those of another, in whose line it would have to wait. */
  function askAgencies(questions: readonly AgencyQuestion[]): readonly Promise<WhichRaAnswer>[] {
    const byClient = new Map<string | undefined, AgencyQuestion[]>();
    for (const question of questions) {
      const [client] = question.waiters.clients();
      const asked = byClient.get(client) ?? [];
      byClient.set(client, asked);
      asked.push(question);
    }
    const answers = new Map<AgencyQuestion, Promise<WhichRaAnswer>>();
    for (const asked of byClient.values()) {
      const waiters = waitersOfAll(asked.map((question) => question.waiters));
      const names = asked.map(({ name }) => name);
      const answered = directory.whichRa(names, askedFor(waiters));
      for (const [at, question] of asked.entries())
        answers.set(question, answered[at] as Promise<WhichRaAnswer>);
    }
    return questions.map((question) => answers.get(question) as Promise<WhichRaAnswer>);
  }

  const records = createLookup<HandleRecord, HandleRecord>({
    ...options,
    kind: 'record',
    codec: recordCodec,
    ask: async (name, waiters) => entryOf(await directory.resolve(name, askedFor(waiters))),
    isFailure: ({ status }) => status === 'ERROR',
    answerOf: ({ value }, stale) => (stale ? Object.freeze({ ...value, stale }) : value),
  });
  const agencies = createLookup<WhichRaVerdict, WhichRaAnswer>({
    ...options,
    kind: 'agency',
    codec: whichRaCodec,
    async ask(name, waiters) {
      const answer = await agencyRequests.load({ name, waiters });
      const prefix = prefixOf(name);
      if (prefix && answer.status === 'FOUND') prefixAgencies.set(prefix, answer);
      return { value: answer, fetchedAt: clock.now(), freshUntil: answer.freshUntil };
    },
    isFailure: () => false,
    answerOf: ({ value, freshUntil }, stale) => Object.freeze({ ...value, freshUntil, stale }),
    onChange(name) {
      const record = records.peek(name);
      if (record) byPrefix.delete(record);
    },
  });

  /** The agency of a name that is known to exist, where another name has told its prefix's. */
  function agencyByPrefix(name: HandleName, record: HandleRecord | undefined): WhichRaAnswer | undefined {
    if (record === undefined || record.status === 'HANDLE_NOT_FOUND') return undefined;
    const known = prefixAgencies.get(prefixOf(name) ?? '');
    if (known === undefined || known.freshUntil <= clock.now()) return undefined;
    // It holds for as long as both: the agency of the prefix, and that the name exists.
    const freshUntil = Math.min(known.freshUntil, record.freshUntil);
    const answer = Object.freeze({ ...known, freshUntil, stale: record.stale });
    byPrefix.set(record, { answer, until: known.freshUntil });
    return answer;
  }

  function peekAgency(name: HandleName): WhichRaAnswer | undefined {
    if (!options.agenciesByPrefix) return agencies.peek(name);
    const record = records.peek(name);
    const told = record && byPrefix.get(record);
    if (told && clock.now() < told.until) return told.answer;
    return agencies.peek(name) ?? agencyByPrefix(name, record);
  }

  function countPeek(kind: 'record' | 'agency', stale: boolean): void {
    metrics.cacheLookupCounts[kind][stale ? 'stale' : 'memory'] += 1;
  }

  return {
    description: directory.description,
    status: () => directory.status(),

    peekRecord: records.peek,

    async resolve(name, asked = {}) {
      if (asked.auth || asked.cert) {
        const past = startFlight(
          async (waiters) => {
            const record = await directory.resolve(name, askedFor(waiters, asked));
            records.store(name, entryOf(record));
            return record;
          },
          () => {},
        );
        return past.join(asked);
      }
      return spelledRecord(await unlessGone(records.find(name, asked), asked.signal), name);
    },

    peekWhichRa: peekAgency,

    whichRa: (names, asked = {}) =>
      names.map(async (name) => {
        const known = peekAgency(name);
        if (known === undefined) return unlessGone(agencies.find(name, asked), asked.signal);
        countPeek('agency', known.stale);
        return known;
      }),

    countPeek,

    // As if nothing were cached: what an operation may ask must not depend on who asked before.
    ...(directory.whichRaMeter && { whichRaMeter: directory.whichRaMeter }),

    async close() {
      await shared.close();
      await directory.close();
    },
  };
}

/** For a directory that knows waiters, and for one that knows a signal alone. */
function askedFor(waiters: Waiters, { auth = false, cert = false }: ResolveOptions = {}): ResolveOptions {
  return {
    auth,
    cert,
    waiters,
    get signal() {
      return waiters.givenUp;
    },
  };
}

interface AgencyQuestion {
  readonly name: HandleName;
  readonly waiters: Waiters;
}

/** Prefixes are digits and full stops, so that their case does not matter. */
function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}

/**
 * Ends the waiting of a client that is gone, wherever its look-up is. What nobody else waits for is then given up.
 */
function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}
