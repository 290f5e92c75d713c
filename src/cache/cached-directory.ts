// A directory with the cache in front of it.

import DataLoader from 'dataloader';
import type { Directory, WhichRaAnswer } from '../directory/directory.ts';
import { abortable } from '../directory/lifetime.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { recordCodec, whichRaCodec } from './codec.ts';
import { type CacheParts, createLookup, type Found } from './lookup.ts';
import { createSmallValues } from './memory.ts';

export interface CachedDirectoryOptions extends CacheParts {
  readonly directory: Directory;
  /** take the agency of a name that exists from another name of its prefix */
  readonly agenciesByPrefix: boolean;
}

const AGENCY_MS = 24 * 3_600_000;
const NO_SUCH_NAME_MS = 5 * 60_000;
const PREFIXES_MAX_BYTES = 16_000_000;

export function createCachedDirectory(options: CachedDirectoryOptions): Directory {
  const { directory, clock, shared } = options;
  const prefixAgencies = createSmallValues<{ readonly answer: WhichRaAnswer; readonly until: number }>(
    PREFIXES_MAX_BYTES,
  );
  // The names that a tick asks for go to the directory together, as few requests as it takes.
  const agencyRequests = new DataLoader<HandleName, WhichRaAnswer>(
    (names) => Promise.resolve(directory.whichRa(names) as unknown as WhichRaAnswer[]),
    { cache: false },
  );

  const records = createLookup<HandleRecord>({
    ...options,
    kind: 'record',
    codec: recordCodec,
    ask: async (name) => entryOf(await directory.resolve(name)),
    isFailure: ({ status }) => status === 'ERROR',
  });
  const agencies = createLookup<WhichRaAnswer>({
    ...options,
    kind: 'agency',
    codec: whichRaCodec,
    async ask(name) {
      const value = await agencyRequests.load(name);
      const fetchedAt = clock.now();
      const prefix = prefixOf(name);
      if (prefix && value.status === 'FOUND') {
        prefixAgencies.set(prefix, { answer: value, until: fetchedAt + AGENCY_MS });
      }
      // A name that is not there may come to be at any time.
      const lifeMs = value.status === 'DOES_NOT_EXIST' ? NO_SUCH_NAME_MS : AGENCY_MS;
      return { value, fetchedAt, freshUntil: fetchedAt + lifeMs };
    },
    isFailure: () => false,
  });

  /** The agency of a name that is known to exist, where another name has told its prefix's. */
  function agencyByPrefix(name: HandleName): WhichRaAnswer | undefined {
    const known = options.agenciesByPrefix ? prefixAgencies.get(prefixOf(name) ?? '') : undefined;
    if (known === undefined || known.until <= clock.now()) return undefined;
    const record = records.peek(name)?.value;
    return record && record.status !== 'HANDLE_NOT_FOUND' ? known.answer : undefined;
  }

  const peekAgency = (name: HandleName): WhichRaAnswer | undefined =>
    agencies.peek(name)?.value ?? agencyByPrefix(name);

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
      return recordOf(await unlessGone(records.find(name), asked.signal), name);
    },

    whichRa: (names, { signal } = {}) =>
      names.map(async (name) => peekAgency(name) ?? (await unlessGone(agencies.find(name), signal)).value),

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

/** Prefixes are digits and full stops, so that their case does not matter. */
function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}

/** Ends the waiting of a client that is gone; what it waited for goes on, for others may wait for it too. */
function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}
