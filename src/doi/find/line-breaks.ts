// Whether a name goes on behind white space: on the next line, where a break was made inside it.

import { isAlphanumeric, isLineBreak, isWhiteSpace, mayBeginForm } from './text-characters.ts';

export interface BeforeBreak {
  readonly isUrl: boolean;
  /** the last character of the name so far */
  readonly last: string;
  /** the last character of the source, which may be invisible */
  readonly sourceBefore: string;
  /** nothing of the suffix has been read */
  readonly isEmpty: boolean;
  /** the suffix so far has a digit */
  readonly hasDigit: boolean;
}

const MOST_WHITE_SPACE = 24;
const LONGEST_TOKEN = 64;

/** Where the name goes on; null where the white space at `at` ends it. */
export function healedBreak(text: string, at: number, before: BeforeBreak): number | null {
  const next = behindOneBreak(text, at);
  if (next === null || !(isAlphanumeric(text.charCodeAt(next.at)) || text[next.at] === '(')) return null;
  if (mayBeginForm(text, next.at)) return null;
  const token = tokenAt(text, next.at);
  if (isListMarker(token)) return null;
  const hasDigit = /[0-9]/.test(token);
  if (!next.isBreak) return before.isEmpty && hasDigit && next.at === at + 1 ? next.at : null;
  if (before.isEmpty) return hasDigit || before.isUrl ? next.at : null;
  if (/[-\u2010\u00AD]/.test(before.last + before.sourceBefore)) return next.at;
  return before.isUrl && goesOn(token, before) ? next.at : null;
}

function goesOn(token: string, { last, hasDigit }: BeforeBreak): boolean {
  const isLoose = isAlphanumeric(last.charCodeAt(0));
  if (!/[0-9]/.test(token) || /^[A-Z][a-z]|@|^\d{4}-\d\d/.test(token)) return false;
  const parts = token.split(/[-._/():]/).filter((part) => part !== '');
  const isNumber = /^\d+(?:\.\d+)?$/.test(token);
  if (!hasDigit) return !isNumber || !isLoose;
  // After a name that may be complete, the next line must be more than a number or a word.
  if (isLoose) return false;
  return /^\d{5,}$/.test(token) || /^0\d/.test(token) || (parts.length > 1 && !isNumber);
}

/** Past spaces and at most one line break; null where there is more than that. */
function behindOneBreak(text: string, start: number): { at: number; isBreak: boolean } | null {
  let at = start;
  let isBreak = false;
  while (at < start + MOST_WHITE_SPACE && isWhiteSpace(text[at] ?? '')) {
    if (isLineBreak(text[at])) {
      if (isBreak) return null;
      isBreak = true;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    }
    at += 1;
  }
  return { at, isBreak };
}

function tokenAt(text: string, at: number): string {
  const line = text.slice(at, at + LONGEST_TOKEN);
  const end = line.search(/[\s"'<>{}|,;]/);
  const token = end === -1 ? line : line.slice(0, end);
  return token;
}

/** `2.`, `12)`, `(3)`: the next entry of a list. */
function isListMarker(token: string): boolean {
  return /^\(?\d{1,3}[.)]{1,2}$/.test(token);
}
