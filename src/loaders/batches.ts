// Makes the look-ups that memory cannot answer. The look-ups of one tick make one batch.

import { setMaxListeners } from 'node:events';
import DataLoader from 'dataloader';
import { canonicalName, type HandleName } from 'doi-names';
import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import {
  type CountedNames,
  GATEWAY_ITSELF,
  type Requester,
  requesterOfBatch,
  requesterOfPrefix,
} from '../directory/requester.ts';
import { isHeldBack } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { TURNS } from '../turns.ts';
import type { AnswerExpiry, Perishable } from './answer-expiry.ts';
import { type LookUpBudget, type MetadataLookUp, metadataKey } from './look-up-budget.ts';
import { createLookUpStarter } from './look-up-starter.ts';
import type { GrowingReservation, RecordBytes } from './record-bytes.ts';

export interface Freshness {
  readonly auth: boolean;
  readonly cert: boolean;
}

type RecordLookUp = Freshness & { readonly name: HandleName };

export interface SendingOptions {
  readonly directory: Directory;
  /** default: the gateway itself */
  readonly requester?: Requester | undefined;
  /** default: a batch is sent at the end of the tick */
  readonly gate?: Gate | undefined;
  /** resolves in a later turn of the event loop; default: when the requester is next */
  readonly nextTurn?: () => Promise<void>;
  /** reserves memory for large records that are not in the cache; default: no reservation */
  readonly reservation?: GrowingReservation;
}

interface BatchesOptions extends SendingOptions {
  readonly signal: AbortSignal;
  /** The caller has already taken look-ups of records without `auth` and `cert` from the budget. */
  readonly budget: LookUpBudget;
  readonly bytes: RecordBytes;
  readonly expiry: AnswerExpiry;
}

/** Decides when a batch is sent. */
export interface Gate {
  schedule(send: () => void): void;
}

export type Batches = ReturnType<typeof createBatches>;

export function createBatches(options: BatchesOptions) {
  const { directory, requester = GATEWAY_ITSELF, signal, budget, bytes, expiry, gate, reservation } = options;
  const { nextTurn = () => TURNS.next(requester.client.key) } = options;
  const countedNames: CountedNames = new Map();
  // Aborts the look-ups with the request, or earlier if the records are too large.
  const lookUpsController = new AbortController();
  setMaxListeners(0, lookUpsController.signal);
  if (signal.aborted) lookUpsController.abort(signal.reason);
  else signal.addEventListener('abort', () => lookUpsController.abort(signal.reason), { once: true });

  const { maxRequests = Number.POSITIVE_INFINITY } = directory;
  const starterOptions = {
    signal: lookUpsController.signal,
    nextTurn,
    // Without the check of the directory, the outage of one agency would fail the look-ups of all agencies.
    isOutage: (error: unknown) => isHeldBack(error) && !directory.status().available,
  };
  const start = createLookUpStarter({ ...starterOptions, maxRequests });
  // A separate starter, so that slow look-ups of prefixes do not delay the look-ups of names.
  const startPrefix = createLookUpStarter({ ...starterOptions, maxRequests });
  // Twice as many look-ups can run: a look-up of metadata first sends a request to the directory, then a request to an
  // agency, which has its own connections.
  const startMetadata = createLookUpStarter({
    ...starterOptions,
    maxRequests: directory.maxMetadataLookUps ?? 2 * maxRequests,
  });

  /** Aborts all look-ups if `spend` throws, because each further record would also exceed the limit. */
  function spendOrAbort(spend: () => void): void {
    try {
      spend();
    } catch (error) {
      lookUpsController.abort(error);
      throw error;
    }
  }

  async function resolve({ name, auth, cert }: RecordLookUp, from: Requester): Promise<HandleRecord> {
    if (auth || cert) budget.spendOther();
    const record = await start((noRequest) =>
      directory.resolve(name, { auth, cert, noRequest, signal: lookUpsController.signal, requester: from }),
    );
    spendOrAbort(() => bytes.spend(record, reservation));
    expiry.include(record);
    // With `auth` or `cert`, the client wants no cached copy. A failure of the directory can end at any time.
    if (auth || cert || record.status === 'ERROR') expiry.mustNotBeCached();
    return record;
  }

  async function resolvePrefix(name: HandleName): Promise<HandleRecord | null> {
    try {
      const record = await startPrefix((noRequest) =>
        directory.resolve(name, { noRequest, requester: requesterOfPrefix(requester) }),
      );
      bytes.spend(record, reservation);
      return record.status === 'ERROR' ? null : record;
    } catch {
      return null;
    }
  }

  async function describe(
    { name, format, noRequest }: MetadataLookUp,
    from: Requester,
  ): Promise<MetadataAnswer> {
    const lookUp = directory.describe as NonNullable<Directory['describe']>;
    const answer = await includeInExpiry(
      startMetadata((outage) => {
        if (from.batch) from.batch.toCome -= 1;
        const options = { signal: lookUpsController.signal, requester: from };
        return lookUp(name, format, { ...options, noRequest: noRequest ?? outage });
      }),
    );
    spendOrAbort(() => bytes.spendMetadata(answer, reservation));
    return answer;
  }

  /** Waits for the answer and includes it in the expiry. */
  async function includeInExpiry<Answer extends Perishable>(lookUp: Promise<Answer>): Promise<Answer> {
    const answer = await lookUp;
    expiry.include(answer);
    return answer;
  }

  /** @param send gets the requester of the batch, which has its own span if tracing is on */
  function inBatch<T>(
    what: 'records' | 'agencies' | 'metadata',
    size: number,
    send: (requester: Requester) => readonly Promise<T>[],
  ): readonly Promise<T>[] {
    requester.tally?.lookedUp(size);
    const span = requester.span?.child(`batch of ${what}`, 'INTERNAL', { 'doi_gateway.names': size });
    const answers = send(requesterOfBatch(requester, span, size, countedNames));
    if (span === undefined) return answers;
    void Promise.allSettled(answers).then((settled) => {
      const failed = settled.filter(({ status }) => status === 'rejected').length;
      if (failed > 0) span.set({ 'doi_gateway.failed': failed });
      span.end();
    });
    return answers;
  }

  const timing = gate ? { batchScheduleFn: (send: () => void) => gate.schedule(send) } : {};
  const records = new DataLoader<RecordLookUp, HandleRecord, string>(
    settledOneByOne((lookUps) =>
      inBatch('records', lookUps.length, (from) => lookUps.map((lookUp) => resolve(lookUp, from))),
    ),
    {
      ...timing,
      cacheKeyFn: ({ name, auth, cert }) => `${auth ? 'a' : ''}${cert ? 'c' : ''} ${canonicalName(name)}`,
    },
  );
  const agencies = new DataLoader<HandleName, WhichRaAnswer, HandleName>(
    settledOneByOne((names) =>
      inBatch('agencies', names.length, (from) =>
        directory.whichRa(names, { signal, requester: from }).map(includeInExpiry),
      ),
    ),
    { ...timing, cacheKeyFn: canonicalName },
  );
  const metadata = new DataLoader<MetadataLookUp, MetadataAnswer, string>(
    settledOneByOne((lookUps) =>
      inBatch('metadata', lookUps.length, (from) => lookUps.map((lookUp) => describe(lookUp, from))),
    ),
    { ...timing, cacheKeyFn: metadataKey },
  );
  const prefixRecords = new DataLoader<HandleName, HandleRecord | null, HandleName>(
    settledOneByOne((names) => names.map(resolvePrefix)),
    { ...timing, cacheKeyFn: canonicalName },
  );
  return {
    /** The record has its name in the spelling of the first look-up. */
    record: (lookUp: RecordLookUp) => records.load(lookUp),
    agency: (name: HandleName) => agencies.load(name),
    metadata: (lookUp: MetadataLookUp) => metadata.load(lookUp),
    /**
     * A record for the locations of a prefix. Null if the look-up fails. The look-up continues after the end of the
     * request, so that the cache gets the record.
     */
    prefixRecord: (handle: HandleName) => prefixRecords.load(handle),
  };
}

/**
 * Makes a batch function for DataLoader that returns promises in place of values. DataLoader resolves each key with its
 * own promise, so a key does not wait for the slowest answer of the batch.
 */
function settledOneByOne<Key, Value>(
  load: (keys: readonly Key[]) => readonly Promise<Value>[],
): (keys: readonly Key[]) => Promise<Value[]> {
  return async (keys) => load(keys) as unknown as Value[];
}
