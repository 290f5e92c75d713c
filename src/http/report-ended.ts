// Tells those who run the gateway what connections it ended: one line, however many there were.

import type { Log } from '../log.ts';
import type { Ended } from './bound-connections.ts';

const WORDS: Readonly<Record<Ended, string>> = {
  refused: 'refused, as MAX_CONNECTIONS were open and none of them was idle',
  idle: 'the longest idle, to make room for others',
  unreadAnswer: 'whose answer was not read, or too slowly',
  slowBody: 'whose request body came too slowly',
  pipelined: 'with too many requests before their first answer',
};

export function createEndedReport(log: Log) {
  const counts = new Map<Ended, number>();
  return {
    count(why: Ended): void {
      counts.set(why, (counts.get(why) ?? 0) + 1);
    },
    /** Logs what has been counted since the last time, if anything. */
    tell(): void {
      if (counts.size === 0) return;
      const told = [...counts].map(([why, count]) => `${count} ${WORDS[why]}`);
      log.warn({ ended: Object.fromEntries(counts) }, `Connections were ended: ${told.join('; ')}.`);
      counts.clear();
    },
  };
}
