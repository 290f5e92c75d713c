// The list, and the way it is asked for: part by part, each part streaming.

import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useClient } from 'urql';
import { applyResult } from './apply-result.ts';
import { applyTitles } from './apply-titles.ts';
import { ask } from './ask.ts';
import { askTitles, foundInputs } from './ask-titles.ts';
import { findDois } from './find-dois.ts';
import type { LookUp } from './look-up.ts';
import { isWorthAsking, type ListEntry, newRow, type Row } from './row.ts';
import { type ListedInput, splitList } from './split-list.ts';

export type Phase = 'idle' | 'finding' | 'asking' | 'done' | 'cancelled' | 'interrupted';

export interface ListState {
  readonly phase: Phase;
  readonly rows: readonly Row[];
  /** a sentence: why the gateway's answer did not come, or not to its end */
  readonly interruption: string | null;
}

type Action =
  | { readonly type: 'reading' }
  | { readonly type: 'started'; readonly rows: readonly Row[] }
  | {
      readonly type: 'received';
      readonly part: readonly ListedInput[];
      readonly result: Parameters<typeof applyResult>[2];
    }
  | {
      readonly type: 'titled';
      readonly part: readonly ListedInput[];
      readonly result: Parameters<typeof applyTitles>[2];
    }
  | { readonly type: 'ended'; readonly phase: Phase; readonly interruption?: string };

const nothing: ListState = { phase: 'idle', rows: [], interruption: null };

function reduce(state: ListState, action: Action): ListState {
  switch (action.type) {
    case 'reading':
      return { phase: 'finding', rows: [], interruption: null };
    case 'started':
      return { phase: 'asking', rows: action.rows, interruption: null };
    case 'received':
      return { ...state, rows: applyResult(state.rows, action.part, action.result) };
    case 'titled':
      return { ...state, rows: applyTitles(state.rows, action.part, action.result) };
    case 'ended':
      return { ...state, phase: action.phase, interruption: action.interruption ?? null };
  }
}

export interface LookUpList extends ListState {
  /** Asks for a new list. */
  start(inputs: readonly string[]): void;
  /** Asks for the DOI names in a text, and then for each of them. */
  startFrom(text: string): void;
  /** Asks again for those rows that may become more than they are. */
  askAgain(): void;
  cancel(): void;
}

export function useLookUp(): LookUpList {
  const client = useClient();
  const [state, dispatch] = useReducer(reduce, nothing);
  const running = useRef<AbortController>(null);

  /** Whether the gateway fetches titles: true until it has said that it does not. */
  const hasTitles = useRef(true);

  const begin = useCallback((): AbortSignal => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  }, []);

  const putTitles = useCallback(
    async (part: readonly ListedInput[], signal: AbortSignal) => {
      if (part.length === 0 || signal.aborted || !hasTitles.current) return;
      hasTitles.current = await askTitles(client, part, signal, (result) => {
        dispatch({ type: 'titled', part, result });
      });
    },
    [client],
  );

  const run = useCallback(
    async (rows: readonly Row[], again: readonly ListedInput[], signal: AbortSignal) => {
      dispatch({ type: 'started', rows });
      // Titles come beside the other answers: nothing waits for them.
      let titles = Promise.resolve();
      for (const part of splitList(again)) {
        let data: LookUp | undefined;
        const interruption = await ask(client, part, signal, (result) => {
          data = result.data;
          dispatch({ type: 'received', part, result });
        });
        if (signal.aborted) return;
        if (interruption) {
          const sentence = `The gateway cannot be reached, or stopped answering: ${interruption.message}.`;
          dispatch({ type: 'ended', phase: 'interrupted', interruption: sentence });
          return;
        }
        const found = foundInputs(part, data);
        titles = titles.then(() => putTitles(found, signal));
      }
      dispatch({ type: 'ended', phase: 'done' });
    },
    [client, putTitles],
  );

  const runFrom = useCallback(
    async (text: string, signal: AbortSignal) => {
      dispatch({ type: 'reading' });
      let entries: readonly ListEntry[];
      try {
        entries = await findDois(client, text, signal);
      } catch (error) {
        if (signal.aborted) return;
        dispatch({ type: 'ended', phase: 'interrupted', interruption: (error as Error).message });
        return;
      }
      if (signal.aborted) return;
      const rows = entries.map(newRow);
      await run(rows, rows, signal);
    },
    [client, run],
  );

  // Leaving the page ends the request.
  useEffect(() => () => running.current?.abort(), []);

  return {
    ...state,
    start(inputs) {
      const rows = inputs.map((input, index) => newRow({ input, written: input, repaired: false }, index));
      void run(rows, rows, begin());
    },
    startFrom(text) {
      void runFrom(text, begin());
    },
    askAgain() {
      const again = state.rows.filter(isWorthAsking);
      const rows = state.rows.map((row) =>
        isWorthAsking(row) ? { ...row, answer: null, failures: [], titleFailure: null } : row,
      );
      void run(rows, again, begin());
    },
    cancel() {
      running.current?.abort();
      dispatch({ type: 'ended', phase: 'cancelled' });
    },
  };
}
