// The types of DOI names and handle names, the parts of a name, and the comparison of two names.

const PERCENT_SIGN = 0x25;
const FULL_STOP = 0x2e;
const SLASH = 0x2f;

/** Whether the input is a DOI name of visible ASCII without `%`, as most inputs are. A plain name needs no decoding. */
export function isPlainName(input: string): boolean {
  if (!input.startsWith('10.')) return false;
  let at = 2;
  while (
    isDigit(input.charCodeAt(at)) ||
    (input.charCodeAt(at) === FULL_STOP && isDigit(input.charCodeAt(at + 1)))
  ) {
    at += 1;
  }
  if (input.charCodeAt(at) !== SLASH || at + 1 === input.length) return false;
  for (at += 1; at < input.length; at += 1) {
    const code = input.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f || code === PERCENT_SIGN) return false;
  }
  return true;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

declare const handleNameBrand: unique symbol;
declare const doiNameBrand: unique symbol;

/**
 * A handle name: usually `prefix/suffix` (`10.1000/182`, `0.NA/10.5555`, `10/abcde`), or a bare prefix. It is never empty
 * and always well-formed UTF-16. It is not normalized, and its case is kept.
 */
export type HandleName = string & { readonly [handleNameBrand]: true };

/**
 * A handle name that is a DOI name, for example `10.1000.5/a b`. After `10.` come digits, which full stops can divide,
 * then `/` and one or more Graphic code points. Only parse.ts makes a DoiName, so other functions need not check it.
 */
export type DoiName = HandleName & { readonly [doiNameBrand]: true };

/** Null if the text is empty or has a lone surrogate. */
export function toHandleName(text: string): HandleName | null {
  return text !== '' && text.isWellFormed() ? (text as HandleName) : null;
}

/** Whether a text is only the prefix of DOI names: `10.1000`, `10.978.8898392`. */
export function isPrefix(text: string): text is HandleName {
  return /^10(?:\.[0-9]+)+$/.test(text);
}

/** `10.1000` of `10.1000/a/b`. */
export const prefixOf = (name: DoiName): string => name.slice(0, name.indexOf('/'));
/** `a/b` of `10.1000/a/b`. */
export const suffixOf = (name: DoiName): string => name.slice(name.indexOf('/') + 1);

/**
 * Changes A–Z to lower case and no other character. `toLowerCase` would also change the Kelvin sign to `k`, so
 * two different names would become equal (DOI URI scheme, chapter 3, note).
 */
export function foldBasicLatin(text: string): string {
  // In an ASCII text, `toLowerCase` also changes only A–Z, and it is faster.
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** For the few characters of a name, a loop is faster than a regular expression. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** A word in a name: letters, marks and digits. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The spelling by which handle names are compared: two names are equivalent if their canonical names are equal. In a name
 * that begins with `10.` or `10/`, A–Z become lower-case. In other names, only A–Z of the prefix do: `2381/ABC` and
 * `2381/abc` are two handles.
 */
export function canonicalName<Name extends HandleName>(name: Name): Name {
  const slash = name.startsWith('10.') || name.startsWith('10/') ? -1 : name.indexOf('/');
  if (slash === -1) return foldBasicLatin(name) as Name;
  return (foldBasicLatin(name.slice(0, slash)) + name.slice(slash)) as Name;
}
