// A directory with the cache in front of it.

import DataLoader from 'dataloader';
import type { Directory, WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import { abortable } from '../directory/proxy/question-deadline.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { recordCodec, whichRaCodec } from './codec.ts';
import { type CacheParts, createLookup, type Found } from './lookup.ts';
import { createSmallValues } from './memory-tier.ts';

export interface CachedDirectoryOptions extends CacheParts {
  readonly directory: Directory;
  /** take the agency of a name that exists from another name of its prefix */
  readonly agenciesByPrefix: boolean;
}

const PREFIXES_MAX_BYTES = 16_000_000;

export function createCachedDirectory(options: CachedDirectoryOptions): Directory {
  const { directory, clock, shared } = options;
  const prefixAgencies = createSmallValues<WhichRaAnswer>(PREFIXES_MAX_BYTES);
  // The names that a tick asks for go to the directory together, as few requests as it takes.
  const agencyRequests = new DataLoader<HandleName, WhichRaAnswer>(
    (names) => Promise.resolve(directory.whichRa(names) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  const records = createLookup<HandleRecord>({
    ...options,
    kind: 'record',
    codec: recordCodec,
    ask: async (name, givenUp) => entryOf(await directory.resolve(name, { signal: givenUp })),
    isFailure: ({ status }) => status === 'ERROR',
  });
  const agencies = createLookup<WhichRaVerdict>({
    ...options,
    kind: 'agency',
    codec: whichRaCodec,
    async ask(name) {
      const answer = await agencyRequests.load(name);
      const prefix = prefixOf(name);
      if (prefix && answer.status === 'FOUND') prefixAgencies.set(prefix, answer);
      return { value: answer, fetchedAt: clock.now(), freshUntil: answer.freshUntil };
    },
    isFailure: () => false,
  });

  /** The agency of a name that is known to exist, where another name has told its prefix's. */
  function agencyByPrefix(name: HandleName): WhichRaAnswer | undefined {
    const known = options.agenciesByPrefix ? prefixAgencies.get(prefixOf(name) ?? '') : undefined;
    if (known === undefined || known.freshUntil <= clock.now()) return undefined;
    const record = records.peek(name);
    if (record === undefined || record.value.status === 'HANDLE_NOT_FOUND') return undefined;
    // It holds for as long as both: the agency of the prefix, and that the name exists.
    const freshUntil = Math.min(known.freshUntil, record.freshUntil);
    return Object.freeze({ ...known, freshUntil, stale: record.stale });
  }

  function peekAgency(name: HandleName): WhichRaAnswer | undefined {
    const found = agencies.peek(name);
    return found ? agencyOf(found) : agencyByPrefix(name);
  }

  return {
    description: directory.description,
    status: () => directory.status(),

    peekRecord(name) {
      const found = records.peek(name);
      return found && recordOf(found, name);
    },

    async resolve(name, asked = {}) {
      if (asked.auth || asked.cert) {
        const record = await directory.resolve(name, asked);
        records.store(name, entryOf(record));
        return record;
      }
      return recordOf(await unlessGone(records.find(name, asked.signal), asked.signal), name);
    },

    whichRa: (names, { signal } = {}) =>
      names.map(async (name) => peekAgency(name) ?? agencyOf(await unlessGone(agencies.find(name), signal))),

    // As if nothing were cached: what an operation may ask must not depend on who asked before.
    whichRaRequests: (names) => directory.whichRaRequests?.(names) ?? 1,

    async close() {
      await shared.close();
      await directory.close();
    },
  };
}

function entryOf(record: HandleRecord) {
  return { value: record, fetchedAt: record.fetchedAt, freshUntil: record.freshUntil };
}

/** The record in the spelling of this call: another one may have asked. */
function recordOf({ value, stale }: Found<HandleRecord>, handle: HandleName): HandleRecord {
  return stale || value.handle !== handle ? Object.freeze({ ...value, handle, stale }) : value;
}

function agencyOf({ value, freshUntil, stale }: Found<WhichRaVerdict>): WhichRaAnswer {
  return Object.freeze({ ...value, freshUntil, stale });
}

/** Prefixes are digits and full stops, so that their case does not matter. */
function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}

/**
 * Ends the waiting of a client that is gone. A record that nobody else waits for is then given up by its
 * look-up; agencies go on, for one request asks for those of many names.
 */
function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}
