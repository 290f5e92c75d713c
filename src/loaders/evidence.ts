// What an answer rests on: the very objects that memory gave for it.

import type { WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';

/** It keeps its records and agencies in memory for as long as it is kept itself. */
export interface Evidence {
  readonly records: readonly Known<HandleRecord>[];
  readonly agencies: readonly Known<WhichRaAnswer>[];
}

export interface Known<Answer> {
  /** canonical: what memory finds soonest */
  readonly name: HandleName;
  readonly answer: Answer;
}

/** What memory answers while an answer is made of it. */
export interface Note {
  record(name: HandleName, answer: HandleRecord): void;
  agency(name: HandleName, answer: WhichRaAnswer): void;
  /** Something else than what memory holds, and will hold, is in the answer. */
  spoil(): void;
  /** null where it was spoilt */
  end(): Evidence | null;
}

export function startNote(): Note {
  let records: Known<HandleRecord>[] = NONE;
  let agencies: Known<WhichRaAnswer>[] = NONE;
  let spoilt = false;
  return {
    record(name, answer) {
      if (answer.stale || answer.status === 'ERROR') spoilt = true;
      if (records === NONE) records = [];
      records.push({ name, answer });
    },
    agency(name, answer) {
      if (answer.stale) spoilt = true;
      if (agencies === NONE) agencies = [];
      agencies.push({ name, answer });
    },
    spoil() {
      spoilt = true;
    },
    end() {
      if (spoilt) return null;
      const owned = createOwnNames();
      return { records: records.map(owned), agencies: agencies.map(owned) };
    },
  };
}

const NONE: never[] = [];

/** Names outlive the request that they were cut from, and would keep its whole text: each is copied, once. */
function createOwnNames() {
  let last: HandleName | undefined;
  let own: HandleName | undefined;
  return <Answer>({ name, answer }: Known<Answer>): Known<Answer> => {
    if (own === undefined || name !== last) own = Buffer.from(canonicalName(name)).toString() as HandleName;
    last = name;
    return { name: own, answer };
  };
}
