// Shows text from outside: every character is visible, and no part of the text becomes markup.

import { button, el } from './dom.ts';

/** Characters that have no shape or change the direction of text: controls, formats, unusual spaces. */
const UNSEEN = /([\p{C}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000])/u;
/** The same characters, except line ends and tabs. */
const UNSEEN_IN_LINES = /((?![\n\t])[\p{C}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000])/u;

/** @param character `U+202E` */
export function codePoint(character: string) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function pieces(text: string, unseen: RegExp): (string | Node)[] {
  return text
    .split(unseen)
    .map((piece, index) => (index % 2 === 0 ? piece : el('span', { class: 'unseen' }, codePoint(piece))));
}

/** The nodes of a text of one line, for an element that isolates the direction of text. */
export function visible(text: string) {
  return pieces(text, UNSEEN);
}

/** Like `visible`, but a string, for example for the title of the page. */
export function spelledOut(text: string) {
  return text
    .split(UNSEEN)
    .reduce((all, piece, index) => all + (index % 2 === 0 ? piece : `‹${codePoint(piece)}›`), '');
}

/**
 * Text of one line. Its direction does not affect the text around it.
 * @param dir `ltr` for syntax such as a DOI, whatever letters it contains
 */
export function bdi(text: string, dir: 'ltr' | 'auto' = 'auto') {
  return el('bdi', { dir }, ...visible(text));
}

const BRIEF_CHARACTERS = 200;

/** The beginning of a text of one line, such as a name. */
export function briefly(text: string) {
  return bdi(text.length > BRIEF_CHARACTERS ? `${text.slice(0, BRIEF_CHARACTERS)}…` : text);
}

/** A text of one line. Shows at most 1,000 UTF-16 units of the text. @param name its class */
export function code(text: string, name?: string) {
  return el('code', { class: name }, bdi(text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text, 'ltr'));
}

/**
 * Text of any length, with line ends. Shows only the beginning of a long text, and the whole text on demand.
 * @param max characters to show at first
 */
export function longText(text: string, max: number = 600, dir: 'ltr' | 'auto' = 'auto') {
  const holder = el('code', { class: 'long' });
  const put = (part: string) => holder.replaceChildren(el('bdi', { dir }, ...pieces(part, UNSEEN_IN_LINES)));
  const characters = text.length > max ? Array.from(text) : [];
  if (characters.length <= max) {
    put(text);
    return holder;
  }
  put(`${characters.slice(0, max).join('')}…`);
  const all = button(`Show all ${characters.length.toLocaleString('en')} characters`, () => {
    put(text);
    all.remove();
  });
  all.className = 'quiet';
  return el('div', {}, holder, all);
}

/** A link, if the text is an address that is safe to open; else the text. @param max characters to show */
export function link(url: string, max: number = 300) {
  const shown = bdi(url.length > max ? `${url.slice(0, max)}…` : url, 'ltr');
  return isSafe(url) ? outside(url, shown) : el('code', {}, shown);
}

/** Words that are a link, if the address is one of the web. */
export function webLink(text: string, url: string | null) {
  const words = briefly(text);
  return url !== null && isSafe(url) && /^https?:/i.test(url) ? outside(url, words) : words;
}

function outside(url: string, shown: Node) {
  return el('a', { href: url, rel: 'noopener noreferrer', class: 'outside' }, shown);
}

export function isSafe(url: string) {
  return URL.canParse(url) && ['http:', 'https:', 'ftp:'].includes(new URL(url).protocol);
}
