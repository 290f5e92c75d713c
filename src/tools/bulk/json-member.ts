// Replaces a string in the text of a JSON object, and keeps all other text: numbers with many digits, spaces, the order.

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:]/g;

/** @param text a JSON object. If it has the key several times, the last member counts, as for JSON.parse. */
export function withMember(text: string, key: string, value: string): string {
  let depth = 0;
  let isKey = false;
  let last = '';
  let span: readonly [number, number] | null = null;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':') {
      isKey = depth === 1 && JSON.parse(last) === key;
      continue;
    } else if (isKey) span = [index, index + token.length];
    isKey = false;
    last = token;
  }
  return span === null ? text : text.slice(0, span[0]) + JSON.stringify(value) + text.slice(span[1]);
}
