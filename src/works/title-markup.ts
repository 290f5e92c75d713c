// Converts the markup of titles and names to plain text and to simple HTML. Registrants send HTML, JATS, MathML and
// entities, sometimes escaped twice.

import { escapeText } from 'entities';
import { Parser } from 'htmlparser2';
import { repairMisreadUtf8, restoreLostSpaces } from './damaged-text.ts';
import { replaceFormulas } from './tex-formula.ts';
import { WORK_LIMITS } from './work-limits.ts';

export interface MarkedUpText {
  /** without any markup */
  readonly text: string;
  /** HTML whose only elements are `i`, `b`, `sub` and `sup`; all other text is escaped */
  readonly html: string;
}

/** Key: the name of an element without its namespace prefix. Value: the HTML element that replaces the element. */
const KEPT: Readonly<Record<string, string>> = {
  i: 'i',
  em: 'i',
  italic: 'i',
  b: 'b',
  strong: 'b',
  bold: 'b',
  sub: 'sub',
  inf: 'sub',
  sup: 'sup',
};

/** Key: the name of a MathML element. Value: the HTML elements for its children, in order. */
const SCRIPTS: Readonly<Record<string, readonly (string | null)[]>> = {
  msub: [null, 'sub'],
  msup: [null, 'sup'],
  msubsup: [null, 'sub', 'sup'],
};

/** The content of these elements is dropped: it is not part of the title, or it repeats the title. */
const DROPPED = new Set(['script', 'style', 'tex-math', 'annotation', 'annotation-xml', 'inline-graphic']);

/** These elements separate words. */
const BREAKS = new Set(['br', 'break', 'p', 'title', 'subtitle', 'div', 'li']);

const NAMES = [
  ...Object.keys(KEPT),
  ...DROPPED,
  ...BREAKS,
  'u|underline|sc|scp|small|big|span|tt|roman|monospace|sans-serif|strike|overline|named-content|styled-content',
  'inline-formula|disp-formula|alternatives|xref|ext-link|email|font|a|ul|ol|img|semantics|math|none|mprescripts',
  'm(?:i|n|o|s|row|text|space|sub|sup|subsup|over|under|underover|frac|sqrt|root|fenced|style|padded|phantom|table|tr|td|multiscripts)',
].join('|');
/** The value of an attribute must not contain `&lt;`, so that the search for the end of a tag stops at the next tag. */
const ATTRIBUTES = String.raw`(?:\s+[\w:.-]+\s*=\s*(?:"(?:(?!&lt;)[^"<])*"|'(?:(?!&lt;)[^'<])*'|(?:(?!&lt;)[^\s"'<>=])+))*\s*\/?`;
const TAG = String.raw`\/?(?:(?:jats|mml|m|xhtml):)?(?:${NAMES})(?:${ATTRIBUTES})`;

/** An entity that was escaped twice: `&amp;lt;`. */
const ESCAPED_ENTITY = /&amp;(?=(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;
const ESCAPED_TAG = new RegExp(`&lt;(${TAG})&gt;`, 'gi');
const CDATA = /<!\[CDATA\[|\]\]>/g;
/** A `<` that does not begin markup: "p < 0.05", "a<b". */
const LONE_ANGLE = new RegExp(`<(?!${TAG}>|!--)`, 'gi');

/** @param maxCharacters a longer text is cut before it is parsed, and gets an ellipsis */
export function readMarkup(source: string, maxCharacters: number = WORK_LIMITS.textCharacters): MarkedUpText {
  if (source.length <= maxCharacters) {
    const { text, html } = readWhole(source);
    return { text, html: withoutOuterElements(html) };
  }
  const { text, html } = readWhole(source.slice(0, maxCharacters).toWellFormed());
  return { text: `${text}…`, html: `${html}…` };
}

function readWhole(source: string): MarkedUpText {
  return readMarkedUpLine(replaceFormulas(repairMisreadUtf8(source)), restoreLostSpaces);
}

/**
 * Reads markup in a text of any length, and changes nothing else.
 * @param repair gets the text after its escapes are read, and only if it can contain markup
 */
export function readMarkedUpLine(source: string, repair = (markedUp: string) => markedUp): MarkedUpText {
  if (!MAYBE_MARKUP.test(source)) {
    const text = inOneLine(source);
    return { text, html: escapeText(text) };
  }
  const markedUp = source
    .replace(CDATA, '')
    .replace(ESCAPED_ENTITY, '&')
    .replace(ESCAPED_ENTITY, '&')
    .replace(ESCAPED_TAG, '<$1>')
    .replace(LONE_ANGLE, '&lt;');
  return convertTags(repair(markedUp));
}

const OUTER_ELEMENT = /^<([ib])>(.*)<\/\1>$/;

/** Markup around a whole text has no meaning: `<b>Title</b>`. */
function withoutOuterElements(html: string): string {
  const [, name, content] = OUTER_ELEMENT.exec(html) ?? [];
  if (name === undefined || content === undefined || content.includes(`<${name}>`)) return html;
  return content.includes(`</${name}>`) ? html : withoutOuterElements(content);
}

/** An `&` before a space does not begin an entity. */
const MAYBE_MARKUP = /<|&[#a-z]/i;

/** Whether a text has neither markup, nor formulas, nor letters that can be misread UTF-8: `readMarkup` keeps its words. */
export function isPlain(text: string): boolean {
  return !/[<Â-ô]|&[#a-z]|\$\$/i.test(text);
}

interface OpenElement {
  readonly name: string;
  /** the HTML element that was written for the element; null if none was written */
  readonly tag: string | null;
  children: number;
}

function convertTags(source: string): MarkedUpText {
  const text: string[] = [];
  const html: string[] = [];
  const openElements: OpenElement[] = [];
  let dropDepth = 0;
  let mathDepth = 0;
  // The parser reports each entity as a text, and a text of entities has thousands.
  let unwritten = '';
  const write = (words: string): void => {
    text.push(words);
    html.push(escapeText(words.replaceAll('\u00a0', ' ')));
  };
  const flush = (): void => {
    if (unwritten !== '') write(unwritten);
    unwritten = '';
  };
  const parser = new Parser(
    {
      onopentagname(prefixed) {
        flush();
        const name = localName(prefixed);
        const parent = openElements.at(-1);
        const tag = KEPT[name] ?? (parent ? (SCRIPTS[parent.name]?.[parent.children] ?? null) : null);
        if (parent) parent.children += 1;
        openElements.push({ name, tag, children: 0 });
        if (DROPPED.has(name)) dropDepth += 1;
        if (name === 'math') mathDepth += 1;
        if (BREAKS.has(name)) write(' ');
        if (tag !== null && dropDepth === 0) html.push(`<${tag}>`);
      },
      onclosetag() {
        flush();
        const closed = openElements.pop();
        if (!closed) return;
        if (closed.tag !== null && dropDepth === 0) html.push(`</${closed.tag}>`);
        if (DROPPED.has(closed.name)) dropDepth -= 1;
        if (closed.name === 'math') mathDepth -= 1;
        if (BREAKS.has(closed.name)) write(' ');
      },
      ontext(words) {
        if (dropDepth > 0) return;
        const isBetweenElements = mathDepth > 0 && words.trim() === '';
        if (!isBetweenElements) unwritten += words;
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  );
  parser.end(source);
  flush();
  return { text: inOneLine(text.join('')), html: withoutEmptyElements(inOneLine(html.join(''))) };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Any white space except single spaces between words. */
const IRREGULAR_SPACE = /[^\S ]|[\p{Cc}\u200b\ufeff]| {2}|^ | $/u;

/** Replaces each run of white space and control characters with one space. */
export function inOneLine(text: string): string {
  // Most texts need no change, and this test is faster than replacing each space.
  if (!IRREGULAR_SPACE.test(text)) return text;
  return text.replace(/[\s\p{Cc}\u200b\ufeff]+/gu, ' ').trim();
}

function withoutEmptyElements(html: string): string {
  return html.replace(/<(i|b|sub|sup)>( ?)<\/\1>/g, '$2').trim();
}
