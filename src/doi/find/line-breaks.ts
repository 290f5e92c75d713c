// A line break or a space can stand inside a name. Decides whether the name continues after such white space.

import { canBeginForm, isAlphanumeric, isLineBreak, isWhiteSpace, textBefore } from './text-characters.ts';

interface BeforeBreak {
  readonly isUrl: boolean;
  /** the last character of the name before the break */
  readonly last: string;
  /** the last character of the source before the break. It can be invisible, and then it is not in the name. */
  readonly sourceBefore: string;
  /** no character of the suffix stands before the break */
  readonly isSuffixEmpty: boolean;
  /** the suffix before the break has a digit */
  readonly hasDigit: boolean;
}

const MAX_WHITE_SPACE = 24;
const MAX_TOKEN_LENGTH = 64;

/** The offset where the name continues; null if the white space at `at` ends the name. */
export function continuationAfter(text: string, at: number, before: BeforeBreak): number | null {
  const next = skipOneBreak(text, at);
  if (next === null || !(isAlphanumeric(text.charCodeAt(next.at)) || text[next.at] === '(')) return null;
  if (canBeginForm(text, next.at)) return null;
  const token = textBefore(/[\s"'<>{}|,;]/, text.slice(next.at, next.at + MAX_TOKEN_LENGTH));
  // `2.`, `12)`, `(3)`: the next entry of a list.
  if (/^\(?\d{1,3}[.)]{1,2}$/.test(token)) return null;
  const hasDigit = /[0-9]/.test(token);
  if (!next.hasBreak) return before.isSuffixEmpty && hasDigit && next.at === at + 1 ? next.at : null;
  if (before.isSuffixEmpty) return hasDigit || before.isUrl ? next.at : null;
  if (/[-\u2010\u00AD]/.test(before.last + before.sourceBefore)) return next.at;
  return before.isUrl && continuesUrl(token, before) ? next.at : null;
}

function continuesUrl(token: string, { last, hasDigit }: BeforeBreak): boolean {
  const canBeComplete = isAlphanumeric(last.charCodeAt(0));
  if (!/[0-9]/.test(token) || /^[A-Z][a-z]|@|^\d{4}-\d\d/.test(token)) return false;
  const parts = token.split(/[-._/():]/).filter((part) => part !== '');
  const isNumber = /^\d+(?:\.\d+)?$/.test(token);
  if (!hasDigit) return !isNumber || !canBeComplete;
  if (canBeComplete) return false;
  return /^\d{5,}$/.test(token) || /^0\d/.test(token) || (parts.length > 1 && !isNumber);
}

/** Skips spaces and at most one line break; null if there is a second line break. */
function skipOneBreak(text: string, start: number): { at: number; hasBreak: boolean } | null {
  let at = start;
  let hasBreak = false;
  while (at < start + MAX_WHITE_SPACE && isWhiteSpace(text[at] ?? '')) {
    if (isLineBreak(text[at])) {
      if (hasBreak) return null;
      hasBreak = true;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    }
    at += 1;
  }
  return { at, hasBreak };
}
