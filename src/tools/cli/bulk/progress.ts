// The progress of a run as one line on a terminal, and its summary.

import type { Summary } from '../../bulk/summary.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE } from '../exit-codes.ts';
import type { Output } from '../output.ts';

export interface Progress {
  /** Shows the number of written rows, and the position in the input. */
  at(rows: number, offset: number): void;
  /** Sets where look-ups begin, behind the rows of an earlier run. */
  begin(rows: number, offset: number): void;
  /** Removes the line. */
  end(): Promise<void>;
}

const EVERY_MS = 250;
/** With less, the estimate would jump. */
const ESTIMATED_AFTER_SECONDS = 5;
const CLEAR = '\r\u001B[K';

/** @param size bytes of the input; null: unknown */
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
      const text = `${formatCount(rows)} lines, ${formatCount(rate)} a second${left}`;
      stderr.stream.write(`${CLEAR}${text.slice(0, stderr.columns - 1)}`);
    },
    async end() {
      if (shown > 0) await stderr.writeStyled(CLEAR);
    },
  };
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function durationTold(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

export function summaryLine({ rows, failures, ...counts }: Summary): string {
  const codes = [...failures].map(([code, count]) => `${code} ${formatCount(count)}`).join(', ');
  const parts = [
    [counts.found, 'found'],
    [counts.absent, 'absent'],
    [counts.empty, 'empty'],
    [counts.unknown, 'not in the sample, which says nothing of them'],
    [counts.invalid, 'no DOI name'],
    [counts.broken, 'unreadable'],
    [counts.failed, `could not be asked (${codes})`],
  ] as const;
  const counted = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${what}`);
  const lines = `${formatCount(rows)} ${rows === 1 ? 'line' : 'lines'}`;
  return `${[lines, ...counted].join(', ')}.\n`;
}

/** The warning about rows that were read as Windows-1252. */
export function guessWarning(rows: number): string {
  if (rows === 0) return '';
  const lines = `${formatCount(rows)} ${rows === 1 ? 'line is' : 'lines are'}`;
  return `${lines} not UTF-8: read as Windows-1252. If that is wrong, give --encoding.\n`;
}

export function exitCodeOf({ failed, unknown, invalid, broken }: Summary): number {
  if (failed + unknown > 0) return COULD_NOT_ASK;
  return invalid + broken > 0 ? OTHERWISE : FINE;
}
