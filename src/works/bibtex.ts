// Writes a BibTeX entry from CSL JSON. Escapes and braces ensure that bibtex and biber read the same text back.

import type { HandleName } from 'doi-names';
import { handlePath, isBalanced } from 'doi-names/parts';
import { citationKey } from './citation-key.ts';
import { type Creator, madeBy, readPeople } from './creators.ts';
import {
  addField,
  addTexts,
  type EntryFields,
  FIELDS_BY_TYPE,
  FIELDS_OF_OTHER_TYPES,
} from './entry-tables.ts';
import type { PartialDate } from './partial-date.ts';
import { isBelowDoctor } from './theses.ts';
import { type CslItem, readPlainText, readTitles, readWork, type Work } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';
import { entryTypes } from './work-types.ts';

/** bibtex counts a brace even after a backslash. LaTeX's default font encoding prints `<` and `>` as other characters. */
const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  $: '\\$',
};

/** Also finds the first character of a pair that LaTeX would print as one character, such as `--` or `''`. */
const SPECIAL = /[\\{}<>~^&%#_$]|([-',`])(?=\1)|[?!](?=`)/g;

function latexText(text: string): string {
  return text.replace(SPECIAL, (character) => COMMANDS[character] ?? `${character}{}`);
}

/** The commands for the elements of `titleHtml`. */
const MARKUP: Readonly<Record<string, string>> = {
  '<i>': '\\textit{',
  '<b>': '\\textbf{',
  '<sub>': '\\textsubscript{',
  '<sup>': '\\textsuperscript{',
};
const TAG = /(<\/?(?:i|b|sub|sup)>)/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Writes a title with its markup and capitals. @param html the `titleHtml` of a work */
function latexTitle(html: string): string {
  const latex: string[] = [];
  let endsWithSpace = true;
  for (const piece of html.split(TAG)) {
    if (TAG.test(piece)) {
      latex.push(MARKUP[piece] ?? '}');
      continue;
    }
    const text = piece.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
    // If the text before a tag ends with a space, the text after the tag does not begin with a second space.
    const words = endsWithSpace ? text.trimStart() : text;
    latex.push(latexWithCapitals(words, latex.length === 0));
    if (text !== '') endsWithSpace = text.endsWith(' ');
  }
  return latex.join('');
}

const WORD_OR_OTHER = /[\p{L}\p{M}\p{N}]+(?:[-'’.][\p{L}\p{M}\p{N}]+)*|[^\p{L}\p{M}\p{N}]+/gu;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;

/**
 * Puts braces around each word with a capital letter, because BibTeX styles change titles to lower case.
 * @param isFirst the title begins with this text: styles keep the first letter of a title
 */
function latexWithCapitals(text: string, isFirst = true): string {
  return text.replace(WORD_OR_OTHER, (word, at: number) => {
    const beginsTitle = isFirst && at === 0;
    return CAPITAL.test(beginsTitle ? word.slice(1) : word) ? `{${word}}` : latexText(word);
  });
}

/** Never throws. The entry ends with a line feed, so entries can be joined to a file. */
export function writeBibtex(csl: CslItem, name: HandleName): string {
  const titles = readTitles(csl);
  const work = readWork(csl, titles);
  const people = readPeople(csl);
  const type = entryType(work, csl);
  const fieldNames = FIELDS_BY_TYPE[type] ?? FIELDS_OF_OTHER_TYPES;
  const fields: EntryFields = new Map();
  const add = (field: string, text: string | null, write = fieldValue): void =>
    addField(fields, field, text === null ? null : write(text, field));

  add('title', titles.whole?.html ?? null, (html) => braced(latexTitle(html)));
  add('author', nameList(people.authors, csl['author']), braced);
  add('editor', nameList(people.editors, csl['editor']), braced);
  add('translator', nameList(people.translators, csl['translator']), braced);
  add(fieldNames.container, work.containerTitle);
  add(fieldNames.publisher, work.publisher);
  addDate(fields, work.issued);
  add('pages', work.page, (page) => braced(page.split(DASH).map(latexText).join('--')));
  addTexts(fields, csl, 'bibtex', fieldValue);
  add('doi', verbatimName(name), braced);
  add('eprint', arxivId(name), braced);
  if (fields.has('eprint')) add('archiveprefix', 'arXiv');
  add('url', `https://doi.org/${urlPath(name)}`, braced);

  const lines = Array.from(fields, ([field, value]) => `  ${field} = ${value},\n`);
  return `@${type}{${citationKey({ creators: madeBy(people), issued: work.issued, title: work.title }, name)},\n${lines.join('')}}\n`.toWellFormed();
}

/** The identifier of arXiv in its DOI names. https://info.arxiv.org/help/doi.html */
function arxivId(name: HandleName): string | null {
  const [, id] = /^10\.48550\/arxiv\.([a-z.-]{0,20}\/?\d[\d.]{3,10}(?:v\d{1,3})?)$/i.exec(name) ?? [];
  return id ?? null;
}

function entryType({ type }: Work, csl: CslItem): string {
  const { bibtex } = entryTypes(type);
  const degree = readPlainText(csl['genre']) ?? readPlainText(csl['degree']);
  return bibtex === 'phdthesis' && isBelowDoctor(degree) ? 'mastersthesis' : bibtex;
}

/** The dash between the first page and the last page. */
const DASH = /(?<=\S) ?[-\u2010-\u2015]+ ?(?=\S)/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The month is written as a macro of BibTeX styles: `jan`. */
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

const braced = (latex: string): string => `{${latex}}`;

/** The limit for the LaTeX of a list of names, because one character of a name can become a long command. */
const MAX_NAMES_CHARACTERS = 500_000;

/** Null if there is no name. A list that is too long is cut and ends with `others`, which BibTeX prints as "et al.". */
function nameList(people: readonly Creator[], listed: unknown): string | null {
  const names: string[] = [];
  let characters = 0;
  let isCut = Array.isArray(listed) && listed.length > WORK_LIMITS.creators;
  for (const creator of people) {
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
  if (family === null || given === null || parts.some((part) => part?.includes(',')))
    return bracedNameText(name);
  const surname = particle === null ? family : `${particle} ${family}`;
  return [familyName(surname), suffix && namePart(suffix), namePart(given)].filter(Boolean).join(', ');
}

/** BibTeX calls the lower-case words before a family name `von`. bibtex recognizes only ASCII letters in such words. */
const VON = /^((?:[a-z][a-z'’]* )*)(.+)$/;

/**
 * Programs read a word as `von` if it begins with a lower-case letter. If a program would find a wrong `von`, the name
 * gets braces. bibtex checks the first ASCII letter of each word except the last word. For bibtex, a hyphen also ends a
 * word. biber checks the last word too.
 */
function familyName(family: string): string {
  if (LIST_WORDS.test(family)) return bracedNameText(family);
  const [, von = '', last = ''] = VON.exec(family) ?? [];
  const words = last.split(/[\s-]/);
  const isPlain = words.length === 1 ? !/^\p{Ll}/u.test(last) : words.every((word) => /^[A-Z]/.test(word));
  return von + (isPlain ? namePart(last) : bracedNameText(last));
}

/** A hyphen at the start or end of the part needs braces, because bibtex would remove the hyphen. */
function namePart(text: string): string {
  return LIST_WORDS.test(text) || /^-|-$/.test(text) ? bracedNameText(text) : nameText(text);
}

const bracedNameText = (text: string): string => braced(nameText(text));

/** `=` becomes `{=}`. Otherwise biber would read `given=` as its second syntax for names, even in a name in braces. */
function nameText(text: string): string {
  return escapeKeyword(latexText(text)).replaceAll('=', '{=}');
}

/** biber reads `others` as "et al." and `xdata=` as a reference to another entry, even inside braces. */
function escapeKeyword(latex: string): string {
  return latex.replace(/^(?:o(?=thers$)|x(?=data))/i, '$&{}');
}

/**
 * biber reads the field `doi` verbatim, so the field cannot have escapes. A name that programs would misread is
 * percent-encoded instead. Programs misread unbalanced braces, and the text that MISREAD finds.
 */
function verbatimName(name: HandleName): string {
  return isBalanced(name, '{', '}') && !MISREAD.test(name) ? name : urlPath(name);
}

/**
 * Finds a backslash before a brace or at the end, two spaces together, a space at the start or at the end, a control
 * character, or an odd number of dollar signs.
 */
const MISREAD = /\\[{}]|\\$|\s\s|^\s|\s$|\p{Cc}|^[^$]*\$(?:[^$]*\$[^$]*\$)*[^$]*$/u;

const urlPath = (name: HandleName): string => handlePath(name).replaceAll('$', '%24');
