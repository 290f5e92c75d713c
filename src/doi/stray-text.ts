// Finds text that is often copied with a name. Each search takes time linear in the name's length.

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

/** The offset where it begins; -1 if there is none, as in all functions here. */
export function trailingPunctuation(name: DoiName): number {
  return unopenedTail(name, PUNCTUATION);
}

/** Where at the end nothing stands any more but these characters, closing brackets of the suffix's own left out. */
function unopenedTail(name: string, characters: string): number {
  let tail = name.length;
  while (characters.includes(name[tail - 1] ?? '/') && !isPartOfText(name, tail)) tail -= 1;
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

const LONGEST_ENTITY = '&#9999999;'.length;

/** Whether what ends there is the end of an HTML entity, or a bracket that a backslash escapes. */
function isPartOfText(name: string, end: number): boolean {
  const last = name[end - 1] ?? '';
  if (last === ';') return ENTITY_AT_END.test(name.slice(Math.max(0, end - LONGEST_ENTITY), end));
  return name[end - 2] === '\\' && CLOSERS.includes(last);
}

/** How many brackets are open at the end of a text, by their closers. */
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

/** `?` and then `=`, or `#` and what names a place in a page. */
export function queryOrFragment(name: DoiName): number {
  const question = name.indexOf('?');
  const query = question !== -1 && name.includes('=', question) ? question : -1;
  const hash = name.lastIndexOf('#');
  const fragment = hash !== -1 && FRAGMENT.test(name.slice(hash + 1)) ? hash : -1;
  return firstOf(query, fragment);
}

/** What an address of a page has behind the name, in the names' own forms (SPEC, warnings). */
export const VIEWS: readonly string[] = '/full /pdf /epdf /abstract /meta /html /summary .pdf'.split(' ');
const VIEW = new RegExp(`(?:${VIEWS.join('|').replace('.', '\\.')})$`, 'i');
const LONGEST_VIEW = '/abstract'.length;

/** Parts of a publisher's address behind the name, or a session id. */
export function viewSuffix(name: DoiName): number {
  const session = name.includes(';') ? name.search(/;jsessionid=/i) : -1;
  const slash = name.indexOf('/');
  let end = session === -1 ? name.length : session;
  for (;;) {
    const start = Math.max(0, end - LONGEST_VIEW);
    const at = name.slice(start, end).search(VIEW);
    // Without the part, the name must still have a suffix.
    if (at === -1 || (end < name.length && start + at <= slash)) break;
    end = start + at;
  }
  return end === name.length ? -1 : end;
}

/** A character that TeX needs escaped, alone or in braces. */
const LATEX_ESCAPE = /\{\\[_&%#${}]\}|\\[_&%#${}]/g;

/** An escape of LaTeX, or the end of a Markdown link, of an element or of a field of BibTeX. */
export function markup(name: DoiName): number {
  return firstOf(name.includes('\\') ? name.search(LATEX_ESCAPE) : -1, endOfText(name));
}

/** Without escapes of LaTeX, and without the text behind its end. */
export function withoutMarkup(name: DoiName): string {
  const end = endOfText(name);
  return (end === -1 ? name : name.slice(0, end)).replace(LATEX_ESCAPE, (written) =>
    written.replaceAll(written.startsWith('{') ? /^\{\\|\}$/g : /^\\/g, ''),
  );
}

/** A bracket that is escaped is part of the text. */
function endOfText(name: DoiName): number {
  const text = name.includes('\\')
    ? name.replace(LATEX_ESCAPE, (written) => '_'.repeat(written.length))
    : name;
  return firstOf(firstOf(text.indexOf(']('), text.indexOf('</')), unopenedTail(text, '}'));
}

const DASHES = /(?!-)\p{Dash}/gu;

export function otherDash(name: DoiName): number {
  return name.search(DASHES);
}

export function withHyphens(name: string): string {
  return name.replace(DASHES, '-');
}

const ENTITY = /&(?:lt|gt|amp|quot|#[0-9]{1,7}|#x[0-9a-f]{1,6});/gi;
const ENTITY_AT_END = new RegExp(`${ENTITY.source}$`, 'i');
const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const LAST_CODE_POINT = 0x10ffff;

export function htmlEntity(name: DoiName): number {
  return name.includes('&') ? name.search(ENTITY) : -1;
}

/** Each entity once; one that names no character stays. */
export function withoutEntities(name: string): string {
  return name.replace(ENTITY, (entity) => {
    const reference = entity.slice(1, -1).toLowerCase();
    if (!reference.startsWith('#')) return NAMED_ENTITIES[reference] ?? entity;
    const codePoint = Number(reference.startsWith('#x') ? `0${reference.slice(1)}` : reference.slice(1));
    return codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : entity;
  });
}

const SPACES = /\p{Zs}/gu;

export function whiteSpace(name: DoiName): number {
  return name.search(SPACES);
}

/** Without its only space, where that is beside a character at which lines are broken; else as it is. */
export function withoutStraySpace(name: string, at: number): string {
  const isOnly = name.slice(at + 1).search(SPACES) === -1;
  const isAtBreak = /[/\-._]/.test((name[at - 1] ?? '') + (name[at + 1] ?? ''));
  return isOnly && isAtBreak ? name.slice(0, at) + name.slice(at + 1) : name;
}

const SEPARATORS = /[\p{Zs},;|]+/gu;
const BARE_NAME = /10(?:\.[0-9]+)+\//y;

/** The separators before another name, in any form. */
export function severalNames(name: DoiName): number {
  for (const { index, 0: separators } of name.matchAll(SEPARATORS)) {
    if (beginsName(name, index + separators.length)) return index;
  }
  return -1;
}

/** A number that begins like a bare name is none. */
function beginsName(text: string, at: number): boolean {
  if (!text.startsWith('10', at)) return beginsForm(text, at);
  BARE_NAME.lastIndex = at;
  return BARE_NAME.test(text);
}

function firstOf(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
