// Reads escaped characters: HTML entities, backslash escapes, TeX commands such as `\textless`, quoted-printable.

import { asciiTable } from './text-characters.ts';

export interface DecodedCharacter {
  readonly character: string;
  /** the offset in the source where the next character begins */
  readonly end: number;
}

/** Each word is the name of an entity, and then the character of the entity. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'lt< gt> amp& quot" apos\' sol/ period. colon: semi; comma, lpar( rpar) lsqb[ rsqb] lowbar_ num# plus+ percnt% ' +
    'hyphen\u2010 ndash\u2013 mdash\u2014 lsquo\u2018 rsquo\u2019 ldquo\u201C rdquo\u201D laquo\u00AB raquo\u00BB ' +
    'hellip\u2026 nbsp\u00A0 ensp\u2002 emsp\u2003 thinsp\u2009 shy\u00AD zwnj\u200C zwj\u200D'
  )
    .split(' ')
    .map((word) => [word.slice(0, -1), word.slice(-1)]),
);
const LONGEST_ENTITY = 9;

/**
 * Commands of TeX for one character: the command, and then the character. A soft hyphen stands for a place where TeX may
 * break the line. `\mathsemicolon` is in BibTeX entries of Crossref.
 */
const TEX_WORDS: ReadonlyMap<string, string> = new Map(
  (
    'textless< textgreater> lt< gt> textunderscore_ underscore_ textasciitilde~ textasciicircum^ textbar| textdollar$ ' +
    'textquotesingle\' textquotedbl" mathsemicolon; lbrack[ rbrack] lbrace{ rbrace} slash/ textendash\u2013 ' +
    'textemdash\u2014 allowbreak\u00AD'
  )
    .split(' ')
    .map((word) => [word.slice(0, -1), word.slice(-1)]),
);
/** Commands that only change how the next character is read or looks. The first is a backslash that was escaped itself. */
const TEX_WRAPPERS = new Set('textbackslash string protect ensuremath mathrm text texttt mbox'.split(' '));
/** `\char95`, `\char"5F`, `\char'137`, ``\char`\_``, `\symbol{95}`, and a space, `{}` or `\relax` after the number */
const TEX_CODE =
  /(?:char ?(?:"([0-9A-F]{1,2})|'([0-7]{1,3})|([0-9]{1,3})|`\\?([!-/:-@[-`{-~]))|symbol\{([0-9]{1,3})\})(?:\{\}|\\relax ?| )?/y;
const TEX_WORD = /[A-Za-z]{2,20}/y;
/** Escapes inside escapes: `{\textbackslash}\_` */
const MAX_DEPTH = 4;

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Decodes the escape that begins at `at`; null if none begins there. Reads a bounded number of characters. */
export function escapedAt(text: string, at: number, depth = 0): DecodedCharacter | null {
  if (depth > MAX_DEPTH) return null;
  switch (text[at]) {
    case '&':
      return entityAt(text, at);
    case '\\':
      return backslashAt(text, at, depth);
    case '{':
      return enclosedAt(text, at, '}', depth);
    case '$':
      return enclosedAt(text, at, '$', depth);
    case '=':
      return quotedPrintableAt(text, at);
    default:
      return null;
  }
}

const QUOTED_PRINTABLE = /=(?:2[89C-F]|3[A-E]|5[BDF])/y;

/** `=3D` for `=` (RFC 2045, section 6.7). Only punctuation: a name can contain `=20`. */
function quotedPrintableAt(text: string, at: number): DecodedCharacter | null {
  QUOTED_PRINTABLE.lastIndex = at;
  if (!QUOTED_PRINTABLE.test(text)) return null;
  return { character: String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16)), end: at + 3 };
}

/** `&lt;`, `&#60;`, `&#x3C;`. An entity that was encoded two or three times is also one character: `&amp;lt;`. */
function entityAt(text: string, at: number): DecodedCharacter | null {
  let found: DecodedCharacter | null = null;
  let nameStart = at + 1;
  for (let times = 0; times < 3; times += 1) {
    const end = text.slice(nameStart, nameStart + LONGEST_ENTITY).indexOf(';') + nameStart;
    const character = end < nameStart ? undefined : characterOfEntity(text.slice(nameStart, end));
    if (character === undefined) break;
    found = { character, end: end + 1 };
    if (character !== '&') break;
    nameStart = end + 1;
  }
  return found;
}

function characterOfEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase());
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9A-Fa-f]{1,6}$/ : /^[0-9]{1,7}$/).test(digits)) return undefined;
  return characterOf(Number.parseInt(digits, isHex ? 16 : 10));
}

function characterOf(codePoint: number): string | undefined {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint === 0 || codePoint > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(codePoint);
}

/** `\_` of TeX and Markdown, `\/` and `\u003c` of JSON, `\textless{}`, `\\_` after two programs. */
function backslashAt(text: string, at: number, depth: number): DecodedCharacter | null {
  const next = text[at + 1] ?? '';
  if (next === '\\') {
    // A command for a line break (`\\`, `\\[2pt]`) is no escape.
    return /^[\\/_&%#$<>~^{]$/.test(text[at + 2] ?? '') || text[at + 2] === 'u'
      ? escapedAt(text, at + 1, depth + 1)
      : null;
  }
  if (next === '&') return entityOfTex(text, at + 2) ?? { character: next, end: at + 2 };
  if (isAsciiPunctuation(next)) return { character: next, end: at + 2 };
  if (next === 'u' || next === 'x') {
    const end = at + (next === 'u' ? 6 : 4);
    const digits = text.slice(at + 2, end);
    const character = /^(?:[0-9A-Fa-f]{2}){1,2}$/.test(digits) && characterOf(Number.parseInt(digits, 16));
    if (character && end - at - 2 === digits.length) return { character, end };
  }
  const word = texWordAt(text, at + 1, depth);
  if (word !== null) return word;
  const control = CONTROLS[next];
  return control === undefined ? null : { character: control, end: at + 2 };
}

/** `\&lt$\mathsemicolon$` and `\&lt;`: an entity that was written as TeX. */
const ENTITY_OF_TEX = /\}?(lt|gt|amp)(?:;|\\;|\{;\}|\$\\mathsemicolon\$)/y;

function entityOfTex(text: string, at: number): DecodedCharacter | null {
  ENTITY_OF_TEX.lastIndex = at;
  const [written, name = ''] = ENTITY_OF_TEX.exec(text) ?? [];
  return written === undefined ? null : { character: ENTITIES.get(name) ?? '', end: at + written.length };
}

function texWordAt(text: string, at: number, depth: number): DecodedCharacter | null {
  TEX_CODE.lastIndex = at;
  const [written, hex, octal, decimal, literal, symbol] = TEX_CODE.exec(text) ?? [];
  if (written !== undefined) {
    const number = hex
      ? Number.parseInt(hex, 16)
      : octal
        ? Number.parseInt(octal, 8)
        : Number(decimal ?? symbol);
    const code = literal?.charCodeAt(0) ?? number;
    return code > 0x20 && code < 0x7f
      ? { character: String.fromCharCode(code), end: at + written.length }
      : null;
  }
  TEX_WORD.lastIndex = at;
  const word = TEX_WORD.exec(text)?.[0] ?? '';
  // `\\textless` can have a letter after it: `\\textlessS12`.
  const name = TEX_WORDS.has(word) ? word : (/^text(?:less|greater)/.exec(word)?.[0] ?? word);
  const character = TEX_WORDS.get(name);
  let end = at + name.length;
  if (character !== undefined) {
    if (text.startsWith('{}', end)) end += 2;
    return { character, end: text[end] === ' ' && end === at + name.length ? end + 1 : end };
  }
  if (!TEX_WRAPPERS.has(word)) return null;
  // The brace of `{\textbackslash}_` closes before the character.
  if (text.startsWith('{}', end)) end += 2;
  else if (text[end] === '}' || text[end] === ' ') end += 1;
  const inner = escapedAt(text, end, depth + 1);
  if (inner !== null) return inner;
  const plain = text[end] ?? '';
  return isAsciiPunctuation(plain) && plain !== '{' && plain !== '}'
    ? { character: plain, end: end + 1 }
    : null;
}

/** `{\_}`, `{\textless}`, `{_}`, `{$<$}`, `$<$`, `$\_$`. */
function enclosedAt(text: string, at: number, closer: '}' | '$', depth: number): DecodedCharacter | null {
  const inner = text[at + 1] ?? '';
  if (closer === '}' && inner === '\\') {
    const command = /^\\(textbackslash|&)\}/.exec(text.slice(at + 1, at + 16))?.[1];
    if (command === '&') {
      const entity = entityOfTex(text, at + 3);
      if (entity) return entity;
    } else if (command) return backslashAt(text, at + 1, depth + 1);
  }
  const decoded = escapedAt(text, at + 1, depth + 1) ?? plainAt(text, at + 1, closer);
  return decoded && text[decoded.end] === closer ? { ...decoded, end: decoded.end + 1 } : null;
}

function plainAt(text: string, at: number, closer: '}' | '$'): DecodedCharacter | null {
  const character = text[at] ?? '';
  const isPlain =
    closer === '$' ? /^[<>_]$/.test(character) : isAsciiPunctuation(character) && !/[{}]/.test(character);
  return isPlain ? { character, end: at + 1 } : null;
}

const PUNCTUATION = asciiTable('!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~');

function isAsciiPunctuation(character: string): boolean {
  return PUNCTUATION[character.charCodeAt(0)] === 1;
}
