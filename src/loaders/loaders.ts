// What one request asks of the directory: each question once, however often and in whatever case it is put.

import DataLoader from 'dataloader';
import type { Directory, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { type AliasChain, followAliases } from './alias-chain.ts';
import type { AnswerLife } from './answer-expiry.ts';
import { createLookUpBudget, type LookUpBudget } from './look-up-budget.ts';

export interface Loaders {
  /**
   * The record of a name, `handle` in the spelling of this call; itself where memory has it, else a promise.
   * Rejects as `Directory.resolve` does, or with TOO_MANY_LOOKUPS.
   */
  record(name: HandleName, freshness?: Freshness): HandleRecord | Promise<HandleRecord>;
  /** The same, but rejects with UPSTREAM_UNAVAILABLE where the directory's own answer is that it failed. */
  answeredRecord(name: HandleName, freshness?: Freshness): Promise<HandleRecord>;
  /** What a name's aliases lead to. Rejects with ALIAS_LOOP, else as `answeredRecord` does. */
  aliasChain(name: HandleName, freshness?: Freshness): Promise<AliasChain>;
  /** Rejects as `Directory.whichRa` does, or with TOO_MANY_LOOKUPS. */
  whichRa(name: HandleName): Promise<WhichRaAnswer>;
}

export interface Freshness {
  readonly auth: boolean;
  readonly cert: boolean;
}

const AS_CACHED: Freshness = { auth: false, cert: false };

export interface LoadersOptions {
  readonly directory: Directory;
  /** all look-ups of the request end when it is aborted */
  readonly signal: AbortSignal;
  /** distinct look-ups at the most: a record counts one, and so does a Which RA request */
  readonly maxLookups: number;
  /** is told of everything that is handed out */
  readonly life?: AnswerLife;
}

/** Loaders for one request. */
export function createLoaders({ directory, signal, maxLookups, life }: LoadersOptions): Loaders {
  const request = { directory, signal, budget: createLookUpBudget(maxLookups), life };
  const records = createRecordLoader(request);
  const agencies = createWhichRaLoader(request);
  const inMemory = createPeek(request);

  function record(name: HandleName, freshness = AS_CACHED): HandleRecord | Promise<HandleRecord> {
    const known = freshness.auth || freshness.cert ? undefined : inMemory(name);
    return known ? spelled(known, name) : load(name, freshness);
  }

  async function load(name: HandleName, freshness: Freshness): Promise<HandleRecord> {
    return spelled(await records.load({ name, ...freshness }), name);
  }

  async function answeredRecord(name: HandleName, freshness?: Freshness): Promise<HandleRecord> {
    const answer = await record(name, freshness);
    if (answer.status === 'ERROR') throw new GatewayError('UPSTREAM_UNAVAILABLE');
    return answer;
  }

  return {
    record,
    answeredRecord,
    aliasChain: (name, freshness) => followAliases(name, (next) => answeredRecord(next, freshness)),
    whichRa: (name) => agencies.load(name),
  };
}

function spelled(record: HandleRecord, name: HandleName): HandleRecord {
  return record.handle === name ? record : Object.freeze({ ...record, handle: name });
}

interface Request {
  readonly directory: Directory;
  readonly signal: AbortSignal;
  readonly budget: LookUpBudget;
  readonly life: AnswerLife | undefined;
}

/** What memory answers at once, read once a request; undefined for what a batch has to be made for. */
function createPeek({ directory, budget, life }: Request): (name: HandleName) => HandleRecord | undefined {
  const known = new Map<HandleName, HandleRecord>();
  return (name) => {
    const key = canonicalName(name);
    const seen = known.get(key);
    if (seen) return seen;
    const record = directory.peekRecord?.(name);
    if (record) {
      budget.spend(recordKey({ name, ...AS_CACHED }));
      known.set(key, record);
      life?.restsOn(record);
    }
    return record;
  };
}

type RecordQuestion = Freshness & { readonly name: HandleName };

function recordKey({ name, auth, cert }: RecordQuestion): string {
  return `${auth ? 'a' : ''}${cert ? 'c' : ''} ${canonicalName(name)}`;
}

function createRecordLoader({ directory, signal, budget, life }: Request) {
  const resolve = async (question: RecordQuestion): Promise<HandleRecord> => {
    budget.spend(recordKey(question));
    const { name, auth, cert } = question;
    const record = await directory.resolve(name, { auth, cert, signal });
    life?.restsOn(record);
    // Whoever asks past the caches wants no copy, and a failure of the directory's may be over at any time.
    if (auth || cert || record.status === 'ERROR') life?.mustNotBeKept();
    return record;
  };
  return new DataLoader<RecordQuestion, HandleRecord, string>(
    eachByItself((questions) => questions.map(resolve)),
    { cacheKeyFn: recordKey },
  );
}

function createWhichRaLoader({ directory, signal, budget, life }: Request) {
  let requests = 0;
  const ask = (names: readonly HandleName[]): readonly Promise<WhichRaAnswer>[] => {
    for (let more = directory.whichRaRequests?.(names) ?? 1; more > 0; more -= 1) {
      requests += 1;
      budget.spend(`Which RA request ${requests}`);
    }
    return directory.whichRa(names, { signal }).map(async (asked) => {
      const answer = await asked;
      life?.restsOn(answer);
      return answer;
    });
  };
  return new DataLoader<HandleName, WhichRaAnswer, HandleName>(eachByItself(ask), {
    cacheKeyFn: canonicalName,
  });
}

/**
 * A batch function that hands DataLoader promises in place of values. DataLoader settles each key's promise
 * with what stands at its place, and a promise settled with a promise follows it: so every key settles when
 * its own answer is there, instead of waiting for the slowest of the batch.
 */
function eachByItself<Key, Value>(
  ask: (keys: readonly Key[]) => readonly Promise<Value>[],
): (keys: readonly Key[]) => Promise<Value[]> {
  return async (keys) => ask(keys) as unknown as Value[];
}
