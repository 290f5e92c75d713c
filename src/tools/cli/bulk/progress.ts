// How far a run is: one line on a terminal, written over again and again.

import type { Summary } from '../../bulk/summary.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE } from '../command.ts';
import type { Output } from '../output.ts';

export interface Progress {
  /** Tells how many rows are written, and up to which byte of the input. */
  at(rows: number, offset: number): void;
  /** Where asking begins, behind what was there already. */
  begin(rows: number, offset: number): void;
  /** Takes the line away. */
  end(): Promise<void>;
}

const EVERY_MS = 250;
/** An estimate from less would jump. */
const ESTIMATED_AFTER_SECONDS = 5;
const CLEAR = '\r\u001B[K';

/** @param size bytes of the input; null where nobody knows */
export function createProgress(stderr: Output, size: number | null, now: () => number): Progress {
  let [from, rowsBefore, offsetBefore, shown] = [now(), 0, 0, 0];
  return {
    begin(rows, offset) {
      [from, rowsBefore, offsetBefore] = [now(), rows, offset];
    },
    at(rows, offset) {
      const time = now();
      if (!stderr.isTerminal || time - shown < EVERY_MS) return;
      shown = time;
      const seconds = Math.max(0.001, (time - from) / 1_000);
      const rate = Math.round((rows - rowsBefore) / seconds);
      const share = size === null ? 0 : (offset - offsetBefore) / Math.max(1, size - offsetBefore);
      const isKnown = share > 0 && seconds >= ESTIMATED_AFTER_SECONDS;
      const left = isKnown ? `, ${durationTold((seconds / share) * (1 - share))} left` : '';
      const text = `${inWords(rows)} lines, ${inWords(rate)} a second${left}`;
      stderr.stream.write(`${CLEAR}${text.slice(0, stderr.columns - 1)}`);
    },
    async end() {
      if (shown > 0) await stderr.writeStyled(CLEAR);
    },
  };
}

export function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

function durationTold(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

// What came of a run, for people.

export function summaryTold({ rows, failures, ...counts }: Summary): string {
  const codes = [...failures].map(([code, count]) => `${code} ${inWords(count)}`).join(', ');
  const parts = [
    [counts.found, 'found'],
    [counts.absent, 'absent'],
    [counts.empty, 'empty'],
    [counts.unknown, 'not in the sample, which says nothing of them'],
    [counts.invalid, 'no DOI name'],
    [counts.broken, 'unreadable'],
    [counts.failed, `could not be asked (${codes})`],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${inWords(count)} ${what}`);
  const lines = `${inWords(rows)} ${rows === 1 ? 'line' : 'lines'}`;
  return `${[lines, ...told].join(', ')}.\n`;
}

/** What was guessed of the file. */
export function guessTold(rows: number): string {
  if (rows === 0) return '';
  const lines = `${inWords(rows)} ${rows === 1 ? 'line is' : 'lines are'}`;
  return `${lines} not UTF-8: read as Windows-1252. If that is wrong, give --encoding.\n`;
}

export function exitCodeOf({ failed, unknown, invalid, broken }: Summary): number {
  if (failed + unknown > 0) return COULD_NOT_ASK;
  return invalid + broken > 0 ? OTHERWISE : FINE;
}
