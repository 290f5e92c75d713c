// Lengths of time as options have them: `30d`, `12h`, `2w`.

import { UsageError } from './command.ts';

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** In milliseconds. Throws a UsageError for what is none. */
export function ageOf(option: string, text: string): number {
  const [, count, unit = 'd'] = /^(\d{1,6})([hdw])?$/.exec(text) ?? [];
  if (count === undefined || (text !== '0' && !/[hdw]$/.test(text))) {
    throw new UsageError(
      `--${option} must be a number and a unit, as in 12h, 30d or 4w, or 0; "${text}" is not.`,
    );
  }
  return Number(count) * (UNITS_MS[unit] ?? 0);
}
