// A line break or a space can stand inside a name. Decides whether the name continues after such white space.

import { canBeginForm, isAlphanumeric, isLineBreak, isWhiteSpace } from './text-characters.ts';

interface BeforeBreak {
  /** an address or a label stands before the name */
  readonly isNamed: boolean;
  readonly isUrl: boolean;
  /** the last character of the source before the break. It can be invisible, and then it is not in the name. */
  readonly sourceBefore: string;
  /** the suffix before the break, decoded */
  readonly suffix: string;
  /** a bracket in the suffix is open */
  readonly hasOpenBracket: boolean;
}

export interface Continuation {
  /** the offset where the name continues, if it does */
  readonly at: number;
  /** False: the name probably ends at the break, but some names continue like this. */
  readonly isJoined: boolean;
  /** the text up to the next white space, quotation mark or brace, without the punctuation at its end */
  readonly word: string;
}

const MAX_WHITE_SPACE = 24;
const MAX_WORD_LENGTH = 64;
/** The beginning of a SICI, or its end before the check character */
const SICI = /\(SICI\)|\(\d{6,8}[^()]{0,12}\)\d{1,4}:|CO$/i;
/** Up to white space, a quotation mark or a tag. The angles of a SICI are no tags. */
const TOKEN = /^(?:[^\s"'<>{}|]|<(?=[>:\d]|[A-Za-z]{1,3}\d{1,6}:)|>(?=[\d.]))*/;
/** What can stand behind a name in its line: a label, an address, a bracket, a mark. Other words make a sentence. */
const LABEL_AFTER =
  /^(?:PMC?ID|PubMed|DOI|doi|URL|https?:|www\.|Epub|ISSN|ISBN|Accessed|Available|Retrieved|Published|Google|Cross[Rr]ef|Medline|arXiv|Received)/;
const MARK_AFTER = /^[^\p{L}\p{N}]/u;

/** Null if the white space at `at` ends the name. */
export function continuationAfter(text: string, at: number, before: BeforeBreak): Continuation | null {
  const space = skipOneBreak(text, at);
  if (space === null || canBeginForm(text, space.at)) return null;
  const token = TOKEN.exec(text.slice(space.at, space.at + MAX_WORD_LENGTH))?.[0] ?? '';
  const beginsName =
    /^[._/:(-]?[A-Za-z0-9]/.test(token) ||
    (before.hasOpenBracket && /^(?:[)>][\w.:-]|::)/.test(token)) ||
    (SICI.test(before.suffix) && /^(?:<[\d:>A-Za-z]|;2-)/.test(token));
  if (!beginsName || token.length === MAX_WORD_LENGTH || token.includes('@')) return null;
  const word = token.replace(/[.,;:!?)\]]{1,64}$/, (end) =>
    end.startsWith(')') && token.includes('(') ? ')' : '',
  );
  const rest =
    /^[ \t]{0,8}[^\n\r]{0,24}/.exec(text.slice(space.at + token.length, space.at + token.length + 32))?.[0] ??
    '';
  const line: Line = { word, token, next: rest.trim(), hasBreak: space.hasBreak };
  const continues = space.hasBreak
    ? continuesLine(line, before)
    : continuesAfterSpace(line, before, space.at - at);
  const isJoined = continues && !OTHER_WORD.test(word);
  return isJoined || isOffered(line, before) ? { at: space.at, isJoined, word } : null;
}

interface Line {
  readonly word: string;
  /** the word with punctuation */
  readonly token: string;
  /** the beginning of the text behind the token in its line */
  readonly next: string;
  readonly hasBreak: boolean;
}

function continuesAfterSpace(line: Line, before: BeforeBreak, spaces: number): boolean {
  if (spaces !== 1 || !/^[0-9A-Za-z]/.test(line.token) || isListNumber(line)) return false;
  if (!/[0-9]/.test(line.word)) return false;
  if (before.suffix === '') return true;
  return (
    before.isNamed && before.suffix.endsWith('.') && !isSentence(line) && isPartOfName(line, before.suffix)
  );
}

function continuesLine(line: Line, before: BeforeBreak): boolean {
  const { word, token } = line;
  const { suffix, isUrl, isNamed } = before;
  const hasDigit = /[0-9]/.test(word);
  if (/^[._/:-][A-Za-z0-9]/.test(token)) {
    // `mSphere\n.00700-18`, `04537-5\n_3`. The text `-5 °C` or `.5 mm` is no part of a name.
    if (!isNamed || !hasDigit || suffix === '') return false;
    return (
      !isSentence(line) && (/^[._/:-]\w*[A-Za-z0-9]{3}|^_|[-._/].*[-._/]/.test(word) || line.next === '')
    );
  }
  if (/^(?:<|;2-|::)/.test(token)) return isNamed;
  if (suffix === '') return !isListNumber(line) && (hasDigit || isUrl);
  if (/[,;]$/.test(suffix)) return /CO;$/i.test(suffix) && /^2-\w$/.test(word);
  if (/[-_\u2010\u00AD]/.test(suffix.slice(-1) + before.sourceBefore)) return true;
  if (!hasDigit || isListNumber(line)) return false;
  if (token.startsWith('(')) return isNamed && /^\(\d\d\)\d{5}-[\dXx]$/.test(word);
  if (before.hasOpenBracket && /^[^()<>]{0,12}[)>]\S/.test(token)) return true;
  if (isAlphanumeric(suffix.charCodeAt(suffix.length - 1)))
    return isUrl && !isSentence(line) && continuesWord(line, suffix);
  return !isSentence(line) && isPartOfName(line, suffix);
}

/** The break is inside a word: `j.ce\nll.2020.01.001`. A name has digits, so a suffix without digits is not whole. */
function continuesWord({ word }: Line, suffix: string): boolean {
  return !/[0-9]/.test(suffix) && !/^\d+(?:\.\d+)?$|^[A-Z][a-z]/.test(word) && !isDate(word);
}

/** Whether a word with digits behind `.`, `/`, `)` and the like is the next part of the name. */
function isPartOfName({ word }: Line, suffix: string): boolean {
  // The end of a PII: `S0001-2998(05)\n80105-9`.
  if (/^\d{5}-[\dXx]$/.test(word)) return true;
  if (suffix.endsWith(')')) return false;
  // A suffix without digits is not whole: `cc.\n5.14.3113`.
  if (!/[0-9]/.test(suffix)) return !/^(?:[A-Z][a-z]|(?:19|20)\d\d(?!\d|\.\d)|\d\d?[-/]|\d\d?$)/.test(word);
  if (isDate(word) || OTHER_NUMBER.test(word)) return false;
  if (/^0\d|^\d{6,}$|^(?:19|20)\d\d\.\d{3,}$|^\d{1,3}\.\d{1,2}\.\d{3,}$/.test(word)) return true;
  // `1.2` is a section, `123-130` are pages, `Smith2019` is a word.
  if (/^\d+(?:\.\d{1,2}){1,4}$|^[a-z]?\d+[-\u2013][a-z]?\d+$|^[A-Z][a-z]/.test(word)) return false;
  return /[-._/:()].*\d|^\d{2,}[A-Za-z]\d|^[a-z]{1,3}\d{3,}/.test(word);
}

/** An ISSN, an ISBN, an ORCID iD */
const OTHER_NUMBER = /^(?:\d{4}-\d{3}[\dXx]|97[89]-.*|\d{4}-\d{4}-.*)$/;

/** Pages, a number, volume and issue, an address, an ISBN, a share, an equation: `pp.93-97`, `48(7):612`, `63%`, `x=5`. */
const OTHER_WORD =
  /^(?:(?:pp?|nos?|n|vol|fig)\.\d{1,4}(?:[-\u2013]\d{1,4})?$|pp?\d{1,4}$|\d{1,4}\(\d{1,4}\):|www\.|97[89]-\d|\d+%|\w+=)/i;

/** A year, a date or a time. */
function isDate(word: string): boolean {
  return /^(?:(?:1[5-9]|20)\d\d[a-z]?(?:[;:,(].*)?|\d{1,2}:\d\d(?::\d\d)?|\d{4}[-./]\d\d?(?:[-./]\d\d?)?|\d\d?[-./](?:\d\d?|[A-Z][a-z]{2})[-./]\d{2,4})$/.test(
    word,
  );
}

/** `2.`, `12)`, `(3)`, and then other text: the next entry of a list. */
function isListNumber({ token, next }: Line): boolean {
  return /^\(?\d{1,3}[.)]{1,2}$/.test(token) && next !== '' && !LABEL_AFTER.test(next);
}

/** Whether other words follow the word in its line, so that a sentence begins with the word: `12 patients`, `12345 Berlin`. */
function isSentence({ word, token, next }: Line): boolean {
  if (next === '' || LABEL_AFTER.test(next) || MARK_AFTER.test(next)) return false;
  return !/[.,;:)]$/.test(token) || /^[1-9]\d{0,4}$/.test(word);
}

/** Whether the name might continue. Then the caller can look up the name with the word and the name without it. */
function isOffered(line: Line, { suffix, isNamed }: BeforeBreak): boolean {
  const { word, hasBreak } = line;
  if (word === '' || isListNumber(line) || /^(?:19|20)\d\d$/.test(word)) return false;
  if (!hasBreak && !(isNamed && /[-._/]$/.test(suffix))) return false;
  // After a suffix with digits, a word without digits must be a short end of a name: `74384\n-x`, `00854.\nii`.
  return (
    /[0-9]/.test(word) ||
    !/[0-9]/.test(suffix) ||
    (/^[-._]?[a-z]{1,5}$|^[-._][A-Z]$/.test(word) && !isSentence(line))
  );
}

/** Skips spaces and at most one line break; null if there is a second line break. */
function skipOneBreak(text: string, start: number): { at: number; hasBreak: boolean } | null {
  let at = start;
  let hasBreak = false;
  while (at < start + MAX_WHITE_SPACE && isWhiteSpace(text[at] ?? '')) {
    if (isLineBreak(text[at])) {
      if (hasBreak) return null;
      hasBreak = true;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    }
    at += 1;
  }
  return { at, hasBreak };
}

/** Names of GLIS: the last character is a check character, which can be `=` (Crockford's Base32). */
const CHECKED_NAME = /^10\.18730\/[0-9A-Z]{3,8}$/;

/** `=` at the end of a line that is not the last one of its paragraph */
const SOFT_BREAK = /=\r?\n(?![\r\n]|$)/y;

export function isSoftBreak(text: string, at: number): boolean {
  SOFT_BREAK.lastIndex = at;
  return SOFT_BREAK.test(text);
}

/**
 * Returns where the name continues after a line that ends in `=`. Quoted-printable breaks lines like this (RFC 2045,
 * section 6.7). `isOfName`: the `=` belongs to the name. Null: the name ends before the `=`.
 */
export function softContinuationAfter(
  text: string,
  at: number,
  name: string,
): { readonly at: number; readonly isOfName: boolean } | null {
  if (CHECKED_NAME.test(name)) return { at: at + 1, isOfName: true };
  const next = text.indexOf('\n', at) + 1;
  const isContinued = /^[-._/:(]?[A-Za-z0-9]/.test(text.slice(next, next + 2)) && !canBeginForm(text, next);
  return isContinued ? { at: next, isOfName: false } : null;
}
