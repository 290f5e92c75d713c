// What one request asks of the directory: each question once, however often and in whatever case it is put.

import type { Asker } from '../directory/asker.ts';
import type { Directory, WhichRaAnswer } from '../directory/directory.ts';
import { mapAnswer } from '../directory/map-answer.ts';
import { spelledRecord } from '../directory/spelled-record.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { type AliasChain, followAliases } from './alias-chain.ts';
import { type AnswerLife, createAnswerLife } from './answer-expiry.ts';
import { createBatches, type Freshness } from './batches.ts';
import { type Evidence, type Note, startNote } from './evidence.ts';
import { createLookUpBudget } from './look-up-budget.ts';
import { createRecordBytes } from './record-bytes.ts';

export type { Freshness } from './batches.ts';

/**
 * Each answer is there at once where memory has it, and a promise of it where it has not. What fails does so in
 * the same two ways: it is thrown, TOO_MANY_LOOKUPS above all, or rejects the promise.
 */
export interface Loaders {
  /** The record of a name, `handle` in the spelling of this call. Fails as `Directory.resolve` does, or with TOO_MANY_LOOKUPS. */
  record(name: HandleName, freshness?: Freshness): HandleRecord | Promise<HandleRecord>;
  /** The same, but fails with UPSTREAM_UNAVAILABLE where the directory's own answer is that it failed. */
  answeredRecord(name: HandleName, freshness?: Freshness): HandleRecord | Promise<HandleRecord>;
  /** What a name's aliases lead to. Fails with ALIAS_LOOP, else as `answeredRecord` does. */
  aliasChain(name: HandleName, freshness?: Freshness): AliasChain | Promise<AliasChain>;
  /** Fails as `Directory.whichRa` does, or with TOO_MANY_LOOKUPS. */
  whichRa(name: HandleName): WhichRaAnswer | Promise<WhichRaAnswer>;

  /**
   * Begins to note what memory answers. The function it returns ends the note and gives what was used; null where
   * that is not all, or will not hold: something memory did not have, that was stale or an ERROR, asked for with
   * auth or cert, or failed; or where `life.mustNotBeKept` was called. One note at a time.
   */
  note(): () => Evidence | null;
  /**
   * Whether memory still gives the very same answers, none of them stale, and there is room for all of them in the
   * budget. They then count as asked for once more, for the budget, the life of the answer and the metrics; else
   * nothing counts: which of them is one too many is told by asking.
   */
  stillHolds(evidence: Evidence): boolean;
}

const AS_CACHED: Freshness = { auth: false, cert: false };

export interface LoadersOptions {
  readonly directory: Directory;
  readonly asker?: Asker | undefined;
  /** gives the signal with which all look-ups of the request end; called when something has to be waited for */
  readonly signal: () => AbortSignal;
  /** distinct look-ups at the most: a record counts one, and so does a Which RA request */
  readonly maxLookups: number;
  /** is told of everything that is handed out */
  readonly life?: AnswerLife;
  /** when what memory has not is asked for; left out: at the end of the tick */
  readonly schedule?: (send: () => void) => void;
}

/** Loaders for one request. What they need only to wait for answers is made when something is waited for. */
export function createLoaders(options: LoadersOptions): Loaders {
  const { directory, asker, signal, maxLookups, life = createAnswerLife(), schedule } = options;
  const budget = createLookUpBudget(maxLookups, directory.whichRaMeter);
  const bytes = createRecordBytes();
  let batches: ReturnType<typeof createBatches> | undefined;
  let note: Note | undefined;
  // Fields of one DOI ask one after the other for the same.
  let lastRecord: { readonly name: HandleName; readonly record: HandleRecord } | undefined;
  let lastAgency: { readonly name: HandleName; readonly answer: WhichRaAnswer } | undefined;

  function waitFor(): NonNullable<typeof batches> {
    note?.spoil();
    batches ??= createBatches({ directory, asker, signal: signal(), budget, bytes, life, schedule });
    return batches;
  }

  /** What was thrown is no part of an answer that can be kept. */
  function orSpoil<Answer>(ask: () => Answer): Answer {
    try {
      return ask();
    } catch (error) {
      note?.spoil();
      throw error;
    }
  }

  function record(name: HandleName, freshness = AS_CACHED): HandleRecord | Promise<HandleRecord> {
    if (lastRecord?.name === name && !freshness.auth && !freshness.cert) return lastRecord.record;
    if (freshness.auth || freshness.cert) return load(name, freshness);
    orSpoil(() => budget.spendRecord(name));
    const known = directory.peekRecord?.(name);
    if (known === undefined) return load(name, freshness);
    orSpoil(() => bytes.spend(known));
    giveRecord(known);
    note?.record(name, known);
    lastRecord = { name, record: spelledRecord(known, name) };
    return lastRecord.record;
  }

  async function load(name: HandleName, freshness: Freshness): Promise<HandleRecord> {
    return spelledRecord(await waitFor().record({ name, ...freshness }), name);
  }

  function giveRecord(known: HandleRecord): void {
    life.restsOn(known);
    if (known.status === 'ERROR') life.mustNotBeKept();
    directory.countPeek?.('record', known.stale);
  }

  function whichRa(name: HandleName): WhichRaAnswer | Promise<WhichRaAnswer> {
    if (lastAgency?.name === name) return lastAgency.answer;
    orSpoil(() => budget.spendAgency(name));
    const known = directory.peekWhichRa?.(name);
    if (known === undefined) return waitFor().agency(name);
    giveAgency(known);
    note?.agency(name, known);
    lastAgency = { name, answer: known };
    return known;
  }

  function giveAgency(known: WhichRaAnswer): void {
    life.restsOn(known);
    directory.countPeek?.('agency', known.stale);
  }

  function answeredRecord(name: HandleName, freshness?: Freshness): HandleRecord | Promise<HandleRecord> {
    return mapAnswer(record(name, freshness), answered);
  }

  return {
    record,
    answeredRecord,
    aliasChain: (name, freshness) =>
      orSpoil(() => followAliases(name, (next) => answeredRecord(next, freshness))),
    whichRa,

    note() {
      const refusals = life.refusals;
      const started = startNote();
      note = started;
      // What was asked before has to be asked again, to be noted.
      lastRecord = undefined;
      lastAgency = undefined;
      return () => {
        note = undefined;
        return life.refusals === refusals ? started.end() : null;
      };
    },

    stillHolds({ records, agencies }) {
      for (const { name, answer } of records) if (directory.peekRecord?.(name) !== answer) return false;
      for (const { name, answer } of agencies) if (directory.peekWhichRa?.(name) !== answer) return false;
      if (!budget.hasRoomFor(records.length + agencies.length)) return false;
      for (const { name, answer } of records) {
        budget.spendRecord(name);
        giveRecord(answer);
        note?.record(name, answer);
      }
      for (const { name, answer } of agencies) {
        budget.spendAgency(name);
        giveAgency(answer);
        note?.agency(name, answer);
      }
      return true;
    },
  };
}

function answered(record: HandleRecord): HandleRecord {
  if (record.status === 'ERROR') throw new GatewayError('UPSTREAM_UNAVAILABLE');
  return record;
}
