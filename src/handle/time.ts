// Reads the times in handle records: usually RFC 3339, sometimes other forms of ISO 8601.

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

// A date as `2024-02-29`, `2024-060` (day of the year) or `2024-W09-4` (week), with or without hyphens.
// The groups have no names, because names are slower, and a record can have 50,000 times.
const DATE = /(\d{4})-?(?:(\d\d)-?(\d\d)|(\d{3})|W(\d\d)-?(\d))/;
const TIME = /(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?/;
const OFFSET = /Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?/;
const ISO_8601 = new RegExp(`^${DATE.source}(?:T${TIME.source}(?:${OFFSET.source})?)?$`, 'i');

type Part = string | undefined;

const DAY_MS = 86_400_000;

/**
 * Returns RFC 3339 unchanged. Converts other ISO 8601 to RFC 3339; a time without an offset is UTC. Null for other text.
 */
export function toRfc3339(text: string): string | null {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (year !== undefined && calendarDate(year, month, day) !== null) return text;
  const ms = toEpochMs(text);
  return ms === null ? null : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Milliseconds since the epoch. Null for text that `toRfc3339` does not accept. */
export function toEpochMs(text: string): number | null {
  const parts: Part[] | null = ISO_8601.exec(text);
  if (parts === null) return null;
  const [, year, month, day, ordinal, week, weekday, hour, minute, second, fraction, sign, hours, minutes] =
    parts;
  const date = dateOf(year, month, day, ordinal, week, weekday);
  const time = timeOfDay(hour, minute, second, fraction);
  return date === null || time === null ? null : date + time - offset(sign, hours, minutes);
}

function dateOf(year: Part, month: Part, day: Part, ordinal: Part, week: Part, weekday: Part): number | null {
  if (month !== undefined) return calendarDate(year, month, day);
  return ordinal === undefined ? weekDate(year, week, weekday) : ordinalDate(year, ordinal);
}

function calendarDate(year: Part, month: Part, day: Part): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1) return null;
  const date = midnight(y, m, d);
  // JavaScript reads 30 February as a day of March.
  return d <= 28 || date < midnight(y, m + 1, 1) ? date : null;
}

function ordinalDate(year: Part, ordinal: Part): number | null {
  const date = midnight(Number(year), 1, Number(ordinal));
  return isOfYear(date, Number(year)) ? date : null;
}

function weekDate(year: Part, week: Part, weekday: Part): number | null {
  if (!(Number(weekday) >= 1 && Number(weekday) <= 7)) return null;
  // 4 January is always in week 1. A week belongs to the year of its Thursday.
  const inWeek = midnight(Number(year), 1, 4 + 7 * (Number(week) - 1));
  const thursday = inWeek + (4 - weekdayOf(inWeek)) * DAY_MS;
  return isOfYear(thursday, Number(year)) ? thursday + (Number(weekday) - 4) * DAY_MS : null;
}

function isOfYear(date: number, year: number): boolean {
  return date >= midnight(year, 1, 1) && date < midnight(year + 1, 1, 1);
}

/** 1 is Monday. 1 January 1970 was a Thursday. */
function weekdayOf(date: number): number {
  const days = (date / DAY_MS + 3) % 7;
  return 1 + (days < 0 ? days + 7 : days);
}

/** The weekdays and leap years of the calendar repeat after 400 years. */
const AGE_YEARS = 400;
const AGE_MS = 146_097 * DAY_MS;

/** Computes with a year 400 years later, because `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
function midnight(year: number, month: number, day: number): number {
  return Date.UTC(year + AGE_YEARS, month - 1, day) - AGE_MS;
}

/** Milliseconds since midnight. Null for an invalid time. 24:00 is valid. */
function timeOfDay(
  hour: Part = '00',
  minute: Part = '00',
  second: Part = '00',
  fraction: Part = '',
): number | null {
  // A leap second becomes second 59.
  const seconds = second === '60' ? 59 : Number(second);
  if (Number(hour) > 24 || Number(minute) > 59 || seconds > 59) return null;
  const milliseconds = fraction === '' ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
  const ms = (Number(hour) * 60 + Number(minute)) * 60_000 + seconds * 1_000 + milliseconds;
  return ms <= DAY_MS ? ms : null;
}

function offset(sign: Part, hours: Part = '00', minutes: Part = '00'): number {
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}
