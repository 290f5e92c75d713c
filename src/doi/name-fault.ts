// Finds the first rule of DOI names that a decoded text breaks.

import type { DoiProblemCode } from './problem-messages.ts';

interface Fault {
  readonly code: DoiProblemCode;
  /** UTF-16 offset into the decoded name */
  readonly offset: number | null;
}

// Graphic characters have the general category L, M, N, P, S or Zs (The Unicode Standard).
export const NON_GRAPHIC = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;

/** Null if the text is a DOI name. */
export function nameFault(text: string): Fault | null {
  const slash = text.indexOf('/');
  const prefix = slash === -1 ? null : text.slice(0, slash);
  const isDoi = text.startsWith('10.');
  if (isDoi && prefix === null) return { code: 'MISSING_SUFFIX', offset: null };
  if (prefix === '10') return { code: 'SHORT_DOI', offset: null };
  if (isDoi) {
    const stray = prefix?.search(/[^0-9.]|\.(?![0-9])/) ?? -1;
    if (stray !== -1) return { code: 'INVALID_PREFIX', offset: text[stray] === '.' ? stray + 1 : stray };
  } else if (prefix && /^[0-9.]+$/.test(prefix)) {
    return { code: 'INVALID_DIRECTORY_INDICATOR', offset: 0 };
  }
  if (slash !== -1 && slash === text.length - 1) return { code: 'MISSING_SUFFIX', offset: null };

  const nonGraphic = text.search(NON_GRAPHIC);
  if (nonGraphic !== -1) return { code: 'NON_GRAPHIC_CHARACTER', offset: nonGraphic };
  return isDoi ? null : { code: 'NOT_A_DOI', offset: null };
}

/**
 * Checks the URI syntax of a text that begins with `doi:`: exactly two path segments (RFC 3986), no query, no fragment.
 * Null if the syntax is correct. `offset` is null if the slash is missing.
 */
export function uriFault(text: string): { readonly offset: number | null } | null {
  const stray = text.search(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]|%(?![0-9A-Fa-f]{2})/);
  if (stray !== -1) return { offset: stray };
  const first = text.indexOf('/');
  if (first === -1) return { offset: null };
  const second = text.indexOf('/', first + 1);
  return second === -1 ? null : { offset: second };
}
