// A date of publication: at least a year, with month and day if known.

import { type AgencyObject, isObject } from './agency-json.ts';

export interface PartialDate {
  readonly year: number;
  readonly month: number | null;
  readonly day: number | null;
  /** "2020", "2020-07" or "2020-07-29" */
  readonly text: string;
}

/** Reads a date of CSL: `date-parts`, EDTF or another text. For a range, reads the first date. Null without a year. */
export function readPartialDate(value: unknown): PartialDate | null {
  if (typeof value === 'string' || typeof value === 'number') return fromText(String(value));
  if (Array.isArray(value)) return fromList(value);
  if (!isObject(value)) return null;
  const parts = fromParts(value['date-parts']);
  if (parts !== null) return parts;
  for (const key of TEXT_KEYS) {
    const text = value[key];
    const date = typeof text === 'string' ? fromText(text) : null;
    if (date !== null) return date;
  }
  return fromYear(value);
}

const TEXT_KEYS = ['edtf', 'raw', 'literal', 'date-time'];

/** `[[2020, 7, 29]]`, with numbers or texts. Also `[2020, 7, 29]` and `[{"year": 2020}]`, which some records have. */
function fromParts(parts: unknown): PartialDate | null {
  if (!Array.isArray(parts)) return typeof parts === 'string' ? fromText(parts) : null;
  const [first] = parts as readonly unknown[];
  if (isObject(first)) return fromYear(first);
  const [year, month, day] = (Array.isArray(first) ? first : parts) as readonly unknown[];
  return partialDate(year, month, day);
}

const fromYear = ({ year, month, day }: AgencyObject) => partialDate(year, month, day);

/** Reads a list that contains a date, or the parts of a date. */
function fromList(list: readonly unknown[]): PartialDate | null {
  const [first] = list;
  if (typeof first === 'string' && !/^\s*-?\d{1,4}\s*$/.test(first)) return fromText(first);
  return isObject(first) ? readPartialDate(first) : fromParts(list);
}

/** `2020-07-29`, `2020/07`, `2020.07.29` */
const ISO = /^\s*(-?\d{4})(?:[-/.](\d\d?)(?:[-/.](\d\d?)(?!\d))?)?(?!\d)/;
/** ISO 8601 without hyphens: `20200729` */
const BASIC_ISO = /^\s*(\d{4})(\d\d)(\d\d)(?!\d)/;
const SOME_YEAR = /(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)/g;
const MAX_TEXT = 200;

/** Reads a text that begins with a date of ISO 8601, or that contains exactly one year. */
function fromText(text: string): PartialDate | null {
  const [, year, month, day] = ISO.exec(text) ?? BASIC_ISO.exec(text) ?? [];
  if (year !== undefined) return partialDate(year, month, day);
  const years = new Set(text.slice(0, MAX_TEXT).match(SOME_YEAR));
  return years.size === 1 ? partialDate([...years][0], null, null) : null;
}

/** Leaves out an invalid month or day, and the parts after it. */
function partialDate(year: unknown, month: unknown, day: unknown): PartialDate | null {
  const yearNumber = wholeNumber(year);
  if (yearNumber === null || yearNumber === 0 || Math.abs(yearNumber) > 9_999) return null;
  const monthNumber = inRange(month, 12);
  const dayNumber = monthNumber === null ? null : inRange(day, daysIn(yearNumber, monthNumber));
  const numbers = [monthNumber, dayNumber].filter((number) => number !== null);
  const sign = yearNumber < 0 ? '-' : '';
  const yearText = sign + String(Math.abs(yearNumber)).padStart(4, '0');
  const text = [yearText, ...numbers.map((number) => String(number).padStart(2, '0'))].join('-');
  return { year: yearNumber, month: monthNumber, day: dayNumber, text };
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,4}\s*$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : null;
}

function inRange(value: unknown, max: number): number | null {
  const number = wholeNumber(value);
  return number !== null && number >= 1 && number <= max ? number : null;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
