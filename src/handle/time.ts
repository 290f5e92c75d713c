// Times as they come over the wire: RFC 3339 mostly, other ISO 8601 now and then.

import { DateTime } from 'luxon';

const RFC_3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
// A complete calendar, ordinal or week date, basic or extended. A time of day alone, or a year, is no time.
const ISO_8601 =
  /^\d{4}-?(?:\d{2}-?\d{2}|\d{3}|W\d{2}-?\d)(?:T[\d:.,]+(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** RFC 3339 keeps its text, other ISO 8601 is converted to it (UTC where no offset is given), else null. */
export function toRfc3339(text: string): string | null {
  if (isRfc3339(text)) return text;
  return parseTime(text)?.toISO({ suppressMilliseconds: true }) ?? null;
}

/** Milliseconds since the epoch of what `toRfc3339` accepts. */
export function toEpochMs(text: string): number | null {
  return parseTime(text)?.toMillis() ?? null;
}

function isRfc3339(text: string): boolean {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= lastDay;
}

function parseTime(text: string): DateTime<true> | null {
  if (!ISO_8601.test(text)) return null;
  const readable = text
    .toUpperCase()
    // A leap second is the last moment of its minute to every clock that does not know it.
    .replace(/(?<=T\d{2}:?\d{2}:?)60/, '59')
    .replace(/(?<=[.,]\d{9})\d+/, '');
  const time = DateTime.fromISO(readable, { zone: 'utc' });
  return time.isValid ? time : null;
}
