// Reads single details of an agency's item: short texts, addresses, counts and times. A reader never throws.

import { listOf, word } from './agency-json.ts';
import { type MarkupBudget, markupBudget, plainWithin } from './markup-budget.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** The entries of a list, or a single value. A list above the limit is cut before its entries are read. */
export function entriesOf(value: unknown): readonly unknown[] {
  return listOf(Array.isArray(value) ? value.slice(0, WORK_LIMITS.listEntries) : value);
}

/** Reads each entry of a list or a single value, and leaves out an entry that cannot be read. */
export function readEach<Entry>(value: unknown, read: (entry: unknown) => Entry | null): readonly Entry[] {
  return entriesOf(value)
    .map(read)
    .filter((entry) => entry !== null);
}

export type TextReader = (value: unknown) => string | null;

/** Reads short texts of one work. Texts that perhaps have markup use the budget. When it is spent, markup stays. */
export function textReader(budget: MarkupBudget = markupBudget()): TextReader {
  return (value) => {
    const [first] = listOf(value);
    if (typeof first === 'number') return String(first);
    if (typeof first !== 'string') return null;
    return plainWithin(first, budget, WORK_LIMITS.detailCharacters) || null;
  };
}

/** Older DOI names have these characters, and some publishers copy such a name into an address without encoding it. */
const UNSAFE = /[<>"]/g;

/** An address of http or https; null for any other text, such as `javascript:…`. */
export function webAddress(value: unknown): string | null {
  const text = word(listOf(value)[0]);
  if (text === null || !/^https?:\/\/[^\s<>"/?#]\S*$/i.test(text) || !URL.canParse(text)) return null;
  return text.replace(UNSAFE, encodeURIComponent);
}

/** An address of the web, or a name of a licence or an award: `info:eu-repo/semantics/openAccess`, `urn:…`. */
export function safeUri(value: unknown): string | null {
  const text = word(listOf(value)[0]);
  return text !== null && /^(?:info|urn):[^\s<>"]+$/i.test(text) ? text : webAddress(value);
}

const MAX_COUNT = 2_147_483_647;

export function count(value: unknown): number | null {
  const text = word(value);
  const number = text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
  return number !== null && number <= MAX_COUNT ? number : null;
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A time in ISO 8601; without a zone it is UTC. */
export function time(value: unknown): string | null {
  const text = word(value);
  if (text === null || !TIME.test(text)) return null;
  const isZoned = text.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const epochMs = Date.parse(isZoned ? text : `${text}Z`);
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString();
}
