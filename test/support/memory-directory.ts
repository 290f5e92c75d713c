// A directory that holds its answers in memory, as the embedded directory and a warm cache do. A test can change them.

import { canonicalName, type HandleName } from 'doi-names';
import {
  createWhichRaAnswer,
  type KeptAnswer,
  type ResolveOptions,
  spelledRecord,
  type WhichRaAnswer,
  type WhichRaVerdict,
} from '../../src/directory/directory.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { HANDLE_NOT_FOUND, SUCCESS } from '../../src/handle/response-codes.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { type FakeDirectory, NOW } from './fake-directory.ts';

/** Values as on the wire, a response code, an error to fail with, values not yet in memory, or stale values. */
export type HeldRecord =
  | readonly unknown[]
  | number
  | Error
  | { readonly later: readonly unknown[] }
  | { readonly stale: readonly unknown[] };

export type HeldAgency = WhichRaVerdict | Error | { readonly stale: WhichRaVerdict };

export interface MemoryDirectoryOptions {
  /** by canonical name; the memory knows that other names are not found */
  readonly records?: Readonly<Record<string, HeldRecord>>;
  /** by canonical name; other names do not exist */
  readonly agencies?: Readonly<Record<string, HeldAgency>>;
}

export interface MemoryDirectory extends FakeDirectory {
  /** Replaces an answer. */
  put(name: string, record: HeldRecord): void;
  putAgency(name: string, agency: HeldAgency): void;
  /** number of answers that were read from memory */
  readonly peeks: { record: number; agency: number; metadata: number };
}

export function createMemoryDirectory(options: MemoryDirectoryOptions = {}): MemoryDirectory {
  const records = new Map<string, HeldRecord>(Object.entries(options.records ?? {}));
  const agencies = new Map<string, HeldAgency>(Object.entries(options.agencies ?? {}));
  const madeRecords = new Map<string, KeptAnswer<HandleRecord>>();
  const madeAgencies = new Map<string, KeptAnswer<WhichRaAnswer>>();
  const calls: FakeDirectory['calls'] = { resolve: [], whichRa: [] };
  const peeks = { record: 0, agency: 0, metadata: 0 };
  let generation = 0;

  function record(name: HandleName): KeptAnswer<HandleRecord> {
    const key = canonicalName(name);
    return (
      madeRecords.get(key) ?? hold(madeRecords, key, recordOf(name, records.get(key) ?? HANDLE_NOT_FOUND))
    );
  }

  function agency(name: HandleName): KeptAnswer<WhichRaAnswer> {
    const key = canonicalName(name);
    return madeAgencies.get(key) ?? hold(madeAgencies, key, agencyOf(agencies.get(key) ?? NO_AGENCY));
  }

  return {
    calls,
    prefixCalls: [],
    peeks,
    description: { kind: 'EMBEDDED', baseUrls: [], records: 0, description: 'A directory in memory.' },
    memory: {
      record(name) {
        const held = records.get(canonicalName(name));
        return held instanceof Error || isLater(held) ? undefined : record(name);
      },
      agency(name) {
        return agencies.get(canonicalName(name)) instanceof Error ? undefined : agency(name);
      },
      count(kind, _stale, count) {
        peeks[kind] += count;
      },
      get generation() {
        return generation;
      },
      now: () => NOW,
    },
    async resolve(name, { auth = false, cert = false }: ResolveOptions = {}) {
      calls.resolve.push({ name, auth, cert });
      return spelledRecord(record(name).answer, name);
    },
    whichRa(names) {
      calls.whichRa.push(names);
      return names.map(async (name) => agency(name).answer);
    },
    put(name, held) {
      records.set(name, held);
      madeRecords.delete(name);
      generation += 1;
    },
    putAgency(name, held) {
      agencies.set(name, held);
      madeAgencies.delete(name);
      generation += 1;
    },
    status: () => ({ available: true, reached: true }),
    async close() {},
  };
}

const NO_AGENCY: WhichRaVerdict = { status: 'DOES_NOT_EXIST', agency: null };

/** The answer is fresh until a test replaces it. */
function hold<Answer extends { readonly stale: boolean }>(
  made: Map<string, KeptAnswer<Answer>>,
  key: string,
  answer: Answer,
): KeptAnswer<Answer> {
  const held: KeptAnswer<Answer> = {
    answer,
    isCurrent: () => !answer.stale && made.get(key) === held,
    noCheckFrom: Number.NEGATIVE_INFINITY,
    noCheckUntil: Number.POSITIVE_INFINITY,
  };
  made.set(key, held);
  return held;
}

function isLater(held: HeldRecord | undefined): held is { readonly later: readonly unknown[] } {
  return typeof held === 'object' && 'later' in held;
}

function recordOf(handle: HandleName, held: HeldRecord): HandleRecord {
  if (held instanceof Error) throw held;
  if (typeof held === 'number')
    return createRecord({ responseCode: held, handle, values: [], fetchedAt: NOW });
  const isStale = 'stale' in held;
  const values = isStale ? held.stale : isLater(held) ? held.later : held;
  const record = createRecord({
    responseCode: SUCCESS,
    handle,
    values: decodeValues(values as readonly unknown[]),
    fetchedAt: NOW,
  });
  return isStale ? { ...record, stale: true } : record;
}

function agencyOf(held: HeldAgency): WhichRaAnswer {
  if (held instanceof Error) throw held;
  return 'stale' in held
    ? { ...createWhichRaAnswer(held.stale, NOW), stale: true }
    : createWhichRaAnswer(held, NOW);
}
