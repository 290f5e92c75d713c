// What memory does not have is asked of the directory in batches, one a tick.

import { setMaxListeners } from 'node:events';
import DataLoader from 'dataloader';
import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { type Requester, requesterOfBatch, requesterOfPrefix } from '../directory/requester.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { readNamespace } from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { AnswerExpiry, Perishable } from './answer-expiry.ts';
import { type LookUpBudget, type MetadataQuestion, metadataKey } from './look-up-budget.ts';
import { createLookUpStarter } from './look-up-starter.ts';
import { type PrefixAnswer, prefixAnswerOf, UNKNOWN_PREFIX } from './prefix-answer.ts';
import type { RecordBytes, Work } from './record-bytes.ts';

export interface Freshness {
  readonly auth: boolean;
  readonly cert: boolean;
}

export type RecordQuestion = Freshness & { readonly name: HandleName };

export interface BatchesOptions {
  readonly directory: Directory;
  readonly requester?: Requester | undefined;
  readonly signal: AbortSignal;
  /** names asked for without auth and cert are spent already */
  readonly budget: LookUpBudget;
  readonly bytes: RecordBytes;
  readonly expiry: AnswerExpiry;
  /** left out: a batch is sent at the end of the tick */
  readonly gate?: Gate | undefined;
  readonly nextTurn: () => Promise<void>;
  readonly work?: Work | undefined;
}

/** Knows when a batch is complete. */
export interface Gate {
  schedule(send: () => void): void;
}

export interface Batches {
  /** in the spelling of the first look-up */
  record(question: RecordQuestion): Promise<HandleRecord>;
  agency(name: HandleName): Promise<WhichRaAnswer>;
  metadata(question: MetadataQuestion): Promise<MetadataAnswer>;
  /**
   * UNKNOWN_PREFIX if a record of the prefix could not be had. A look-up that has begun goes on after the request, for
   * the cache.
   * @param handle of the prefix: `0.NA/10.5555`
   */
  prefix(handle: HandleName): Promise<PrefixAnswer>;
}

export function createBatches(options: BatchesOptions): Batches {
  const { directory, requester, signal, budget, bytes, expiry, gate, nextTurn } = options;
  // Ends with the request, and before it where its records are too much.
  const asking = new AbortController();
  setMaxListeners(0, asking.signal);
  if (signal.aborted) asking.abort(signal.reason);
  else signal.addEventListener('abort', () => asking.abort(signal.reason), { once: true });

  const { maxRequests = Number.POSITIVE_INFINITY } = directory;
  const starting = { signal: asking.signal, nextTurn };
  const start = createLookUpStarter({ ...starting, maxRequests });
  // Metadata takes a request to the directory and then one to an agency, which has its own connections.
  const startMetadata = createLookUpStarter({
    ...starting,
    maxRequests: directory.maxWorks ?? 2 * maxRequests,
  });

  // A directory that hangs on the records of prefixes must not hold back those of names.
  const startPrefix = createLookUpStarter({ ...starting, maxRequests });

  /** All further records would exceed the limit too. */
  function spending(spend: () => void): void {
    try {
      spend();
    } catch (error) {
      asking.abort(error);
      throw error;
    }
  }

  async function resolve(
    { name, auth, cert }: RecordQuestion,
    on: Requester | undefined,
  ): Promise<HandleRecord> {
    if (auth || cert) budget.spendOther();
    const record = await start(() =>
      directory.resolve(name, { auth, cert, signal: asking.signal, requester: on }),
    );
    spending(() => bytes.spend(record, options.work));
    expiry.include(record);
    // `auth` and `cert` ask for no cached copy, and a failure of the directory may end at any time.
    if (auth || cert || record.status === 'ERROR') expiry.mustNotBeCached();
    return record;
  }

  async function resolvePrefix(handle: HandleName, on: Requester | undefined): Promise<PrefixAnswer> {
    const lookUp = async (name: HandleName): Promise<HandleRecord> => {
      const record = await startPrefix(() =>
        directory.resolve(name, { requester: on && requesterOfPrefix(on) }),
      );
      bytes.spend(record, options.work);
      return record;
    };
    try {
      const prefix = await lookUp(handle);
      return prefixAnswerOf(prefix, await Promise.all(readNamespace(prefix.values).handles.map(lookUp)));
    } catch {
      return UNKNOWN_PREFIX;
    }
  }

  async function describe(
    { name, format, mayRequest }: MetadataQuestion,
    on: Requester | undefined,
  ): Promise<MetadataAnswer> {
    const { describe: ask } = directory;
    if (!ask) throw new GatewayError('METADATA_OFF');
    const answer = await resting(
      startMetadata(() => {
        if (on?.batch) on.batch.toCome -= 1;
        return ask(name, format, { signal: asking.signal, requester: on, mayRequest });
      }),
    );
    spending(() => bytes.spendMetadata(answer, options.work));
    return answer;
  }

  async function resting<Answer extends Perishable>(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    expiry.include(answer);
    return answer;
  }

  /** @param ask is given the requester, with a batch of a trace to stand in where there is one */
  function inBatch<T>(
    what: 'records' | 'agencies' | 'metadata',
    size: number,
    ask: (requester: Requester | undefined) => readonly Promise<T>[],
  ): readonly Promise<T>[] {
    requester?.tally?.lookedUp(size);
    if (requester === undefined) return ask(requester);
    const span = requester.span?.child(`batch of ${what}`, 'INTERNAL', { 'doi_gateway.names': size });
    const answers = ask(requesterOfBatch(requester, span, size));
    if (span === undefined) return answers;
    void Promise.allSettled(answers).then((settled) => {
      const failed = settled.filter(({ status }) => status === 'rejected').length;
      if (failed > 0) span.set({ 'doi_gateway.failed': failed });
      span.end();
    });
    return answers;
  }

  const timing = gate ? { batchScheduleFn: (send: () => void) => gate.schedule(send) } : {};
  const records = new DataLoader<RecordQuestion, HandleRecord, string>(
    eachByItself((questions) =>
      inBatch('records', questions.length, (on) => questions.map((question) => resolve(question, on))),
    ),
    {
      ...timing,
      cacheKeyFn: ({ name, auth, cert }) => `${auth ? 'a' : ''}${cert ? 'c' : ''} ${canonicalName(name)}`,
    },
  );
  const agencies = new DataLoader<HandleName, WhichRaAnswer, HandleName>(
    eachByItself((names) =>
      inBatch('agencies', names.length, (on) =>
        directory.whichRa(names, { signal, requester: on }).map(resting),
      ),
    ),
    { ...timing, cacheKeyFn: canonicalName },
  );
  const metadata = new DataLoader<MetadataQuestion, MetadataAnswer, string>(
    eachByItself((questions) =>
      inBatch('metadata', questions.length, (on) => questions.map((question) => describe(question, on))),
    ),
    { ...timing, cacheKeyFn: metadataKey },
  );
  const prefixes = new DataLoader<HandleName, PrefixAnswer, HandleName>(
    eachByItself((handles) => handles.map((handle) => resolvePrefix(handle, requester))),
    { ...timing, cacheKeyFn: canonicalName },
  );
  return {
    prefix: (handle) => prefixes.load(handle),
    metadata: (question) => metadata.load(question),
    record: (question) => records.load(question),
    agency: (name) => agencies.load(name),
  };
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
