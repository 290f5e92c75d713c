// Converts an abstract to plain text: JATS of Crossref, HTML of DataCite, or plain text. Linear in the length of the source.
// https://jats.nlm.nih.gov/archiving/tag-library/1.3/element/abstract.html

import { decodeHTML } from 'entities';
import { listOf } from './agency-json.ts';
import { restoreLostSpaces } from './damaged-text.ts';
import { WORK_LIMITS } from './work-limits.ts';

type Block = 'paragraph' | 'line' | 'heading';

const rowsOf = (block: Block, names: string) => names.split(' ').map((name) => [name, block] as const);

/** Elements that begin a paragraph, a line or a heading. Every other element is part of its line. */
const BLOCKS: ReadonlyMap<string, Block> = new Map([
  ...rowsOf('paragraph', 'p sec section abstract trans-abstract article div blockquote disp-quote pre table'),
  ...rowsOf('paragraph', 'list ul ol dl def-list disp-formula disp-formula-group table-wrap fig hr'),
  ...rowsOf('line', 'br break li list-item def-item dt dd tr caption'),
  ...rowsOf('heading', 'title h1 h2 h3 h4 h5 h6'),
]);

/** Elements inside a line. Text such as `a<b and c>d` or `<20 μm` is no element, because its name is not in the tables. */
const INLINE = new Set(
  [
    'i em italic b strong bold sub sup inf u underline sc scp small big span tt roman monospace sans-serif font',
    'strike s del ins overline named-content styled-content inline-formula alternatives xref ext-link email uri',
    'a img semantics math none mprescripts code kbd samp var cite q abbr mark label td th tbody thead tfoot def',
    'term body html center nobr wbr inline-graphic graphic fn related-article object-id tex-math annotation',
    'annotation-xml script style',
  ].flatMap((names) => names.split(' ')),
);

/** The content of these elements is no text, or repeats a formula. `tex-math` repeats a formula inside `alternatives`. */
const DROPPED = new Set(['script', 'style', 'annotation', 'annotation-xml']);

/** White space between the elements of a formula is layout. */
const FORMULAS = new Set(['math', 'inline-formula', 'disp-formula']);

const COMMENT_OR_CDATA = /<!--(?:(?!<!--)[\s\S])*?-->|<!\[CDATA\[|\]\]>/g;
/** The longest start of an element: its attributes are addresses and namespaces. */
const TAG = /<(\/?)(?:([a-z][\w.-]{0,20}):)?([a-z][\w-]{0,30})((?:\s[^<>]{0,1000})?)(\/?)>/gi;
const MATHML =
  /^m(?:i|n|o|s|row|text|space|sub|sup|subsup|over|under|underover|frac|sqrt|root|fenced|style|padded|phantom|error|enclose|table|tr|labeledtr|td|multiscripts)$/;
/** Words after the name of an element that are no attributes: `<b and c>`. */
const NO_ATTRIBUTES = /^\s+[^\s=/]+(?:\s|$)/;

/** `&lt;p&gt;`, `&amp;lt;p&amp;gt;`, `&amp;amp;`: text whose markup or entities were escaped once more. */
const ESCAPED_TAG = /&lt;(?=\/?(?:[a-z][\w.-]{0,20}:)?[a-z][\w-]{0,30}(?:&gt;|[\s/]))/i;
const ESCAPED_ENTITY = /&amp;(?=(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/**
 * Paragraphs and headings have an empty line between them. A sole heading "Abstract" is left out. A text above the limit
 * is cut and gets an ellipsis. Null if there is no text.
 * @param value a text; of a list, the first text that is not empty
 */
export function abstractText(value: unknown): string | null {
  for (const item of listOf(value).slice(0, 20)) {
    const text = typeof item === 'string' ? plainAbstract(item) : '';
    if (text !== '') return text;
  }
  return null;
}

function plainAbstract(sent: string): string {
  const cut = sent.slice(0, WORK_LIMITS.abstractSourceCharacters).toWellFormed();
  const unescaped = cut.replace(ESCAPED_ENTITY, '&').replace(ESCAPED_ENTITY, '&');
  const source = ESCAPED_TAG.test(unescaped)
    ? unescaped.replace(/&lt;/gi, '<').replace(/&gt;/gi, '>')
    : unescaped;
  const blocks = blocksOf(restoreLostSpaces(source.replace(COMMENT_OR_CDATA, '')));
  const text = blocks
    .filter(({ text }) => text !== '')
    .map(({ block, text }, at) => (at === 0 ? text : `${block === 'line' ? '\n' : '\n\n'}${text}`))
    .join('');
  if (text === '') return '';
  const isCut = text.length > WORK_LIMITS.abstractCharacters || cut.length < sent.length;
  return isCut ? `${text.slice(0, WORK_LIMITS.abstractCharacters - 1).toWellFormed()}…` : text;
}

interface TextBlock {
  readonly block: Block;
  readonly text: string;
}

function blocksOf(source: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let block: Block = 'paragraph';
  let pieces: string[] = [];
  const depth = { dropped: 0, alternatives: 0, math: 0 };
  let hasBlocks = false;

  const end = (next: Block): void => {
    if (pieces.length > 0) blocks.push({ block, text: textOf(pieces.join(''), hasBlocks) });
    // A line break after the start of a paragraph does not turn the paragraph into a line.
    block = pieces.length === 0 && block !== 'line' && next === 'line' ? block : next;
    pieces = [];
  };
  const write = (text: string): void => {
    const isBetweenElements = depth.math > 0 && text.trim() === '';
    if (depth.dropped === 0 && text !== '' && !isBetweenElements) pieces.push(text);
  };

  let at = 0;
  for (const match of source.matchAll(TAG)) {
    const [tag, slash = '', prefix = '', rawName = '', attributes = '', selfClosing = ''] = match;
    const name = rawName.toLowerCase();
    if (!isElement(name, prefix, attributes)) continue;
    write(source.slice(at, match.index));
    at = match.index + tag.length;
    const next = BLOCKS.get(name);
    hasBlocks ||= next !== undefined;
    if (next !== undefined) end(slash === '/' && next !== 'line' ? 'paragraph' : next);
    if (selfClosing === '/' || attributes.endsWith('/')) continue;
    const step = slash === '/' ? -1 : 1;
    const isRepeated = name === 'tex-math' && depth.alternatives > 0;
    if (DROPPED.has(name) || isRepeated) depth.dropped = Math.max(0, depth.dropped + step);
    else if (name === 'alternatives') depth.alternatives = Math.max(0, depth.alternatives + step);
    else if (FORMULAS.has(name)) depth.math = Math.max(0, depth.math + step);
  }
  write(source.slice(at));
  end('paragraph');
  return withoutSoleHeading(blocks);
}

function isElement(name: string, prefix: string, attributes: string): boolean {
  if (NO_ATTRIBUTES.test(attributes)) return false;
  return prefix !== '' || BLOCKS.has(name) || INLINE.has(name) || MATHML.test(name);
}

/** Line breaks stay in a text without blocks, where the author wrote them. In blocks, a program wrote them. */
function textOf(encoded: string, hasBlocks: boolean): string {
  const text = decodeHTML(encoded).replace(/[\u200b\ufeff]/g, '');
  if (hasBlocks) return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}

function withoutSoleHeading(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const headings = blocks.filter(({ block, text }) => block === 'heading' && text !== '');
  const isAbstract = headings.length === 1 && /^abstract[.:]?$/i.test(headings[0]?.text ?? '');
  return isAbstract ? blocks.filter((block) => block !== headings[0]) : blocks;
}
