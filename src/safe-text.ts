// Makes text from outside harmless for terminals and logs. A record or a file name must not move the cursor, set a
// title, forge a line of the log, or look like another name.

/**
 * Controls (C0, DEL, C1), format characters (such as bidirectional controls), separators of lines
 * and paragraphs, and half characters.
 */
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes each character of STEERS: an escape character becomes `\u001B`. @param kept characters that stay */
export function safeText(text: string, kept = ''): string {
  return text.replace(STEERS, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** One line of JSON. The escapes do not change its meaning. */
export function jsonLine(value: unknown): string {
  return `${safeText(JSON.stringify(value))}\n`;
}

/** Characters of STEERS in JSON, and the escapes of JSON that programs such as `jq -r` decode to them. */
const STEERS_IN_JSON = new RegExp(`${STEERS.source}|\\\\(?:u[0-9A-Fa-f]{4}|.)`, 'gu');

/**
 * Makes a JSON line of the log harmless. After decoding, its strings still have `\u001B` as six characters. Line feeds
 * and tabs in strings stay, because stacks have them.
 */
export function safeLogLine(line: string): string {
  return line.replace(STEERS_IN_JSON, (found) => {
    if (/^(?:\n|\\[nt"\\/])$/.test(found)) return found;
    return found.startsWith('\\') ? `\\${found}` : escaped(found).replaceAll('\\', '\\\\');
  });
}

/** Writes a character beyond the BMP as two escapes, as JSON requires. */
function escaped(character: string): string {
  return character.replace(
    /./gs,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}
