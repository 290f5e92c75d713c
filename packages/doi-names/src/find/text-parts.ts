// Divides a text that arrives in pieces into parts: lines, and the elements of HTML, JATS and TEI that can hold a reference.

export interface TextPart {
  /** without the end of the line */
  readonly text: string;
  /** the offset in the whole text, in UTF-16 units */
  readonly start: number;
  /**
   * The number of the line, from 1, as in editors. The first line end decides what ends a line: `\n` (also after `\r`),
   * or `\r` alone.
   */
  readonly line: number;
  readonly isLineStart: boolean;
}

/** Elements whose content is one reference */
export const CITATIONS = 'ref|mixed-citation|element-citation|citation|bibl|biblstruct';
export const BLOCKS = 'li|ol|ul|dl|dt|dd|p|div|blockquote|h[1-6]|table|tr|pre|figure|section|title';
const BEGINNINGS = new RegExp(`(?=<\\/?(?:${CITATIONS}|${BLOCKS})(?![\\w-])|\\\\bibitem\\b)`, 'gi');

/** A longer text without a line end is divided too: before its last tag, or at its end. */
const MAX_LINE_CHARACTERS = 65_536;

export class TextParts {
  #kept = '';
  #offset = 0;
  #line = 1;
  /** null: no line has ended yet */
  #lineEnd: '\n' | '\r' | null = null;
  #isLineStart = true;

  /** The offset after the last part. */
  get end(): number {
    return this.#offset;
  }

  *add(piece: string): Generator<TextPart, void> {
    this.#kept += piece;
    const { length } = this.#kept;
    const lineEnd = Math.max(this.#kept.lastIndexOf('\n'), this.#kept.lastIndexOf('\r', length - 2));
    const tag = length > MAX_LINE_CHARACTERS ? this.#kept.lastIndexOf('<') : 0;
    if (lineEnd !== -1) yield* this.#divide(lineEnd + 1);
    else if (length > MAX_LINE_CHARACTERS) yield* this.#divide(tag > 0 ? tag : length);
  }

  *rest(): Generator<TextPart, void> {
    yield* this.#divide(this.#kept.length);
  }

  *#divide(length: number): Generator<TextPart, void> {
    const lines = this.#kept.slice(0, length).split(/(?<=\n|\r(?!\n))/);
    this.#kept = this.#kept.slice(length);
    for (const line of lines) {
      const words = line.replace(/\r?\n$|\r$/, '');
      for (const text of words === '' ? [''] : words.split(BEGINNINGS)) {
        yield { text, start: this.#offset, line: this.#line, isLineStart: this.#isLineStart };
        this.#offset += text.length;
        this.#isLineStart = false;
      }
      if (words.length < line.length) this.#endLine(line.endsWith('\n') ? '\n' : '\r');
      this.#offset += line.length - words.length;
    }
  }

  #endLine(kind: '\n' | '\r'): void {
    this.#lineEnd ??= kind;
    if (kind === this.#lineEnd) this.#line += 1;
    this.#isLineStart = true;
  }
}
