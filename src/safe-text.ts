// Makes text from outside harmless for terminals and logs. Text of a record or a file name must not move the cursor,
// add a line to the log, or look like another name.

/** Control characters, format characters such as bidirectional controls, line separators, and lone surrogates. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Replaces each harmful character by an escape: the character ESC becomes `\u001B`. @param kept characters that stay */
export function safeText(text: string, kept = ''): string {
  return text.replace(HARMFUL, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** Zero-width joiners stay: words of Persian, Hindi and other languages need them. */
const HARMFUL_IN_TEXT = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** For a text that people and language models read: replaces each harmful character by a space. Keeps line feeds. */
export function harmlessText(text: string): string {
  return text.replace(HARMFUL_IN_TEXT, ' ');
}

/** One harmless line. A text of more UTF-16 units is cut, and gets an ellipsis. */
export function harmlessLine(text: string, maxCharacters: number): string {
  const line = harmlessText(text.slice(0, maxCharacters)).replace(/\s+/g, ' ').trim();
  return text.length <= maxCharacters ? line : `${line}…`;
}

/** One line of JSON without harmful characters. JSON parsers decode the escapes, so they read the same value. */
export function jsonLine(value: unknown): string {
  return `${safeText(JSON.stringify(value))}\n`;
}

/** Harmful characters, and all escapes of JSON: a program such as `jq -r` can decode an escape to a harmful character. */
const HARMFUL_OR_ESCAPE = new RegExp(`${HARMFUL.source}|\\\\(?:u[0-9A-Fa-f]{4}|.)`, 'gu');

/**
 * Makes a JSON line of the log harmless, even after a program decodes it: a decoded string has the six characters `\u001B`
 * in place of ESC. Line feeds and tabs in strings stay, because stacks have them.
 */
export function safeLogLine(line: string): string {
  return line.replace(HARMFUL_OR_ESCAPE, (found) => {
    if (/^(?:\n|\\[nt"\\/])$/.test(found)) return found;
    return found.startsWith('\\') ? `\\${found}` : escaped(found).replaceAll('\\', '\\\\');
  });
}

/** The escape of a character. A character beyond the BMP has two escapes, as JSON requires. */
function escaped(character: string): string {
  return character.replace(
    /./gs,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** The chain of causes can have a loop. */
const MAX_STACKS = 5;

/** The stacks of an error and of its causes. `inspect` would also show other members, which can hold secrets. */
export function stackOf(error: unknown): string {
  const stacks: string[] = [];
  let cause = error;
  for (; cause instanceof Error && stacks.length < MAX_STACKS; cause = cause.cause) {
    stacks.push(cause.stack ?? `${cause.name}: ${cause.message}`);
  }
  return stacks.length > 0 ? stacks.join('\ncaused by: ') : String(error);
}
