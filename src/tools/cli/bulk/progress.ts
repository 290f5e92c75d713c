// Shows the progress of `doi bulk` as one line on a terminal, and writes the summary of the run.

import type { Field } from '../../bulk/fields.ts';
import type { RowAnswer } from '../../bulk/read-outcome.ts';
import type { Row } from '../../bulk/row.ts';
import {
  countsBy,
  OUTCOME_NAMES,
  ROW_OUTCOMES,
  type RowOutcome,
  rowOutcome,
} from '../../bulk/row-outcomes.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, POSITIVE_ANSWER } from '../command.ts';
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

/** Counts the rows of a run by outcome. The caller passes every answer. @param canResume whether --resume can continue the run */
export function createCounter(fields: readonly Field[], canResume = true) {
  const counts: Record<RowOutcome, number> = { ...countsBy(() => 0) };
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
    count({ isGuessed }: Row, answer: RowAnswer): void {
      rows += 1;
      guessed += Number(isGuessed === true);
      const outcome = rowOutcome(answer, fields);
      counts[outcome] += 1;
      const { error, at } = answer;
      if (outcome !== 'failed' || error === null) return;
      failures.set(error, (failures.get(error) ?? 0) + 1);
      if (at !== undefined) services.set(at, (services.get(at) ?? 0) + 1);
    },
    exitCode(): number {
      if (counts.failed + counts.notInSample > 0) return LOOK_UP_FAILED;
      return counts.severalNames + counts.invalid + counts.unreadable > 0 ? NEGATIVE_ANSWER : POSITIVE_ANSWER;
    },
    summary(): string {
      const codes = Array.from(failures, ([code, count]) => `${code} ${formatCount(count)}`).join(', ');
      const counted = OUTCOME_NAMES.flatMap((outcome) =>
        counts[outcome] > 0 ? [`${formatCount(counts[outcome])} ${ROW_OUTCOMES[outcome]}`] : [],
      );
      const lines = `${formatCount(rows)} ${rows === 1 ? 'line' : 'lines'}`;
      const suffix = codes === '' ? '' : ` (${codes})`;
      return `${[lines, ...counted].join(', ')}${suffix}.\n${failedServices(services, canResume)}${guessWarning(guessed)}${splitAdvice(counts.severalNames)}`;
    },
  };
}

function failedServices(services: ReadonlyMap<string, number>, canResume: boolean): string {
  if (services.size === 0) return '';
  const counts = Array.from(services, ([service, count]) => `${service} ${formatCount(count)}`);
  return `Failed at the services of agencies: ${counts.join(', ')}.${canResume ? ' --resume repeats these lines alone.' : ''}\n`;
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
