// What one request asks of the directory: each question once, however often and in whatever case it is put.

import DataLoader from 'dataloader';
import type { Directory, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';

export interface Loaders {
  /** The record of a name, `handle` in the spelling of this call. Rejects as `Directory.resolve` does. */
  record(name: HandleName, freshness?: Freshness): Promise<HandleRecord>;
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
  return {
    async record(name, freshness = AS_CACHED) {
      const record = await records.load({ name, ...freshness });
      return record.handle === name ? record : Object.freeze({ ...record, handle: name });
    },
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
