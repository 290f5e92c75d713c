// When something was published: a year at the least, as far as it is known.

export interface PartialDate {
  readonly year: number;
  readonly month: number | null;
  readonly day: number | null;
  /** "2020", "2020-07" or "2020-07-29" */
  readonly text: string;
}

/** A date of CSL: `date-parts`, or a text; null where no year can be told. Of a range its beginning. */
export function readPartialDate(value: unknown): PartialDate | null {
  if (typeof value === 'string' || typeof value === 'number') return fromText(String(value));
  if (typeof value !== 'object' || value === null) return null;
  const date = value as Readonly<Record<string, unknown>>;
  const parts = fromParts(date['date-parts']);
  if (parts !== null) return parts;
  for (const key of ['raw', 'literal', 'date-time']) {
    const text = date[key];
    const read = typeof text === 'string' ? fromText(text) : null;
    if (read !== null) return read;
  }
  return partialDate(date['year'], date['month'], date['day']);
}

/** `[[2020, 7, 29]]`, with numbers or texts; now and then without the outer list. */
function fromParts(parts: unknown): PartialDate | null {
  if (!Array.isArray(parts)) return null;
  const [first] = parts as readonly unknown[];
  const [year, month, day] = (Array.isArray(first) ? first : parts) as readonly unknown[];
  return partialDate(year, month, day);
}

const ISO = /^\s*(-?\d{4})(?:[-/](\d\d?)(?:[-/](\d\d?)(?!\d))?)?(?!\d)/;
const SOME_YEAR = /(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)/g;
const MAX_TEXT = 200;

/** A text that begins as ISO 8601 does, or names one year alone. */
function fromText(text: string): PartialDate | null {
  const [, year, month, day] = ISO.exec(text) ?? [];
  if (year !== undefined) return partialDate(year, month, day);
  const years = new Set(text.slice(0, MAX_TEXT).match(SOME_YEAR));
  return years.size === 1 ? partialDate([...years][0], null, null) : null;
}

/** What is no month or day is left out, and what would follow it. */
function partialDate(year: unknown, month: unknown, day: unknown): PartialDate | null {
  const years = wholeNumber(year);
  if (years === null || years === 0 || Math.abs(years) > 9_999) return null;
  const months = inRange(month, 12);
  const days = months === null ? null : inRange(day, daysIn(years, months));
  const numbers = [months, days].filter((number) => number !== null);
  const sign = years < 0 ? '-' : '';
  const text = [`${sign}${padded(Math.abs(years), 4)}`, ...numbers.map((number) => padded(number, 2))].join(
    '-',
  );
  return { year: years, month: months, day: days, text };
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : null;
}

function inRange(value: unknown, most: number): number | null {
  const number = wholeNumber(value);
  return number !== null && number >= 1 && number <= most ? number : null;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
