// Reads the text before a name: an address, a label, quotation marks. The end of the name depends on it.

import { asciiTable, isAsciiLetter, isLineBreak, textBefore } from './text-characters.ts';

export interface Context {
  /** offsets where a longer form of the name can begin, such as its URL; the longest form first */
  readonly starts: readonly number[];
  /** the character directly before the name, and the character before each of `starts` */
  readonly charactersBefore: string;
  readonly isUrl: boolean;
  /** where the address begins; the offset of the name without an address */
  readonly urlStart: number;
  /** the name is in the query of an address */
  readonly isQuery: boolean;
  /** the address is itself a parameter of another address, so that its `?` is written `%3F` */
  readonly isEncodedUrl: boolean;
  /** a label, a resolver or a field name before the name says that the name is a DOI */
  readonly isNamedDoi: boolean;
  /** `,` or `;` if the name stands in a line of CSV, else empty */
  readonly delimiter: string;
  /** the address before the name, in lower case; empty without one */
  readonly address: string;
}

/** At most this many characters of an address are read before its DOI. */
const MAX_TOKEN_LENGTH = 500;
const SPACE = 0x20;
const ENDS_TOKEN = asciiTable('\t\n\v\f\r "\'<>`|{}()[]');

function endsToken(code: number): boolean {
  if (code < 0x80) return ENDS_TOKEN[code] === 1;
  return /[\s\u00AB\u00BB\u2018-\u201F\u3000-\u303F\uFF08\uFF09\uFF0C\uFF1A]/.test(String.fromCharCode(code));
}

/**
 * Reads backward from a name, but not before `floor`: text before `floor` was read for the previous name.
 * @param previous the context of the previous name. Only this context shows that one address contains both names.
 */
export function contextOf(text: string, start: number, floor: number, previous: Context | null): Context {
  const lowest = Math.max(floor, start - MAX_TOKEN_LENGTH);
  let tokenStart = start;
  while (tokenStart > lowest && !endsToken(text.charCodeAt(tokenStart - 1))) tokenStart -= 1;
  const token = tokenStart === start ? '' : text.slice(tokenStart, start).toLowerCase();

  const url = token === '' ? null : (urlIn(token) ?? relativeAddress(token, text[tokenStart - 1] ?? ''));
  const isInSameUrl = url === null && tokenStart === floor && floor > 0 && previous?.isUrl === true;
  const urlStart = url === null ? start : tokenStart + url.offset;
  const forms =
    urlStart < start
      ? [labelStart(text, urlStart, floor), urlStart, labelStart(text, start, floor)]
      : [labelStart(text, start, floor)];
  const starts = forms.filter((at) => at !== null);
  let charactersBefore = (text[start - 1] ?? '') + encodedCharacterBefore(token);
  for (const other of starts) charactersBefore += text[other - 1] ?? '';
  const nearby = text.slice(Math.max(floor, tokenStart - 16), tokenStart);
  return {
    starts,
    charactersBefore,
    isUrl: url !== null || isInSameUrl,
    urlStart,
    isQuery: url === null ? (isInSameUrl && (previous?.isQuery ?? false)) || isInQuery(token) : url.isQuery,
    isEncodedUrl: url?.isEncoded ?? false,
    isNamedDoi: /doi/i.test(nearby.slice(nearby.lastIndexOf('\n') + 1)) || /doi|hdl/.test(token),
    delimiter: delimiterOf(text, starts[0] ?? start),
    address: url?.address ?? '',
  };
}

interface Address {
  /** where the address begins in the token */
  readonly offset: number;
  readonly isQuery: boolean;
  readonly isEncoded: boolean;
  readonly address: string;
}

/** The last address that begins in a token; null if none begins. */
function urlIn(token: string): Address | null {
  const authority = Math.max(token.lastIndexOf('://'), token.lastIndexOf(':\\/\\/'));
  if (authority !== -1) {
    let offset = authority;
    while (offset > 0 && isAsciiLetter(token.charCodeAt(offset - 1))) offset -= 1;
    // A subfield of MARC has its letter directly before the address: `$uhttps://doi.org/`.
    if (/^.h$/.test(token.slice(offset, offset + 2)) && /[$\u2021\u01C2]/.test(token[offset - 1] ?? ''))
      offset += 1;
    const isEncoded = ENCODED_SLASHES.test(token.slice(authority + 3));
    return { offset, isQuery: token.includes('?', authority), isEncoded, address: token.slice(offset) };
  }
  if (ENCODED_SLASHES.test(token))
    return { offset: token.length, isQuery: false, isEncoded: true, address: token };
  // Without a scheme: `doi.org/`, `//doi.org/`, `www.example.org/doi/`.
  const relative = token.startsWith('//') ? 2 : 0;
  const slash = token.indexOf('/', relative);
  if (slash === -1) return null;
  const head = token.slice(0, slash);
  const offset = Math.max(head.lastIndexOf(','), head.lastIndexOf(';'), head.lastIndexOf('=')) + 1;
  const host = head.slice(Math.max(offset, relative));
  const topLevelDomain = host.slice(host.lastIndexOf('.') + 1).split(':')[0] ?? '';
  const isHost = host.includes('.') && /^[a-z]{2,24}$/.test(topLevelDomain);
  return isHost
    ? { offset, isQuery: token.includes('?'), isEncoded: false, address: token.slice(offset) }
    : null;
}

/** The `://` of an address that is a parameter or a part of another address */
const ENCODED_SLASHES = /(?:%3a|:)%2f%2f/;

/** `href="/doi/full/` and `href=/doi/full/`: the path of a page on the same site. */
function relativeAddress(token: string, before: string): Address | null {
  const offset = token.startsWith('/') && /["'(]/.test(before) ? 0 : token.indexOf('=/') + 1;
  if (offset === 0 && token[0] !== '/') return null;
  return /^\/[a-z]/.test(token.slice(offset, offset + 2))
    ? { offset: token.length, isQuery: token.includes('?'), isEncoded: false, address: token.slice(offset) }
    : null;
}

/** Whether the name is in the query of an address without a host, such as the OpenURL of a COinS: `ctx_ver=…&rft_id=`. */
function isInQuery(token: string): boolean {
  const isLater = token.includes('&') || token.includes('?');
  return isLater && /[?&;][\w.-]{1,40}=[^?&;=]{0,60}$/.test(token);
}

/** The character before the name, if it is percent-encoded: a quotation mark or a bracket. */
function encodedCharacterBefore(token: string): string {
  const digits = /%(22|27|28|5b|7b|3c)$/.exec(token.slice(-3))?.[1];
  return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16));
}

/** Where a label before `start` begins: `doi:`, `DOI: `, `doi:doi:`, `urn:doi:`, `info:doi/`, `DOI `. Null without one. */
function labelStart(text: string, start: number, floor: number): number | null {
  let last = start - 1;
  while (last > start - 4 && text.charCodeAt(last) <= SPACE) last -= 1;
  // Every label ends with a colon, a slash or an i. A no-break space can follow.
  if (!/^[:/iI\u00A0]$/.test(text[last] ?? '')) return null;
  const lowest = Math.max(floor, start - 24);
  const before = text.slice(lowest, start).toLowerCase();
  const inner = lengthBeforeLabel(before);
  if (inner === null) return null;
  const outer = lengthBeforeLabel(before.slice(0, inner));
  return lowest + (outer ?? inner);
}

const SCHEMES = ['urn:doi:', 'urn:hdl:', 'info:doi/', 'info:hdl/', 'doi:', 'hdl:'];

/** The length of the text before the label at its end; null if no label is at its end. */
function lengthBeforeLabel(text: string): number | null {
  const labelled = text.trimEnd();
  const hasSpaceAfter = labelled.length < text.length;
  for (const scheme of hasSpaceAfter ? ['doi:', 'hdl:', 'doi'] : SCHEMES) {
    if (!labelled.endsWith(scheme)) continue;
    const length = labelled.length - scheme.length;
    if (!isAsciiLetter(labelled.charCodeAt(length - 1))) return length;
  }
  return null;
}

/** At most this many characters of a CSV line are read. */
const MAX_LINE_LENGTH = 300;

/** The beginning of a list of keys, or an entry whose key is a name: `\\cite{`, `\\citep[see][]{`, `@article{`, `@url{`. */
const LIST_BEFORE = /(?:cite[a-z*]{0,12}(?:\[[^\][]{0,40}\]){0,2}|@[a-z]{1,20} ?)\{$/i;

function delimiterOf(text: string, start: number): string {
  const last = text[start - 1];
  if (last === ',') return ',';
  if (last === '{' && LIST_BEFORE.test(text.slice(Math.max(0, start - 110), start))) return ',';
  if (last === ';') return /&[#a-zA-Z0-9]{1,8};$/.test(text.slice(Math.max(0, start - 10), start)) ? '' : ';';
  if (start > 0 && !isLineBreak(last)) return '';
  const line = textBefore(/[\n\r]/, text.slice(start, start + MAX_LINE_LENGTH));
  const before = text.slice(Math.max(0, start - MAX_LINE_LENGTH), start).trimEnd();
  const previousLine = before.slice(before.lastIndexOf('\n') + 1);
  const isDelimiter = (separator: RegExp): boolean => {
    const separators = line.match(separator)?.length ?? 0;
    return separators >= 2 || (separators === 1 && previousLine.search(separator) !== -1);
  };
  if (isDelimiter(TIGHT_COMMA)) return ',';
  return isDelimiter(TIGHT_SEMICOLON) ? ';' : '';
}

const TIGHT_COMMA = /,(?=\S)/g;
/** The semicolon of a SICI (`CO;2-L`) or of an entity (`&lt;`) is not a separator. */
const TIGHT_SEMICOLON = /(?<!co|&#?\w{1,8});(?=\S)/gi;
