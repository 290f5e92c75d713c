// Removes white space, invisible characters, and a pair of brackets or quotes around an input.

export interface Part {
  readonly text: string;
  /** UTF-16 offset of the part in the input */
  readonly start: number;
}

/** The white space that `String.prototype.trim` removes, and invisible format characters. */
const EDGE = /[\s\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/;

/** The input without white space and invisible characters at its ends. */
export function withoutEdges(input: string): Part {
  let start = 0;
  let end = input.length;
  while (start < end && isEdge(input, start)) start += 1;
  while (end > start && isEdge(input, end - 1)) end -= 1;
  return { text: input.slice(start, end), start };
}

function isEdge(input: string, at: number): boolean {
  const code = input.charCodeAt(at);
  return code <= 0x20 || code >= 0x7f ? EDGE.test(input[at] ?? '') : false;
}

const CLOSERS: Readonly<Record<string, string>> = {
  '<': '>',
  '(': ')',
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
};

/** The trimmed text inside the brackets or quotes that enclose the whole text; null without such a pair. */
export function insideOfPair({ text, start }: Part): Part | null {
  const opener = text[0] ?? '';
  const closer = CLOSERS[opener];
  if (closer === undefined || text.length < 2 || !text.endsWith(closer)) return null;
  const inside = text.slice(1, -1);
  if (!isBalanced(inside, opener, closer)) return null;
  const leading = inside.length - inside.trimStart().length;
  return { text: inside.trim(), start: start + 1 + leading };
}

/** The input without white space, invisible characters and one pair of brackets or quotes around it. */
export function bareText(input: string): string {
  const outer = withoutEdges(input);
  return (insideOfPair(outer) ?? outer).text;
}

/** False if the closing bracket at the end closes another bracket: `(a) and (b)`. */
function isBalanced(text: string, opener: string, closer: string): boolean {
  if (opener === closer) return !text.includes(closer);
  let depth = 0;
  for (const character of text) {
    if (character === opener) depth += 1;
    else if (character === closer) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
