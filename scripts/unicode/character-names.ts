// The names of all characters that DOI names may hold, as data/unicode-names.txt has them.

/** Gives the name of a character, undefined for one that has none. */
export type NameOf = (character: string) => string | undefined;

const GRAPHIC = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;
const HANGUL_SYLLABLE = /[\uac00-\ud7a3]/;

/** Characters in a row with names that end in their code points: named once, with the first and the last of them. */
interface NumberedNames {
  readonly first: number;
  last: number;
  readonly start: string;
}

/**
 * A line for each character, and one for characters in a row whose names end in their code points. The names of Hangul
 * syllables are left out: they follow from their parts. Characters that this runtime does not know are left out too.
 */
export function characterNames(nameOf: NameOf): string {
  const lines: (string | NumberedNames)[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!GRAPHIC.test(character) || HANGUL_SYLLABLE.test(character)) continue;
    const name = nameOf(character);
    if (name === undefined) throw new Error(`U+${hex(code)} has no name.`);
    if (!name.endsWith(`-${hex(code)}`)) {
      lines.push(`${hex(code)} ${name}`);
      continue;
    }
    const start = name.slice(0, -hex(code).length);
    const before = lines.at(-1);
    if (typeof before === 'object' && before.start === start && before.last === code - 1) before.last = code;
    else lines.push({ first: code, last: code, start });
  }
  return lines
    .map((line) => (typeof line === 'string' ? line : `${hex(line.first)}..${hex(line.last)} ${line.start}`))
    .map((line) => `${line}\n`)
    .join('');
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
