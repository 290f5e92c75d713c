// Finds text in a name that was probably copied with the name by mistake. Each search returns a UTF-16 offset,
// or -1 if it finds nothing. The time of a search is linear in the length of the name.

import type { DoiName } from './name.ts';
import { beginsForm } from './recognise.ts';

const STOPS = '.,;:!?…';
const QUOTES = '"\'“”‘’„‚«»‹›';
const OPENERS: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '>': '<',
  '）': '（',
  '］': '［',
  '】': '【',
  '」': '「',
  '』': '『',
  '》': '《',
  '〉': '〈',
  '⟩': '⟨',
};
const CLOSERS = Object.keys(OPENERS).join('');
const PUNCTUATION = STOPS + QUOTES + CLOSERS;

export const findTrailingPunctuation = (name: DoiName): number => unopenedTail(name, PUNCTUATION);

/** Where the final run of these characters begins; -1 without one. It begins after a bracket that the suffix opened. */
function unopenedTail(name: string, characters: string): number {
  let tail = name.length;
  while (characters.includes(name[tail - 1] ?? '/') && !isEndOfEscape(name, tail)) tail -= 1;
  if (tail === name.length) return -1;

  const depths = depthsIn(name.slice(name.indexOf('/') + 1, tail));
  for (let at = tail; at < name.length; at += 1) {
    const closer = name[at] ?? '';
    const depth = depths.get(closer) ?? 0;
    if (depth === 0) continue;
    depths.set(closer, depth - 1);
    tail = at + 1;
  }
  return tail === name.length ? -1 : tail;
}

const MAX_ENTITY_LENGTH = '&#9999999;'.length;

/** Whether an HTML entity or an escaped bracket ends at `end`. The last character of such an escape is not punctuation. */
function isEndOfEscape(name: string, end: number): boolean {
  const last = name[end - 1] ?? '';
  if (last === ';') return ENTITY_AT_END.test(name.slice(Math.max(0, end - MAX_ENTITY_LENGTH), end));
  return name[end - 2] === '\\' && CLOSERS.includes(last);
}

/** For each closing bracket: how many of its opening brackets are still open at the end of the text. */
function depthsIn(text: string): Map<string, number> {
  const depths = new Map<string, number>();
  for (const [closer, opener] of Object.entries(OPENERS)) {
    if (!text.includes(opener)) continue;
    let depth = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] === opener) depth += 1;
      else if (text[at] === closer && depth > 0) depth -= 1;
    }
    depths.set(closer, depth);
  }
  return depths;
}

const FRAGMENT = /^\.?\p{L}[\p{L}\p{N}\-_.]*$/u;

/** A query is `?` and then `=`. A fragment is `#` and a word such as `section-2`. */
export function findQueryOrFragment(name: DoiName): number {
  const question = name.indexOf('?');
  const query = question !== -1 && name.includes('=', question) ? question : -1;
  const hash = name.lastIndexOf('#');
  const fragment = hash !== -1 && FRAGMENT.test(name.slice(hash + 1)) ? hash : -1;
  return firstOf(query, fragment);
}

/** Endings that publishers add to the name in the addresses of their pages. */
export const VIEWS: readonly string[] = '/full /pdf /epdf /abstract /meta /html /summary .pdf'.split(' ');
const VIEW = new RegExp(`(?:${VIEWS.join('|').replace('.', '\\.')})$`, 'i');
const MAX_VIEW_LENGTH = '/abstract'.length;

/** Finds views such as `/full` at the end, or a session id. */
export function findViewSuffix(name: DoiName): number {
  const session = name.includes(';') ? name.search(/;jsessionid=/i) : -1;
  const slash = name.indexOf('/');
  let end = session === -1 ? name.length : session;
  for (;;) {
    const start = Math.max(0, end - MAX_VIEW_LENGTH);
    const at = name.slice(start, end).search(VIEW);
    // Without the view, the name must still have a suffix.
    if (at === -1 || (end < name.length && start + at <= slash)) break;
    end = start + at;
  }
  return end === name.length ? -1 : end;
}

/** `\_` or `{\_}`: TeX needs some characters escaped. */
const LATEX_ESCAPE = /\{\\[_&%#${}]\}|\\[_&%#${}]/g;

/** Finds an escape of LaTeX, or the end of a Markdown link, an HTML element or a BibTeX field. */
export function findMarkup(name: DoiName): number {
  return firstOf(name.includes('\\') ? name.search(LATEX_ESCAPE) : -1, endOfMarkup(name));
}

/** Unescapes LaTeX, and cuts the name at the end of a link, element or field. */
export function withoutMarkup(name: DoiName): string {
  const end = endOfMarkup(name);
  return (end === -1 ? name : name.slice(0, end)).replace(LATEX_ESCAPE, (written) =>
    written.replaceAll(written.startsWith('{') ? /^\{\\|\}$/g : /^\\/g, ''),
  );
}

/** The end of a link, element or field. An escaped bracket does not end a field. */
function endOfMarkup(name: DoiName): number {
  const text = name.includes('\\')
    ? name.replace(LATEX_ESCAPE, (written) => '_'.repeat(written.length))
    : name;
  return firstOf(firstOf(text.indexOf(']('), text.indexOf('</')), unopenedTail(text, '}'));
}

const DASHES = /(?!-)\p{Dash}/gu;

export const findOtherDash = (name: DoiName): number => name.search(DASHES);
export const withHyphens = (name: DoiName): string => name.replace(DASHES, '-');

const ENTITY = /&(?:lt|gt|amp|quot|#[0-9]{1,7}|#x[0-9a-f]{1,6});/gi;
const ENTITY_AT_END = new RegExp(`${ENTITY.source}$`, 'i');
const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const LAST_CODE_POINT = 0x10ffff;

export const findHtmlEntity = (name: DoiName): number => (name.includes('&') ? name.search(ENTITY) : -1);

/** Decodes each entity once: `&amp;lt;` becomes `&lt;`. An entity stays if its number is too large for a code point. */
export function withoutEntities(name: string): string {
  return name.replace(ENTITY, (entity) => {
    const reference = entity.slice(1, -1).toLowerCase();
    if (!reference.startsWith('#')) return NAMED_ENTITIES[reference] ?? entity;
    const codePoint = Number(reference.startsWith('#x') ? `0${reference.slice(1)}` : reference.slice(1));
    return codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : entity;
  });
}

const SPACES = /\p{Zs}/gu;

export const findWhiteSpace = (name: DoiName): number => name.search(SPACES);

/** Removes the only space if it is beside `/`, `-`, `.` or `_`, because a line was probably broken there. */
export function withoutStraySpace(name: string, at: number): string {
  const isOnly = name.slice(at + 1).search(SPACES) === -1;
  const isAtBreak = /[/\-._]/.test((name[at - 1] ?? '') + (name[at + 1] ?? ''));
  return isOnly && isAtBreak ? name.slice(0, at) + name.slice(at + 1) : name;
}

const SEPARATORS = /[\p{Zs},;|]+/gu;
const BARE_NAME = /10(?:\.[0-9]+)+\//y;

/** Finds the separators before another name. The other name can have any form. */
export function findSeveralNames(name: DoiName): number {
  for (const { index, 0: separators } of name.matchAll(SEPARATORS)) {
    if (beginsName(name, index + separators.length)) return index;
  }
  return -1;
}

/** Whether a name begins at `at`. A number such as `10.5` is not a name. */
function beginsName(text: string, at: number): boolean {
  if (!text.startsWith('10', at)) return beginsForm(text, at);
  BARE_NAME.lastIndex = at;
  return BARE_NAME.test(text);
}

function firstOf(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
