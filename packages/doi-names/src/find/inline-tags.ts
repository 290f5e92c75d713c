// Inline markup inside a name: it highlights a part, allows a line break, or marks a spelling error in a word processor.

import { escapedAt } from './escapes.ts';

const INLINE = new Set('a b code em font hl highlight i mark mml small span strong tt u wbr'.split(' '));
/** The elements inside a paragraph in the XML of word processors: `w:t`, `w:r`, `w:prooferr`, `text:span`. */
const OF_WORD_PROCESSOR = /^(?:w:(?!p$|tbl|tc|tr)|text:s|o:p$)/;
const TAG = /<(\/?)([A-Za-z][A-Za-z:]{0,15})(?:[\s/][^<>]{0,200})?>/y;
const MAX_TAGS = 12;

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly end: number;
}

/** The inline tag at `at`; null if no inline tag is there. */
function tagAt(text: string, at: number): Tag | null {
  TAG.lastIndex = at;
  const [written = '', slash = '', letters = ''] = TAG.exec(text) ?? [];
  const name = letters.toLowerCase();
  if (!INLINE.has(name) && !OF_WORD_PROCESSOR.test(name)) return null;
  return { name, isClosing: slash !== '', end: at + written.length };
}

/** The tags that follow each other from `at`. */
function tagsFrom(text: string, at: number): Tag[] {
  const tags: Tag[] = [];
  for (let tag = tagAt(text, at); tag !== null && tags.length < MAX_TAGS; tag = tagAt(text, tag.end))
    tags.push(tag);
  return tags;
}

/** The offset after the inline tags at `at`; null if no inline tag is there. */
export function tagsEnd(text: string, at: number): number | null {
  return tagsFrom(text, at).at(-1)?.end ?? null;
}

/**
 * Whether a `<` before `start` belongs to a SICI (ANSI/NISO Z39.56) and not to a tag. Many old names contain a SICI:
 * `10:5<1::AID-X1>3.0.CO;2-A`, `42:1<>1.0.CO;2-#`.
 */
export function isSiciAngle(text: string, start: number): boolean {
  // One invisible character or one line break can follow the `<`.
  const at =
    start +
    (/^(?:\r\n[ \t]{0,4}|[\n\r\u00AD\u200B-\u200D][ \t]{0,4})/.exec(text.slice(start, start + 8))?.[0]
      .length ?? 0);
  const character = escapedAt(text, at)?.character ?? text[at] ?? '';
  return /^[>:0-9]/.test(character) || /^[A-Za-z]{1,3}[0-9]{1,6}:/.test(text.slice(at, at + 10));
}

export class InlineTags {
  readonly #open: string[] = [];

  /**
   * The offset after the tags at `at`, where the name continues; null if the tags end the name.
   * @param suffix the end of the suffix before the tags
   */
  skip(text: string, at: number, suffix: string): number | null {
    const tags = tagsFrom(text, at);
    const end = tags.at(-1)?.end;
    if (end === undefined || !/^[-._/(]?[0-9A-Za-z]/.test(text.slice(end, end + 2))) return null;
    const open = this.#open.length;
    const opened = tags.filter(({ name, isClosing }) => !isClosing && name !== 'wbr');
    const closed = tags.filter(({ isClosing }) => isClosing);
    const isOfName =
      tags.every(({ name }) => name === 'wbr') ||
      (closed.length > 0 && closed.every(({ name }, index) => this.#open[open - 1 - index] === name));
    const isDivided =
      opened.length === closed.length && opened.every(({ name }) => closed.some((tag) => tag.name === name));
    if (!isOfName && !continuesAfterTag(suffix, text.slice(end, end + 40), isDivided)) return null;
    if (isOfName) this.#open.length -= closed.length;
    this.#open.push(...opened.map(({ name }) => name));
    return end;
  }
}

/** @param isDivided the tags close an element and open the same element again */
function continuesAfterTag(suffix: string, text: string, isDivided: boolean): boolean {
  if (/[-/_]$/.test(suffix) || suffix === '') return true;
  const [token = ''] = /^[^\s"'<>]*/.exec(text) ?? [];
  if (suffix.endsWith('.'))
    return !/[0-9]/.test(suffix) ? /^[0-9a-z]/.test(token) : /^0\d|^\d[\d.]*\.\d|^[a-z]+[.\d]/.test(token);
  return isDivided && /^[-._/(].*\d/.test(token);
}
