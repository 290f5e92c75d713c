// Time for requests over real sockets: it passes only while the gateway and the servers wait for nothing else.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/time.ts';
import { createManualTime } from '../../upstream/manual-time.ts';

export interface DrivenTime extends Clock {
  /** Lets time pass until the promise resolves or rejects. */
  drive<T>(outcome: Promise<T>): Promise<T>;
  close(): void;
}

/** Time passes after this many idle turns of the event loop. */
const IDLE_TURNS = 100;
const ENDS = ['undici:request:trailers', 'undici:request:error'];

/** @param held number of requests that the servers hold back */
export function createDrivenTime(held: () => number): DrivenTime {
  const time = createManualTime();
  const sent = new Set<unknown>();
  const begin = (message: unknown): void => void sent.add((message as { readonly request: object }).request);
  const end = (message: unknown): void => void sent.delete((message as { readonly request: object }).request);
  subscribe('undici:request:create', begin);
  for (const channel of ENDS) subscribe(channel, end);

  async function untilIdle(): Promise<void> {
    for (let turns = 0; turns < IDLE_TURNS; turns += 1) {
      if (sent.size !== held()) turns = -1;
      await nextTurn();
    }
  }

  return {
    ...time,
    async drive(outcome) {
      let isSettled = false;
      const settle = (): void => {
        isSettled = true;
      };
      outcome.then(settle, settle);
      for (await untilIdle(); !isSettled; await untilIdle()) time.advance(time.untilNextMs() ?? 0);
      return outcome;
    },
    close() {
      unsubscribe('undici:request:create', begin);
      for (const channel of ENDS) unsubscribe(channel, end);
    },
  };
}
