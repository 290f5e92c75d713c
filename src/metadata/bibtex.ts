// Writes a BibTeX entry from CSL JSON. Several entries, one after the other, are a BibTeX file.

import { handlePath } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';
import { citationKey } from './citation-key.ts';
import {
  addField,
  addTexts,
  type EntryFields,
  entryTypes,
  FIELDS_BY_TYPE,
  FIELDS_OF_OTHER_TYPES,
  MAX_NAMES,
  readNames,
} from './entry-tables.ts';
import { latexText, latexTitle, latexWithCapitals } from './latex-text.ts';
import type { PartialDate } from './partial-date.ts';
import { type Creator, type CslItem, readPlainText, readWork, type Work } from './work.ts';

/** Never throws. The entry ends with a line feed. */
export function writeBibtex(csl: CslItem, name: HandleName): string {
  const work = readWork(csl);
  const type = entryType(work, csl);
  const fieldNames = FIELDS_BY_TYPE[type] ?? FIELDS_OF_OTHER_TYPES;
  const fields: EntryFields = new Map();
  const add = (field: string, text: string | null, write = fieldValue): void =>
    addField(fields, field, text === null ? null : write(text, field));

  add('title', work.titleHtml, (html) => braced(latexTitle(html)));
  add('author', nameList(csl['author']), braced);
  add('editor', nameList(csl['editor']), braced);
  add(fieldNames.container, work.containerTitle);
  add(fieldNames.publisher, work.publisher);
  addDate(fields, work.issued);
  add('pages', work.page, (page) => braced(page.split(DASH).map(latexText).join('--')));
  addTexts(fields, csl, 'bibtex', fieldValue);
  add('doi', verbatimName(name), braced);
  add('url', `https://doi.org/${urlPath(name)}`, braced);

  const lines = Array.from(fields, ([field, value]) => `  ${field} = ${value},\n`);
  return `@${type}{${citationKey(work, name)},\n${lines.join('')}}\n`.toWellFormed();
}

function entryType({ type }: Work, csl: CslItem): string {
  const { bibtex } = entryTypes(type);
  if (bibtex !== 'phdthesis') return bibtex;
  const degree = readPlainText(csl['genre']) ?? readPlainText(csl['degree']) ?? '';
  return MASTERS.test(degree) ? 'mastersthesis' : bibtex;
}

const MASTERS = /\bmaster|\bM\.?Sc\b/i;

/** Between the first page and the last. */
const DASH = /(?<=\S) ?[-\u2010-\u2015]+ ?(?=\S)/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The month as the macro that the styles of BibTeX define. */
function addDate(fields: EntryFields, date: PartialDate | null): void {
  if (date === null) return;
  addField(fields, 'year', braced(String(date.year)));
  if (date.month !== null) addField(fields, 'month', MONTHS[date.month - 1] ?? null);
  if (date.day !== null) addField(fields, 'day', braced(String(date.day)));
}

/** biber reads these fields as lists, and splits them at "and". */
const LIST_FIELDS = new Set(['publisher', 'school', 'institution', 'address', 'language']);

/** Titles of books and series. */
const TITLE_FIELDS = new Set(['booktitle', 'series']);

function fieldValue(text: string, field: string): string {
  if (TITLE_FIELDS.has(field)) return braced(latexWithCapitals(text));
  const latex = braced(escapeKeyword(latexText(text)));
  return LIST_FIELDS.has(field) && LIST_WORDS.test(text) ? braced(latex) : latex;
}

const LIST_WORDS = /(?:^|\s)(?:and|others)(?:\s|$)/i;

function braced(latex: string): string {
  return `{${latex}}`;
}

/** The limit of a list of names in LaTeX, where one character of a name may become a long command. */
const MAX_NAMES_CHARACTERS = 500_000;

/** A list that is cut ends with `others`, BibTeX's "et al.". */
function nameList(people: unknown): string | null {
  const names: string[] = [];
  let characters = 0;
  let isCut = Array.isArray(people) && people.length > MAX_NAMES;
  for (const creator of readNames(people)) {
    const name = bibtexName(creator);
    characters += name.length;
    isCut ||= characters > MAX_NAMES_CHARACTERS;
    if (characters > MAX_NAMES_CHARACTERS) break;
    names.push(name);
  }
  if (isCut) names.push('others');
  return names.join(' and ') || null;
}

/** `van Beethoven, Ludwig`, `King, Jr., Martin Luther`, `{World Health Organization}`. */
function bibtexName({ name, family, given, particle, suffix }: Creator): string {
  const parts = [particle, family, suffix, given];
  if (family === null || given === null || parts.some((part) => part?.includes(','))) return wholeName(name);
  const surname = particle === null ? family : `${particle} ${family}`;
  return [familyName(surname), suffix && namePart(suffix), namePart(given)].filter(Boolean).join(', ');
}

/** `von` stands for words in lower case before the family name. They are in ASCII, because bibtex recognizes no others. */
const VON = /^((?:[a-z][a-z'’]* )*)(.+)$/;

/**
 * Puts braces around a name in which a program would find a false `von`. bibtex searches all words but the last, also
 * after hyphens, and tests the first ASCII letter of each word. biber also searches the last word.
 */
function familyName(family: string): string {
  if (LIST_WORDS.test(family)) return wholeName(family);
  const [, von = '', last = ''] = VON.exec(family) ?? [];
  const words = last.split(/[\s-]/);
  const isPlain = words.length === 1 ? !/^\p{Ll}/u.test(last) : words.every((word) => /^[A-Z]/.test(word));
  return von + (isPlain ? namePart(last) : wholeName(last));
}

/** bibtex drops hyphens around a part of a name. */
function namePart(text: string): string {
  return LIST_WORDS.test(text) || /^-|-$/.test(text) ? wholeName(text) : nameText(text);
}

function wholeName(text: string): string {
  return braced(nameText(text));
}

/** biber reads `given=` as its other syntax of names, even in braces. */
function nameText(text: string): string {
  return escapeKeyword(latexText(text)).replaceAll('=', '{=}');
}

/** biber reads `others` as "et al." and `xdata=` as a reference to another entry, even in braces. */
function escapeKeyword(latex: string): string {
  return latex.replace(/^(?:o(?=thers$)|x(?=data))/i, '$&{}');
}

/**
 * biber reads the field verbatim, so nothing can be escaped in it. If programs would misread a name, it is written as in
 * a URL: a name with a lone brace or dollar sign, or with certain backslashes or spaces.
 */
function verbatimName(name: HandleName): string {
  return areBalanced(name) && !MISREAD.test(name) ? name : urlPath(name);
}

const MISREAD = /\\[{}]|\\$|\s\s|^\s|\s$|\p{Cc}|^[^$]*\$(?:[^$]*\$[^$]*\$)*[^$]*$/u;

function urlPath(name: HandleName): string {
  return handlePath(name).replaceAll('$', '%24');
}

function areBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
