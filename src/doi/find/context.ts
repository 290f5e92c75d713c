// The text before a name: an address, a label, quotation marks. It decides where the name ends.

import { asciiTable, isAsciiLetter, isLineBreak } from './text-characters.ts';

export interface Context {
  /** where forms that contain the name may begin, such as its URL; the longest form first */
  readonly starts: readonly number[];
  /** the characters directly before the name, and before each of `starts` */
  readonly before: string;
  readonly isUrl: boolean;
  /** the name is a parameter of an address */
  readonly isQuery: boolean;
  /** the address is a parameter of another address: `%3F` ends its path */
  readonly isEncodedUrl: boolean;
  /** something says that this is a DOI: a label, a resolver, the name of a field */
  readonly isNamedDoi: boolean;
  /** the delimiter of the line of CSV; empty if there is none */
  readonly delimiter: string;
  readonly host: string;
}

/** Few addresses have more characters before their DOI. */
const LONGEST_TOKEN = 500;
const SPACE = 0x20;
const ENDS_TOKEN = asciiTable('\t\n\v\f\r "\'<>`|{}()[]');

function endsToken(code: number): boolean {
  if (code < 0x80) return ENDS_TOKEN[code] === 1;
  return /[\s\u00AB\u00BB\u2018-\u201F\u3000-\u303F\uFF08\uFF09\uFF0C\uFF1A]/.test(String.fromCharCode(code));
}

/**
 * Looks back from a name, no further than `floor`, so that no text is read twice.
 * @param outer the context of the previous name: it also applies here if nothing divides the two names
 */
export function contextOf(text: string, start: number, floor: number, outer: Context | null): Context {
  const lowest = Math.max(floor, start - LONGEST_TOKEN);
  let tokenStart = start;
  while (tokenStart > lowest && !endsToken(text.charCodeAt(tokenStart - 1))) tokenStart -= 1;
  const token = tokenStart === start ? '' : text.slice(tokenStart, start).toLowerCase();

  const url = token === '' ? null : urlIn(token);
  const goesOn = url === null && tokenStart === floor && floor > 0 && outer?.isUrl === true;
  const urlStart = url === null ? start : tokenStart + url.offset;
  const starts: number[] = [];
  addStart(starts, labelStart(text, urlStart, floor));
  if (urlStart < start) {
    starts.push(urlStart);
    addStart(starts, labelStart(text, start, floor));
  }
  let before = text[start - 1] ?? '';
  for (const other of starts) before += text[other - 1] ?? '';
  const nearby = text.slice(Math.max(floor, tokenStart - 16), tokenStart);
  return {
    starts,
    before,
    isUrl: url !== null || goesOn,
    isQuery: url === null ? goesOn && (outer?.isQuery ?? false) : url.isQuery,
    isEncodedUrl: url?.isEncoded ?? false,
    isNamedDoi:
      /doi/i.test(nearby.slice(nearby.lastIndexOf('\n') + 1)) ||
      token.includes('doi') ||
      token.includes('hdl'),
    delimiter: delimiterOf(text, starts[0] ?? start),
    host: url?.host ?? '',
  };
}

function addStart(starts: number[], start: number | null): void {
  if (start !== null) starts.push(start);
}

interface Address {
  /** where it begins in the token */
  readonly offset: number;
  readonly isQuery: boolean;
  readonly isEncoded: boolean;
  readonly host: string;
}

/** The last address that begins in a token. */
function urlIn(token: string): Address | null {
  const authority = Math.max(token.lastIndexOf('://'), token.lastIndexOf(':\\/\\/'));
  if (authority !== -1) {
    let offset = authority;
    while (offset > 0 && isAsciiLetter(token.charCodeAt(offset - 1))) offset -= 1;
    const isEncoded = token.indexOf('%3a%2f%2f', authority) !== -1;
    return { offset, isQuery: token.includes('?', authority), isEncoded, host: hostAt(token, authority + 3) };
  }
  if (token.includes('%3a%2f%2f')) {
    return { offset: token.length, isQuery: false, isEncoded: true, host: '' };
  }
  // Without a scheme: `doi.org/`, `//doi.org/`, `www.example.org/doi/`.
  const relative = token.startsWith('//') ? 2 : 0;
  const slash = token.indexOf('/', relative);
  if (slash === -1) return null;
  const head = token.slice(0, slash);
  const offset = Math.max(head.lastIndexOf(','), head.lastIndexOf(';'), head.lastIndexOf('=')) + 1;
  const host = head.slice(Math.max(offset, relative));
  const tail = host.slice(host.lastIndexOf('.') + 1).split(':')[0] ?? '';
  const isHost = host.includes('.') && /^[a-z]{2,24}$/.test(tail);
  return isHost ? { offset, isQuery: token.includes('?'), isEncoded: false, host } : null;
}

function hostAt(token: string, at: number): string {
  const slash = token.indexOf('/', at);
  return token.slice(at, slash === -1 ? token.length : slash);
}

/** Where a label before `start` begins: `doi:`, `DOI: `, `doi:doi:`, `urn:doi:`, `info:doi/`, `DOI `. */
function labelStart(text: string, start: number, floor: number): number | null {
  let last = start - 1;
  while (last > start - 4 && text.charCodeAt(last) <= SPACE) last -= 1;
  // A colon, a slash or an i is the end of all labels.
  if (!/^[:/iI\u00A0]$/.test(text[last] ?? '')) return null;
  const lowest = Math.max(floor, start - 24);
  const before = text.slice(lowest, start).toLowerCase();
  const label = withoutLabel(before);
  if (label === null) return null;
  const outer = withoutLabel(before.slice(0, label));
  return lowest + (outer ?? label);
}

const SCHEMES = ['urn:doi:', 'urn:hdl:', 'info:doi/', 'info:hdl/', 'doi:', 'hdl:'];

/** The length of the text without the label at its end; null: it ends with no label. */
function withoutLabel(text: string): number | null {
  const labelled = text.trimEnd();
  const isApart = labelled.length < text.length;
  for (const scheme of isApart ? ['doi:', 'hdl:', 'doi'] : SCHEMES) {
    if (!labelled.endsWith(scheme)) continue;
    const length = labelled.length - scheme.length;
    if (!isAsciiLetter(labelled.charCodeAt(length - 1))) return length;
  }
  return null;
}

/** Characters of a line of CSV that are read. */
const LONGEST_LINE = 300;

function delimiterOf(text: string, start: number): string {
  const before = text[start - 1];
  if (before === ',') return ',';
  if (before === ';')
    return /&[#a-zA-Z0-9]{1,8};$/.test(text.slice(Math.max(0, start - 10), start)) ? '' : ';';
  if (start > 0 && !isLineBreak(before)) return '';
  const line = lineOf(text.slice(start, start + LONGEST_LINE));
  const lineBefore = lastLineOf(text.slice(Math.max(0, start - LONGEST_LINE), start).trimEnd());
  const divides = (separator: RegExp): boolean => {
    const fields = count(line, separator);
    return fields >= 2 || (fields === 1 && count(lineBefore, separator) > 0);
  };
  if (divides(TIGHT_COMMA)) return ',';
  return divides(TIGHT_SEMICOLON) ? ';' : '';
}

const TIGHT_COMMA = /,(?=\S)/g;
/** The semicolon of a SICI (`CO;2-L`) or of an entity (`&lt;`) divides nothing. */
const TIGHT_SEMICOLON = /(?<!co|&#?\w{1,8});(?=\S)/gi;

function count(line: string, separator: RegExp): number {
  return line.match(separator)?.length ?? 0;
}

function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function lineOf(text: string): string {
  const end = text.search(/[\n\r]/);
  return end === -1 ? text : text.slice(0, end);
}
