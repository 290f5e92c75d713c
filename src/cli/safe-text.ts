// Text of inputs and records on a terminal: what would steer it is written out.

/**
 * Controls of ASCII and of Latin-1, separators of lines, what turns the direction of writing, and half characters:
 * a record or a file must not move the cursor, set a title, or show a name as another one.
 */
const STEERS =
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/g;

/** `\u001B` for an escape character. @param kept those of them that stay */
export function safeText(text: string, kept = ''): string {
  return text.replace(STEERS, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** One line of JSON, safe on a terminal too: it means the same. */
export function jsonLine(value: unknown): string {
  return `${safeText(JSON.stringify(value))}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
