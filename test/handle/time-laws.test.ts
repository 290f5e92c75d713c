// Every notation of a time has the milliseconds that Date has.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toEpochMs, toRfc3339 } from '../../src/handle/time.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.parse('9999-12-30T00:00:00Z');

const moments = fc
  .date({ min: new Date(FIRST), max: new Date(LAST), noInvalidDate: true })
  .map((date) => date.getTime());
const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
const digits = (number: number, length = 2) => String(number).padStart(length, '0');

interface Notation {
  readonly date: string;
  readonly basicDate: string;
}

/** The date of a moment in the calendar, by day of the year and by week. */
function notationsOf(ms: number): Notation[] {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  const [ymd = ''] = date.toISOString().split('T');
  const dayOf = (of: number) =>
    Math.floor((ms - Date.parse(`${digits(of, 4)}-01-01T00:00:00Z`)) / DAY_MS) + 1;
  const weekday = date.getUTCDay() || 7;
  const thursday = new Date(ms + (4 - weekday) * DAY_MS);
  const weekYear = thursday.getUTCFullYear();
  const week = Math.floor((dayOf(weekYear) - weekday + 10) / 7);
  const extended = [
    ymd,
    `${digits(year, 4)}-${digits(dayOf(year), 3)}`,
    `${digits(weekYear, 4)}-W${digits(week)}-${weekday}`,
  ];
  return extended.map((text) => ({ date: text, basicDate: text.replaceAll('-', '') }));
}

describe('every notation of a moment has the milliseconds of the moment', () => {
  test('as calendar, ordinal and week date, basic and extended', () => {
    fc.assert(
      fc.property(moments, (ms) => {
        const [, time = ''] = new Date(ms).toISOString().split('T');
        for (const { date, basicDate } of notationsOf(ms)) {
          expect(toEpochMs(`${date}T${time}`), `${date}T${time}`).toBe(ms);
          expect(toEpochMs(`${basicDate}T${time.replaceAll(':', '').replace('.', ',')}`)).toBe(ms);
          expect(toEpochMs(date)).toBe(Math.floor(ms / DAY_MS) * DAY_MS);
        }
      }),
    );
  });

  test('with any offset', () => {
    fc.assert(
      fc.property(moments, offsets, (ms, minutes) => {
        const local = new Date(ms + minutes * 60_000).toISOString().replace('Z', '');
        const size = Math.abs(minutes);
        const offset = `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
        expect(toEpochMs(local + offset)).toBe(Date.parse(local + offset));
        expect(toRfc3339(local + offset)).toBe(local + offset);
        expect(toRfc3339(local + offset.replace(':', ''))).toBe(
          new Date(ms).toISOString().replace('.000Z', 'Z'),
        );
      }),
    );
  });

  test('for each millisecond of a second', () => {
    for (let ms = 0; ms < 1_000; ms += 1) expect(toEpochMs(`1970-01-01T00:00:00.${digits(ms, 3)}Z`)).toBe(ms);
  });
});

test('every day of a year is a date, and a day that does not exist is not a date', () => {
  for (const year of [0, 1, 4, 99, 100, 400, 1900, 1999, 2000, 2004, 2015, 2020, 9999]) {
    const days = { calendar: 0, ordinal: 0, week: 0 };
    const count = (kind: keyof typeof days, text: string): void => {
      if (toEpochMs(text) !== null) days[kind] += 1;
    };
    for (let month = 0; month <= 99; month += 1) {
      for (let day = 0; day <= 99; day += 1) {
        count('calendar', `${digits(year, 4)}${digits(month)}${digits(day)}`);
      }
    }
    for (let ordinal = 0; ordinal <= 999; ordinal += 1)
      count('ordinal', digits(year, 4) + digits(ordinal, 3));
    for (let week = 0; week <= 99; week += 1) {
      for (let day = 0; day <= 9; day += 1) count('week', `${digits(year, 4)}W${digits(week)}${day}`);
    }
    const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    // A year has 53 weeks if it begins or ends on a Thursday.
    const hasLongYear = ['01-01', '12-31'].some(
      (day) => new Date(`${digits(year, 4)}-${day}T00:00:00Z`).getUTCDay() === 4,
    );
    expect({ year, ...days }).toEqual({
      year,
      calendar: isLeapYear ? 366 : 365,
      ordinal: isLeapYear ? 366 : 365,
      week: (hasLongYear ? 53 : 52) * 7,
    });
  }
});
