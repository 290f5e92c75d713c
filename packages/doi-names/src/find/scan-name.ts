// Reads the suffix of a name forward from its prefix. The context decides where the name ends.

import type { Anchor } from './anchor.ts';
import { endsBefore, gluedLabelLength } from './behind-name.ts';
import type { Context } from './context.ts';
import { isTripletOfName, type Triplet, tripletAt } from './encoded-characters.ts';
import { escapedAt } from './escapes.ts';
import { InlineTags, isSiciAngle } from './inline-tags.ts';
import { continuationAfter, isSoftBreak, softContinuationAfter } from './line-breaks.ts';
import {
  Brackets,
  type CharacterSpan,
  gluedFormLength,
  isCharacterOfName,
  isCheckCharacter,
  isSeparatorOfName,
  NameText,
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
  /** the length of the name before the first line break that was joined; null without one */
  readonly lengthBeforeBreak: number | null;
  /** the word behind the end of the name, if the name perhaps continues with it; else empty */
  readonly wordAfter: string;
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
  readonly #suffixStart: number;
  #brackets: Brackets | null = null;
  #tags: InlineTags | null = null;
  #at: number;
  #breaks = 0;
  #lengthBeforeBreak: number | null = null;
  #wordAfter = '';
  #hasHash = false;
  /** the length of the name before its first `?` */
  #lengthBeforeQuestion: number | null = null;
  /** the length of the name if the name ends before the place where reading stopped; else null */
  #cutLength: number | null = null;
  /** the offset of the next name if it can begin before the place where reading stopped; else null */
  #stop: number | null = null;

  constructor(text: string, anchor: Anchor, context: Context) {
    this.#text = text;
    this.#context = context;
    this.#at = anchor.end;
    this.#prefixLength = anchor.prefix.length;
    this.#suffixStart = anchor.end;
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
      lengthBeforeBreak: this.#lengthBeforeBreak,
      wordAfter: this.#cutLength === null ? this.#wordAfter : '',
    };
  }

  /** The offset where the name continues after the character at `#at`; null if the name ends before the character. */
  #next(): number | null {
    const at = this.#at;
    if (this.#text[at] === '=' && isSoftBreak(this.#text, at)) return this.#afterSoftBreak();
    const escaped = escapedAt(this.#text, at);
    const character = escaped?.character ?? characterAt(this.#text, at);
    const end = escaped?.end ?? at + character.length;
    if (character === '<' && !isSiciAngle(this.#text, end)) {
      this.#tags ??= new InlineTags();
      const afterTag = escaped ? null : this.#tags.skip(this.#text, at, this.#endOfSuffix());
      if (afterTag !== null) this.#name.replace(at, afterTag, '');
      return afterTag;
    }
    if (character > '\u00A0' && isIgnorable(character)) {
      this.#name.replace(at, end, '');
      return end;
    }
    if (isWhiteSpace(character)) return escaped ? null : this.#afterBreak();
    if (character === '%') return this.#afterTriplet(end, escaped !== null);
    if (endsBefore(this.#text, at, character, this.#context.isUrl)) return null;
    if (!this.#isKept(character, end, escaped !== null)) return null;
    if (character === '#' && this.#context.isUrl) this.#name.replace(at, end, '%23');
    else if (escaped) this.#name.replace(at, end, character);
    return end;
  }

  /** @param end the offset after the percent sign, which can be escaped: `\%2F` */
  #afterTriplet(end: number, isEscaped: boolean): number | null {
    const triplet = tripletAt(this.#text, end);
    if (triplet === null || !this.#isTripletOfName(triplet)) {
      if (triplet !== null) return null;
    } else if (isIgnorable(triplet.character)) {
      this.#name.replace(this.#at, triplet.end, '');
      return triplet.end;
    }
    if (isEscaped) this.#name.replace(this.#at, end, '%');
    return triplet?.end ?? end;
  }

  #isTripletOfName(triplet: Triplet): boolean {
    const { character, end } = triplet;
    if (character !== '' && ')]}>'.includes(character)) return this.#closes(character, end);
    const isOfName = isTripletOfName(this.#text, this.#at, triplet, this.#context);
    if (isOfName && character !== '' && '([{<'.includes(character)) this.#open(character);
    return isOfName;
  }

  #open(opener: string): void {
    this.#brackets ??= new Brackets();
    this.#brackets.open(opener, this.#length());
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
        return isSeparatorOfName(character, place, delimiter);
      case ':':
        return this.#isColonOfName(place);
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
        return !isQuery;
      default:
        return isCharacterOfName(character, place, this.#lastCharacter());
    }
  }

  #opens(opener: string, end: number): boolean {
    if (canBeginForm(this.#text, end)) return false;
    if (opener === '(' && this.#lastCharacter() === ']' && !this.#brackets?.isOpen('(')) {
      // `](https:` is a Markdown link.
      if (/^(?:https?:|#|\/)/i.test(this.#text.slice(end, end + 6))) return false;
    }
    this.#open(opener);
    return true;
  }

  #closes(closer: string, end: number): boolean {
    if (this.#brackets?.close(closer)) return true;
    return closer === ')' && !this.#context.charactersBefore.includes('(') && this.#isBetweenLetters(end);
  }

  /** False if an address or a label follows the name without a space: `10.1000/1https://…`. */
  #isColonOfName(place: CharacterSpan): boolean {
    const length = gluedFormLength(place);
    if (length === 0) return gluedLabelLength(place.text.slice(Math.max(0, place.at - 16), place.at)) === 0;
    this.#cutLength = Math.max(this.#prefixLength, this.#length() - length);
    this.#stop = this.#name.sourceEnd(this.#cutLength);
    return false;
  }

  #afterBreak(): number | null {
    if (this.#breaks === MAX_BREAKS) return null;
    const next = continuationAfter(this.#text, this.#at, {
      isNamed: this.#context.isUrl || this.#context.isNamedDoi,
      isUrl: this.#context.isUrl,
      sourceBefore: this.#text[this.#at - 1] ?? '',
      suffix: this.#suffix(),
      hasOpenBracket: this.#brackets?.isOpen('(') === true || this.#brackets?.isOpen('<') === true,
    });
    if (next?.isJoined !== true) {
      this.#wordAfter = next?.word ?? '';
      return null;
    }
    return this.#join(next.at);
  }

  #afterSoftBreak(): number | null {
    const continuation = softContinuationAfter(this.#text, this.#at, this.#name.upTo(this.#at));
    if (continuation === null || continuation.isOfName) return continuation?.at ?? null;
    return this.#breaks < MAX_BREAKS ? this.#join(continuation.at) : null;
  }

  #join(end: number): number {
    this.#breaks += 1;
    this.#lengthBeforeBreak ??= this.#length();
    this.#name.replace(this.#at, end, '');
    return end;
  }

  /** The end of the suffix in the source. A copy of the whole suffix for each tag would take quadratic time. */
  #endOfSuffix(): string {
    return this.#text.slice(Math.max(this.#suffixStart, this.#at - 64), this.#at);
  }

  #suffix(): string {
    return this.#name.upTo(this.#at).slice(this.#prefixLength);
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
