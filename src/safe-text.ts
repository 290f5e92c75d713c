// Text of foreign origin, made harmless for terminals and logs: a record, a cell, a file name or an error message must
// not move the cursor, set a title, forge a line, or show one name as another.

/**
 * Controls (C0, DEL, C1), format characters (such as bidirectional controls), separators of lines
 * and paragraphs, and half characters.
 */
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes out each character that could steer: `\u001B` for an escape character. @param kept characters that stay */
export function safeText(text: string, kept = ''): string {
  return text.replace(STEERS, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** One line of JSON. It means the same as without the escapes. */
export function jsonLine(value: unknown): string {
  return `${safeText(JSON.stringify(value))}\n`;
}

/** In a line of JSON: what steers, and the escapes of JSON that programs such as `jq -r` turn into what steers. */
const STEERS_IN_JSON = new RegExp(`${STEERS.source}|\\\\(?:u[0-9A-Fa-f]{4}|.)`, 'gu');

/**
 * A line of a log in JSON. Its strings themselves have `\u001B` as six characters, so that they are harmless after
 * decoding too. Line feeds and tabs in strings stay: stacks have them.
 */
export function safeLogLine(line: string): string {
  return line.replace(STEERS_IN_JSON, (found) => {
    if (/^(?:\n|\\[nt"\\/])$/.test(found)) return found;
    return found.startsWith('\\') ? `\\${found}` : escaped(found).replaceAll('\\', '\\\\');
  });
}

/** Of a character beyond the BMP both halves, as JSON has it. */
function escaped(character: string): string {
  return character.replace(
    /./gs,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}
