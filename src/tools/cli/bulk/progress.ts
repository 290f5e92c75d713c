// Shows the progress of `doi bulk` as one line on a terminal, and writes the summary of the run.

import type { Field } from '../../bulk/fields.ts';
import { errorOutcome, type RowAnswer } from '../../bulk/read-outcome.ts';
import type { Row } from '../../bulk/row.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, SUCCESS } from '../command.ts';
import { type Output, StatusLine } from '../output.ts';

/** Before this time, the estimate of the remaining time would change too much. */
const ESTIMATE_AFTER_SECONDS = 5;

/** @param size the bytes of the input; null if unknown */
export function createProgress(stderr: Output, size: number | null, now: () => number) {
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
    /** Sets the start for the rate and the remaining time. Rows of an earlier run are before this start. */
    begin(rows: number, offset: number): void {
      [startedAt, rowsBefore, offsetBefore] = [now(), rows, offset];
    },
    /** @param rows the number of written rows. @param offset the position in the input */
    at: (rows: number, offset: number) => status.show(() => text(rows, offset)),
    /** Removes the line from the terminal. */
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

/** The outcomes of rows in the order of the summary. Without the field `exists`, no row is found or absent. */
const OUTCOMES = {
  found: 'found',
  absent: 'absent',
  several: 'with several names',
  empty: 'empty',
  unknown: 'not in the sample (they might exist)',
  invalid: 'no DOI name',
  broken: 'unreadable',
  failed: 'failed',
} as const;

/** Counts the rows of a run by outcome. The caller passes every answer that it writes. */
export function createCounter(fields: readonly Field[]) {
  const exists = fields.findIndex(({ name }) => name === 'exists');
  const counts = { found: 0, absent: 0, several: 0, empty: 0, unknown: 0, invalid: 0, broken: 0, failed: 0 };
  /** the numbers of failed rows by error code */
  const failures = new Map<string, number>();
  /** the numbers of failed rows by agency and host */
  const services = new Map<string, number>();
  let rows = 0;
  let guessed = 0;
  return {
    get rows() {
      return rows;
    },
    count({ isGuessed }: Row, { values, error, at }: RowAnswer): void {
      rows += 1;
      guessed += Number(isGuessed === true);
      // A row has one outcome: a row that exists and whose title failed is failed, so that --resume repeats it.
      if (error === null) {
        // In an answer from an earlier CSV output, all values are strings.
        const value = String(values[exists] ?? '');
        if (value === 'true') counts.found += 1;
        else if (value === 'false') counts.absent += 1;
        return;
      }
      const outcome = errorOutcome(error);
      counts[outcome] += 1;
      if (outcome !== 'failed') return;
      failures.set(error, (failures.get(error) ?? 0) + 1);
      if (at !== undefined) services.set(at, (services.get(at) ?? 0) + 1);
    },
    exitCode(): number {
      if (counts.failed + counts.unknown > 0) return LOOK_UP_FAILED;
      return counts.several + counts.invalid + counts.broken > 0 ? NEGATIVE_ANSWER : SUCCESS;
    },
    summary(): string {
      const codes = Array.from(failures, ([code, count]) => `${code} ${formatCount(count)}`).join(', ');
      const counted = Object.entries(OUTCOMES).flatMap(([outcome, text]) => {
        const count = counts[outcome as keyof typeof OUTCOMES];
        return count > 0 ? [`${formatCount(count)} ${text}`] : [];
      });
      const lines = `${formatCount(rows)} ${rows === 1 ? 'line' : 'lines'}`;
      const suffix = codes === '' ? '' : ` (${codes})`;
      return `${[lines, ...counted].join(', ')}${suffix}.\n${failedServices(services)}${guessWarning(guessed)}${splitAdvice(counts.several)}`;
    },
  };
}

function failedServices(services: ReadonlyMap<string, number>): string {
  if (services.size === 0) return '';
  const counts = Array.from(services, ([service, count]) => `${service} ${formatCount(count)}`);
  return `Failed at the services of agencies: ${counts.join(', ')}. --resume repeats these lines alone.\n`;
}

function splitAdvice(rows: number): string {
  if (rows === 0) return '';
  return 'The field meant has the names of a cell with several names. --split writes a line for each name.\n';
}

/** The warning about rows that were read as Windows-1252. */
function guessWarning(rows: number): string {
  if (rows === 0) return '';
  const lines = `${formatCount(rows)} ${rows === 1 ? 'line is' : 'lines are'}`;
  return `${lines} not UTF-8 and read as Windows-1252. If this is wrong, give --encoding.\n`;
}
