// Look-ups that found no room are told by one line a second, not one a name: there may be thousands.

import type { Log } from '../../log.ts';
import type { Time } from './question-deadline.ts';

export interface RefusalLog {
  count(): void;
  /** Tells what was counted, and counts no more. */
  close(): void;
}

const EVERY_MS = 1_000;

export function createRefusalLog(log: Log, time: Time): RefusalLog {
  let lookUps = 0;
  let cancelAlarm: (() => void) | undefined;

  function tell(): void {
    cancelAlarm = undefined;
    log.warn({ lookUps, code: 'GATEWAY_BUSY' }, `${lookUps} look-ups found no room towards the directory`);
    lookUps = 0;
  }

  return {
    count() {
      lookUps += 1;
      cancelAlarm ??= time.alarm(EVERY_MS, tell);
    },
    close() {
      cancelAlarm?.();
      if (lookUps > 0) tell();
    },
  };
}
