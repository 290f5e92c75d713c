// What one request asks of the directory: each question once, however often and in whatever case it is put.

import DataLoader from 'dataloader';
import type { Directory, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { type AliasChain, followAliases } from './alias-chain.ts';

export interface Loaders {
  /** The record of a name, `handle` in the spelling of this call. Rejects as `Directory.resolve` does. */
  record(name: HandleName, freshness?: Freshness): Promise<HandleRecord>;
  /** The same, but rejects with UPSTREAM_UNAVAILABLE where the directory's own answer is that it failed. */
  answeredRecord(name: HandleName, freshness?: Freshness): Promise<HandleRecord>;
  /** What a name's aliases lead to. Rejects with ALIAS_LOOP, else as `answeredRecord` does. */
  aliasChain(name: HandleName, freshness?: Freshness): Promise<AliasChain>;
  /** Rejects as `Directory.whichRa` does. */
  whichRa(name: HandleName): Promise<WhichRaAnswer>;
}

export interface Freshness {
  readonly auth: boolean;
  readonly cert: boolean;
}

const AS_CACHED: Freshness = { auth: false, cert: false };

/** Loaders for one request. All of its look-ups end when `signal` is aborted. */
export function createLoaders(directory: Directory, signal: AbortSignal): Loaders {
  const records = createRecordLoader(directory, signal);
  const agencies = createWhichRaLoader(directory, signal);

  async function record(name: HandleName, freshness = AS_CACHED): Promise<HandleRecord> {
    const found = await records.load({ name, ...freshness });
    return found.handle === name ? found : Object.freeze({ ...found, handle: name });
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

type RecordQuestion = Freshness & { readonly name: HandleName };

function createRecordLoader(directory: Directory, signal: AbortSignal) {
  return new DataLoader<RecordQuestion, HandleRecord, string>(
    eachByItself((questions) =>
      questions.map(({ name, auth, cert }) => directory.resolve(name, { auth, cert, signal })),
    ),
    { cacheKeyFn: ({ name, auth, cert }) => `${auth ? 'a' : ''}${cert ? 'c' : ''} ${canonicalName(name)}` },
  );
}

function createWhichRaLoader(directory: Directory, signal: AbortSignal) {
  return new DataLoader<HandleName, WhichRaAnswer, HandleName>(
    eachByItself((names) => directory.whichRa(names, { signal })),
    { cacheKeyFn: canonicalName },
  );
}

/**
 * A batch function that hands DataLoader promises in place of values. DataLoader settles each key's promise
 * with what stands at its place, and a promise settled with a promise follows it: so every key settles when
 * its own answer is there, instead of waiting for the slowest of the batch.
 */
function eachByItself<Key, Value>(
  ask: (keys: readonly Key[]) => readonly Promise<Value>[],
): (keys: readonly Key[]) => Promise<Value[]> {
  return (keys) => Promise.resolve(ask(keys) as unknown as Value[]);
}
