// The names that need no reading: most of them.

const PERCENT_SIGN = 0x25;
const FULL_STOP = 0x2e;
const SLASH = 0x2f;

/**
 * Whether the whole input is a name that reads the same in every way: a prefix, and visible ASCII without a
 * percent sign. Most names are, and one scan tells it.
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
