// What came of a run, for people.

import type { Summary } from '../../bulk/summary.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE } from '../exit-codes.ts';
import { inWords } from './progress.ts';

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
