// A directory whose look-ups wait until a test ends them, name by name.

import { canonicalName, type HandleName } from 'doi-names';
import { createWhichRaAnswer, type Directory, type WhichRaAnswer } from '../../src/directory/directory.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { HANDLE_NOT_FOUND } from '../../src/handle/response-codes.ts';
import { NOW } from './fake-directory.ts';

export interface HeldDirectory extends Directory {
  /** the look-ups, call by call */
  readonly calls: { readonly resolve: HandleName[]; readonly whichRa: (readonly HandleName[])[] };
  /** the names whose look-ups were aborted */
  readonly abandoned: HandleName[];
  /** The record of a name is not found. The call may come before the look-up. */
  answer(name: string): void;
  /** The look-up of a name's record fails. */
  fail(name: string, error: Error): void;
  /** The agency of a name is found. */
  answerAgency(name: string, agency: string): void;
}

export function createHeldDirectory(): HeldDirectory {
  const records = createHeldAnswers<HandleRecord>();
  const agencies = createHeldAnswers<WhichRaAnswer>();
  const calls: HeldDirectory['calls'] = { resolve: [], whichRa: [] };
  const abandoned: HandleName[] = [];

  /** Rejects when the signal is aborted. */
  function abandonment(name: HandleName, signal: AbortSignal | undefined): Promise<never> {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        abandoned.push(name);
        reject(signal.reason);
      });
    });
  }

  return {
    calls,
    abandoned,
    description: { kind: 'PROXY', baseUrls: [], records: null, description: 'A directory that waits.' },
    async resolve(name, { signal } = {}) {
      calls.resolve.push(name);
      return Promise.race([records.of(name).promise, abandonment(name, signal)]);
    },
    whichRa(names, { signal } = {}) {
      calls.whichRa.push(names);
      return names.map((name) => Promise.race([agencies.of(name).promise, abandonment(name, signal)]));
    },
    status: () => ({ available: true, reached: true }),
    async close() {},
    answer(name) {
      const handle = name as HandleName;
      const parts = { responseCode: HANDLE_NOT_FOUND, handle, values: [], fetchedAt: NOW };
      records.of(handle).resolve(createRecord(parts));
    },
    fail: (name, error) => records.of(name as HandleName).reject(error),
    answerAgency: (name, agency) =>
      agencies.of(name as HandleName).resolve(createWhichRaAnswer({ status: 'FOUND', agency }, NOW)),
  };
}

interface HeldAnswer<Answer> {
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function createHeldAnswers<Answer>() {
  const held = new Map<HandleName, HeldAnswer<Answer>>();
  return {
    of(name: HandleName): HeldAnswer<Answer> {
      const key = canonicalName(name);
      const known = held.get(key) ?? createHeldAnswer<Answer>();
      held.set(key, known);
      return known;
    },
  };
}

function createHeldAnswer<Answer>(): HeldAnswer<Answer> {
  let resolve: HeldAnswer<Answer>['resolve'] = () => {};
  let reject: HeldAnswer<Answer>['reject'] = () => {};
  const promise = new Promise<Answer>((onAnswer, onError) => {
    resolve = onAnswer;
    reject = onError;
  });
  // It may fail before the look-up.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
