// Reads escaped characters: HTML entities, backslash escapes, and TeX commands such as `\textless`.

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

const TEX_WORDS: readonly (readonly [string, string])[] = [
  ['\\textless', '<'],
  ['\\textgreater', '>'],
  ['\\textunderscore', '_'],
  ['\\textasciitilde', '~'],
];

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Decodes the escape that begins at `at`; null if none begins there. Reads a bounded number of characters. */
export function escapedAt(text: string, at: number): DecodedCharacter | null {
  switch (text[at]) {
    case '&':
      return entityAt(text, at);
    case '\\':
      return backslashAt(text, at);
    case '{':
      return bracedAt(text, at);
    case '$':
      return mathAt(text, at);
    default:
      return null;
  }
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

/** `\_` of TeX and Markdown, `\/` and `\u003c` of JSON, `\textless{}`. */
function backslashAt(text: string, at: number): DecodedCharacter | null {
  const next = text[at + 1] ?? '';
  if (next === '\\') return null;
  if (isAsciiPunctuation(next)) return { character: next, end: at + 2 };
  if (next === 'u' || next === 'x') {
    const end = at + (next === 'u' ? 6 : 4);
    const digits = text.slice(at + 2, end);
    const character = /^(?:[0-9A-Fa-f]{2}){1,2}$/.test(digits) && characterOf(Number.parseInt(digits, 16));
    return character && end - at - 2 === digits.length ? { character, end } : null;
  }
  const word = TEX_WORDS.find(([written]) => text.startsWith(written, at));
  if (word) {
    const end = at + word[0].length;
    if (text.startsWith('{}', end)) return { character: word[1], end: end + 2 };
    return { character: word[1], end: text[end] === ' ' ? end + 1 : end };
  }
  const control = CONTROLS[next];
  return control === undefined ? null : { character: control, end: at + 2 };
}

/** `{\_}`, `{\textless}`, `{_}`. */
function bracedAt(text: string, at: number): DecodedCharacter | null {
  const inner = text[at + 1] ?? '';
  const decoded =
    inner === '\\'
      ? backslashAt(text, at + 1)
      : isAsciiPunctuation(inner) && inner !== '{' && inner !== '}'
        ? { character: inner, end: at + 2 }
        : null;
  return decoded && text[decoded.end] === '}' ? { ...decoded, end: decoded.end + 1 } : null;
}

/** `$<$`, `$>$`. */
function mathAt(text: string, at: number): DecodedCharacter | null {
  const inner = text[at + 1];
  const isRelation = (inner === '<' || inner === '>') && text[at + 2] === '$';
  return isRelation ? { character: inner, end: at + 3 } : null;
}

const PUNCTUATION = asciiTable('!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~');

function isAsciiPunctuation(character: string): boolean {
  return PUNCTUATION[character.charCodeAt(0)] === 1;
}
