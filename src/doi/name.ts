// The types of DOI and handle names, their parts, and the comparison of two names.

// The names that need no reading: most of them.

const PERCENT_SIGN = 0x25;
const FULL_STOP = 0x2e;
const SLASH = 0x2f;

/**
 * Whether the whole input is a name that reads the same in every way: a prefix, and visible ASCII without a
 * percent sign. Most names are, and one scan shows it.
 */
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

declare const handleNameBrand: unique symbol;
declare const doiNameBrand: unique symbol;

/**
 * A handle name as the directory knows it: usually `prefix/suffix` (`10.1000/182`, `0.NA/10.5555`,
 * `10/abcde`), or a bare prefix. Never empty, always well-formed UTF-16, otherwise as it was given:
 * no normalization, case kept.
 */
export type HandleName = string & { readonly [handleNameBrand]: true };

/**
 * A handle name that is a DOI name: prefix `10.` and a registrant code of digits, which full stops may
 * subdivide, `/`, and a suffix of one or more Graphic code points. Only parse.ts makes one, so nothing
 * that takes a DoiName checks it again.
 */
export type DoiName = HandleName & { readonly [doiNameBrand]: true };

/** The text as a handle name, or null if it is empty or holds a lone surrogate. */
export function toHandleName(text: string): HandleName | null {
  return text !== '' && text.isWellFormed() ? (text as HandleName) : null;
}

/** Whether a text is only a prefix of DOI names: `10.1000`, `10.978.8898392`. It is also a handle name. */
export function isPrefix(text: string): text is HandleName {
  return /^10(?:\.[0-9]+)+$/.test(text);
}

/** `10.1000` of `10.1000/a/b`. */
export function prefixOf(name: DoiName): string {
  return name.slice(0, name.indexOf('/'));
}

/** `a/b` of `10.1000/a/b`: the first `/` divides. */
export function suffixOf(name: DoiName): string {
  return name.slice(name.indexOf('/') + 1);
}

/**
 * Lower-cases A–Z and nothing else. `toLowerCase` would also fold the Kelvin sign to `k` and take `İ`
 * apart, and so merge names that are not equivalent (DOI URI scheme, chapter 3, note).
 */
export function foldBasicLatin(text: string): string {
  // In ASCII alone `toLowerCase` folds nothing else, and is faster.
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A loop, since calling a regular expression costs more than a name's few characters do. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** A word in a name. For `matchAll`: nothing else may leave its `lastIndex` behind. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The spelling that all equivalent handle names share, and no other name has. The case of a DOI name does not count,
 * nor the case of another handle whose prefix is `10` or begins with `10.`. Of all other handles only the case of the
 * prefix does not count: `2381/ABC` and `2381/abc` are two handles.
 */
export function canonicalName<Name extends HandleName>(name: Name): Name {
  const isAnyCase = name.startsWith('10.') || name.startsWith('10/');
  return (isAnyCase ? foldBasicLatin(name) : withFoldedPrefix(name)) as Name;
}

function withFoldedPrefix(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? foldBasicLatin(name) : foldBasicLatin(name.slice(0, slash)) + name.slice(slash);
}
