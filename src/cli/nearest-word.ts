// What was probably meant by a word that was mistyped.

/** More slips than these, and the words have little in common. */
const MOST_SLIPS = 2;

/** The nearest of the words; null where none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > LONGEST) return null;
  let best: { readonly word: string; readonly slips: number } | null = null;
  for (const word of words) {
    const slips = editDistance(typed.toLowerCase(), word);
    if (slips <= MOST_SLIPS && slips < word.length - 1 && slips < (best?.slips ?? MOST_SLIPS + 1)) {
      best = { word, slips };
    }
  }
  return best?.word ?? null;
}

/** The option of a command that was probably meant; null where none is near. */
export function nearestOption(message: string, options: readonly string[]): string | null {
  const typed = /^Unknown option '--([^'=]+)/.exec(message)?.[1];
  return typed === undefined ? null : nearestWord(typed, options);
}

/** No command or option is longer. */
const LONGEST = 40;

/** Characters put in, left out or replaced, and neighbours swapped. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const slipsAt = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        slipsAt(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        slipsAt(i - 1, j) + 1,
        slipsAt(i, j - 1) + 1,
        isSwapped ? slipsAt(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return slipsAt(a.length, b.length);
}
