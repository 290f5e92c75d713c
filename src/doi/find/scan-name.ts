// Reads the suffix of a name forward from its prefix. The context decides where the name ends.

import type { Anchor } from './anchor.ts';
import type { Context } from './context.ts';
import { escapedAt } from './escapes.ts';
import { continuationAfter } from './line-breaks.ts';
import {
  Brackets,
  gluedLabelLength,
  InlineTags,
  isCheckCharacter,
  isOwnCharacter,
  isOwnSeparator,
  isOwnTriplet,
  isSiciAngle,
  NameText,
  type Span,
  type UnclosedBracket,
} from './name-text.ts';
import {
  canBeginForm,
  characterAt,
  endOfPlain,
  isAlphanumeric,
  isIgnorable,
  isPossessive,
  isWhiteSpace,
} from './text-characters.ts';

export interface ScannedName {
  readonly name: NameText;
  /** percent triplets stay, other escapes are decoded; can end in text that trim-name.ts must cut off */
  readonly encoded: string;
  /** the offset in the source where reading stopped; the next name begins at `stop` or later */
  readonly stop: number;
  readonly hasHash: boolean;
  readonly unclosedBrackets: readonly UnclosedBracket[];
}

const MAX_BREAKS = 3;

export function scanName(text: string, anchor: Anchor, context: Context): ScannedName {
  return new Scanner(text, anchor, context).scan();
}

class Scanner {
  readonly #text: string;
  readonly #context: Context;
  readonly #name: NameText;
  readonly #prefixLength: number;
  #brackets: Brackets | null = null;
  #tags: InlineTags | null = null;
  #at: number;
  #breaks = 0;
  #hasHash = false;
  /** the length of the name before its first `?` */
  #lengthBeforeQuestion: number | null = null;
  /** if the name ends before the place where reading stopped: the length of the name; else null */
  #cutLength: number | null = null;
  /** if the next name can begin before the place where reading stopped: the offset where it can begin; else null */
  #stop: number | null = null;

  constructor(text: string, anchor: Anchor, context: Context) {
    this.#text = text;
    this.#context = context;
    this.#at = anchor.end;
    this.#prefixLength = anchor.prefix.length;
    this.#name = new NameText(text, anchor.prefix, anchor.end);
  }

  scan(): ScannedName {
    const text = this.#text;
    for (;;) {
      this.#at = endOfPlain(text, this.#at);
      const next = this.#at < text.length ? this.#next() : null;
      if (next === null) break;
      this.#at = next;
    }
    const length = this.#cutLength ?? this.#length();
    return {
      name: this.#name,
      encoded: this.#name.upTo(this.#at).slice(0, length),
      stop: this.#stop ?? this.#at,
      hasHash: this.#hasHash,
      unclosedBrackets: this.#brackets?.unclosed(length) ?? [],
    };
  }

  /** The offset where the name continues after the character at `#at`; null if the name ends before the character. */
  #next(): number | null {
    const at = this.#at;
    const escaped = escapedAt(this.#text, at);
    const character = escaped?.character ?? characterAt(this.#text, at);
    const end = escaped?.end ?? at + character.length;
    if (character === '<' && !isSiciAngle(this.#text, end)) {
      this.#tags ??= new InlineTags();
      const afterTag = escaped ? null : this.#tags.skip(this.#text, at, this.#lastCharacter());
      if (afterTag !== null) this.#name.replace(at, afterTag, '');
      return afterTag;
    }
    if (character > '\u00A0' && isIgnorable(character)) {
      this.#name.replace(at, end, '');
      return end;
    }
    if (isWhiteSpace(character)) return escaped ? null : this.#afterBreak();
    if (!this.#isKept(character, end, escaped !== null)) return null;
    if (character === '#' && this.#context.isUrl) this.#name.replace(at, end, '%23');
    else if (escaped) this.#name.replace(at, end, character);
    return end;
  }

  #isKept(character: string, end: number, isEscaped: boolean): boolean {
    const text = this.#text;
    const place = { text, at: this.#at, end };
    const { isUrl, isQuery, delimiter, charactersBefore } = this.#context;
    switch (character) {
      case '(':
      case '[':
      case '{':
      case '<':
        return this.#opens(character, end);
      case ')':
      case ']':
      case '}':
      case '>':
        return this.#closes(character, end);
      case '"':
      case "'":
      case '\u2019':
        return (
          !isUrl &&
          !charactersBefore.includes(character === '\u2019' ? '\u2018' : character) &&
          this.#isBetweenLetters(end) &&
          !isPossessive(text, end)
        );
      case '`':
      case '|':
        return false;
      case '\\':
        return isEscaped;
      case ',':
      case ';':
        return isOwnSeparator(character, place, delimiter);
      case ':':
        return this.#isOwnColon(place);
      case '?':
        if (isUrl) return false;
        this.#lengthBeforeQuestion ??= this.#length();
        return true;
      case '=':
        // `?` and then `=` is a query, also outside a URL.
        this.#cutLength = this.#lengthBeforeQuestion;
        return this.#cutLength === null;
      case '#':
        this.#hasHash = true;
        return !isUrl || isCheckCharacter(text, this.#at);
      case '&':
        return !isQuery && !(isUrl && /^[A-Za-z_][\w.-]{0,30}=/.test(text.slice(end, end + 33)));
      case '%':
        return isOwnTriplet(place, this.#context);
      default:
        return isOwnCharacter(character, place, this.#lastCharacter());
    }
  }

  #opens(opener: string, end: number): boolean {
    if (canBeginForm(this.#text, end)) return false;
    if (opener === '[' && /^(?:doi|aid|pii)\]/i.test(this.#text.slice(end, end + 4))) return false;
    if (opener === '(' && this.#lastCharacter() === ']' && !this.#brackets?.isOpen('(')) {
      // `](https:` is a Markdown link.
      if (/^(?:https?:|#|\/)/i.test(this.#text.slice(end, end + 6))) return false;
    }
    this.#brackets ??= new Brackets();
    this.#brackets.open(opener, this.#length());
    return true;
  }

  #closes(closer: string, end: number): boolean {
    if (this.#brackets?.close(closer)) return true;
    return closer === ')' && !this.#context.charactersBefore.includes('(') && this.#isBetweenLetters(end);
  }

  /** False if an address or a label follows the name without a space: `10.1000/1https://…`. */
  #isOwnColon(place: Span): boolean {
    const length = gluedLabelLength(place);
    if (length === 0) return true;
    this.#cutLength = Math.max(this.#prefixLength, this.#length() - length);
    this.#stop = this.#name.sourceEnd(this.#cutLength);
    return false;
  }

  #afterBreak(): number | null {
    if (this.#breaks === MAX_BREAKS) return null;
    const next = continuationAfter(this.#text, this.#at, {
      isUrl: this.#context.isUrl,
      last: this.#lastCharacter(),
      sourceBefore: this.#text[this.#at - 1] ?? '',
      isSuffixEmpty: this.#length() === this.#prefixLength,
      hasDigit: /[0-9]/.test(this.#name.upTo(this.#at).slice(this.#prefixLength)),
    });
    if (next === null) return null;
    this.#breaks += 1;
    this.#name.replace(this.#at, next, '');
    return next;
  }

  #isBetweenLetters(end: number): boolean {
    return isAlphanumeric(this.#lastCharacter().charCodeAt(0)) && isAlphanumeric(this.#text.charCodeAt(end));
  }

  #length(): number {
    return this.#name.lengthAt(this.#at);
  }

  #lastCharacter(): string {
    return this.#name.lastAt(this.#at);
  }
}
