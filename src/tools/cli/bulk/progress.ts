// Shows the progress of `doi bulk` as one line on a terminal, and writes the summary of the run.

import type { Summary } from '../../bulk/summary.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, SUCCESS } from '../command.ts';
import { type Output, StatusLine } from '../output.ts';

export interface Progress {
  /** @param rows the number of written rows. @param offset the position in the input */
  at(rows: number, offset: number): void;
  /** Sets the start for the rate and the remaining time. Rows of an earlier run are before this start. */
  begin(rows: number, offset: number): void;
  /** Removes the line from the terminal. */
  end(): Promise<void>;
}

/** Before this time, the estimate of the remaining time would change too much. */
const ESTIMATE_AFTER_SECONDS = 5;

/** @param size the bytes of the input; null if unknown */
export function createProgress(stderr: Output, size: number | null, now: () => number): Progress {
  const status = new StatusLine(stderr, now);
  let [startedAt, rowsBefore, offsetBefore] = [now(), 0, 0];
  const text = (rows: number, offset: number): string => {
    const seconds = Math.max(0.001, (now() - startedAt) / 1_000);
    const rate = Math.round((rows - rowsBefore) / seconds);
    const share = size === null ? 0 : (offset - offsetBefore) / Math.max(1, size - offsetBefore);
    const isKnown = share > 0 && seconds >= ESTIMATE_AFTER_SECONDS;
    const left = isKnown ? `, ${durationText((seconds / share) * (1 - share))} left` : '';
    return `${formatCount(rows)} lines, ${formatCount(rate)} a second${left}`;
  };
  return {
    begin(rows, offset) {
      [startedAt, rowsBefore, offsetBefore] = [now(), rows, offset];
    },
    at: (rows, offset) => status.show(() => text(rows, offset)),
    end: () => status.clear(),
  };
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

export function summaryLine({ rows, failures, ...counts }: Summary): string {
  const codes = [...failures].map(([code, count]) => `${code} ${formatCount(count)}`).join(', ');
  const outcomes = [
    [counts.found, 'found'],
    [counts.absent, 'absent'],
    [counts.empty, 'empty'],
    [counts.unknown, 'not in the sample (they might exist)'],
    [counts.invalid, 'no DOI name'],
    [counts.broken, 'unreadable'],
    [counts.failed, `failed (${codes})`],
  ] as const;
  const counted = outcomes.flatMap(([count, text]) => (count > 0 ? [`${formatCount(count)} ${text}`] : []));
  const lines = `${formatCount(rows)} ${rows === 1 ? 'line' : 'lines'}`;
  return `${[lines, ...counted].join(', ')}.\n`;
}

/** The warning about rows that were read as Windows-1252. */
export function guessWarning(rows: number): string {
  if (rows === 0) return '';
  const lines = `${formatCount(rows)} ${rows === 1 ? 'line is' : 'lines are'}`;
  return `${lines} not UTF-8 and read as Windows-1252. If this is wrong, give --encoding.\n`;
}

export function exitCodeOf({ failed, unknown, invalid, broken }: Summary): number {
  if (failed + unknown > 0) return LOOK_UP_FAILED;
  return invalid + broken > 0 ? NEGATIVE_ANSWER : SUCCESS;
}
