// Reads the work of a DOI name from the CSL JSON of an agency's service. The services follow the schema only roughly:
// https://github.com/citation-style-language/schema, csl-data.json

import { isOrcid } from '../doi/other-identifiers.ts';
import { type AgencyObject, isObject } from './agency-json.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';
import type { Relation } from './relations.ts';
import type { Updates } from './retractions-and-updates.ts';
import { inOneLine, isPlain, type MarkedUpText, readMarkup } from './title-markup.ts';
import { splitTitle, type Titles } from './whole-title.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** A person or an organization that made a work. */
export interface Creator {
  /** the whole name in spoken order: "Ludwig van Beethoven" */
  readonly name: string;
  readonly given: string | null;
  readonly family: string | null;
  /** CSL's dropping particle: "de" of "Charles de Gaulle". Neither `given` nor `family` contains it. */
  readonly particle: string | null;
  /** "Jr." */
  readonly suffix: string | null;
  /** "0000-0002-1825-0097" */
  readonly orcid: string | null;
}

/** How many characters of names are still read for markup. All people of a work share it. */
export interface MarkupBudget {
  characters: number;
}

export const markupBudget = (): MarkupBudget => ({ characters: WORK_LIMITS.markedUpNameCharacters });

/** Reads a list or a single item; of a longer list, the first people. Leaves out a person without a name. */
export function readCreators(names: unknown, budget = markupBudget()): readonly Creator[] {
  const all: readonly unknown[] = Array.isArray(names) ? names.slice(0, WORK_LIMITS.creators) : [names];
  return all.map((value) => readCreator(value, budget)).filter((creator) => creator !== null);
}

function readCreator(value: unknown, budget: MarkupBudget): Creator | null {
  if (typeof value === 'string') return fromText(value, budget);
  if (!isObject(value)) return null;
  const nameText = (name: unknown): string | null => readName(name, budget);
  const orcid = readOrcid(value);
  const given = nameText(firstValue(value, ['given', 'givenName', 'firstName']));
  const family = nameText(firstValue(value, ['family', 'familyName', 'lastName']));
  if (given === null && family === null)
    return organization(nameText(firstValue(value, ['literal', 'name'])), orcid);
  const surname = joined(nameText(value['non-dropping-particle']), family);
  const particle = nameText(value['dropping-particle']);
  const suffix = nameText(value['suffix']);
  const name = joined(given, particle, surname, suffix);
  return name === null ? null : { name, given, family: surname, particle, suffix, orcid };
}

/** The first value that is not empty. @param keys a key of CSL, then the keys of DataCite's metadata and of Zotero */
function firstValue(person: AgencyObject, keys: readonly string[]): unknown {
  return keys
    .map((key) => person[key])
    .find((value) => value !== undefined && value !== null && value !== '');
}

/** `Carberry, Josiah`: one comma with a few words on both sides. Any other text is a name in spoken order. */
const FAMILY_FIRST = /^([^,;\s]+(?: [^,;\s]+){0,2}), ([^,;\s]+(?: [^,;\s]+){0,2})$/u;
const OF_ORGANIZATIONS = /\b(?:of|for|and|inc|ltd|llc|gmbh|university|institute|department)\b|&/i;

function fromText(text: string, budget: MarkupBudget): Creator | null {
  const parts = familyFirst(text, budget);
  return parts === null ? organization(readName(text, budget), null) : readCreator(parts, budget);
}

/** Family name and given name of a text such as `Carberry, Josiah`. Null for an organization and any other text. */
export function familyFirst(
  text: string,
  budget = markupBudget(),
): { readonly family: string; readonly given: string } | null {
  const name = readName(text, budget) ?? '';
  const [, family, given] = OF_ORGANIZATIONS.test(name) ? [] : (FAMILY_FIRST.exec(name) ?? []);
  return family === undefined || given === undefined ? null : { family, given };
}

function organization(name: string | null, orcid: string | null): Creator | null {
  return name === null ? null : { name, given: null, family: null, particle: null, suffix: null, orcid };
}

/** The plain text, without the commas between this name and other names. Null if the text is empty. */
function readName(value: unknown, budget: MarkupBudget): string | null {
  if (typeof value !== 'string') return null;
  const text = withoutMarkup(value, budget);
  // A pattern such as /[ ,;]+$/ would read a run of commas again from each of its commas.
  const isComma = (at: number): boolean => ' ,;'.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (end > 0 && isComma(end - 1)) end -= 1;
  while (start < end && isComma(start)) start += 1;
  return start === end ? null : text.slice(start, end);
}

/** A name that perhaps has markup or damage takes a hundred times as long as another name. */
function withoutMarkup(name: string, budget: MarkupBudget): string {
  const length = Math.min(name.length, WORK_LIMITS.nameCharacters);
  if (isPlain(name.slice(0, length)) || budget.characters < length) {
    return inOneLine(name.length > length ? `${name.slice(0, length).toWellFormed()}…` : name);
  }
  budget.characters -= length;
  return readMarkup(name, length).text;
}

function joined(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null;
}

const ORCID_AT_END = /(?<!\d)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\s*\/?\s*$/i;

/** Null if the check digit is wrong. */
function readOrcid(person: AgencyObject): string | null {
  const value = firstValue(person, ['ORCID', 'orcid']);
  const [, ...parts] = typeof value === 'string' ? (ORCID_AT_END.exec(value.slice(0, 100)) ?? []) : [];
  const orcid = parts.join('-').toUpperCase();
  return parts.length > 0 && isOrcid(orcid) ? orcid : null;
}

/** A CSL JSON item: any JSON object. */
export type CslItem = AgencyObject;

/** The updates and relations of a work. An agency's API reports them, but content negotiation does not. Plain JSON. */
export interface WorkHistory {
  readonly updates: Updates;
  readonly relations: readonly Relation[];
  /** the agency that reports the history. Default: the source of the metadata */
  readonly source?: string | undefined;
}

/** A work from an agency's API. Frozen. */
export interface AgencyWork {
  readonly csl: CslItem;
  readonly history: WorkHistory;
}

export interface Work {
  /** plain text, without the subtitle */
  readonly title: string | null;
  /** the title as HTML whose only elements are `i`, `b`, `sub` and `sup` */
  readonly titleHtml: string | null;
  /** plain text */
  readonly subtitle: string | null;
  /** the authors, or the editors if there are no authors */
  readonly creators: readonly Creator[];
  readonly issued: PartialDate | null;
  readonly containerTitle: string | null;
  readonly publisher: string | null;
  /** the agency's own word: `article-journal`, `journal-article`, `dataset`, … */
  readonly type: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly page: string | null;
  readonly language: string | null;
}

/** The title without its subtitle, the subtitle, and both together. Never throws. */
export function readTitles(csl: CslItem): Titles {
  return splitTitle(firstRead(csl, TITLES, readMarkedUpText), readMarkedUpText(csl['subtitle']));
}

export interface People {
  readonly authors: readonly Creator[];
  readonly editors: readonly Creator[];
}

export function readPeople(csl: CslItem): People {
  const budget = markupBudget();
  return { authors: readCreators(csl['author'], budget), editors: readCreators(csl['editor'], budget) };
}

export function madeBy({ authors, editors }: People): readonly Creator[] {
  return authors.length > 0 ? authors : editors;
}

/** Never throws. A member that cannot be read is null. `creators` are read at the first use, because they can be many. */
export function readWork(csl: CslItem, { main, subtitle }: Titles = readTitles(csl)): Work {
  let creators: readonly Creator[] | null = null;
  return {
    title: main?.text ?? null,
    titleHtml: main?.html ?? null,
    subtitle: subtitle?.text ?? null,
    get creators() {
      creators ??= madeBy(readPeople(csl));
      return creators;
    },
    issued: firstRead(csl, DATES, readPartialDate),
    containerTitle: readPlainText(csl['container-title']),
    publisher: readPlainText(csl['publisher']),
    type: readDetail(csl['type']),
    volume: readDetail(csl['volume']),
    issue: readDetail(csl['issue']),
    page: readDetail(csl['page']) ?? readDetail(csl['article-number']),
    language: readDetail(csl['language']),
  };
}

/** Crossref's `title` is sometimes an empty list. The first of these members with a text is used. */
const TITLES = ['title', 'original-title', 'title-short', 'short-title', 'shortTitle'];

/** Members that can have the date of publication. The first date with a year is used. */
const DATES = [
  'issued',
  'published',
  'published-print',
  'published-online',
  'published-other',
  'posted',
  'approved',
];

function firstRead<Value>(
  csl: CslItem,
  keys: readonly string[],
  read: (value: unknown) => Value | null,
): Value | null {
  for (const key of keys) {
    const value = read(csl[key]);
    if (value !== null) return value;
  }
  return null;
}

/** The plain text of a CSL field. For a list, the first text in the list. Null if there is no text. */
export function readPlainText(value: unknown): string | null {
  return readMarkedUpText(value)?.text ?? null;
}

/** The plain text of a field that is short in every real work, such as `volume`. */
function readDetail(value: unknown): string | null {
  return readMarkup(firstText(value) ?? '', WORK_LIMITS.detailCharacters).text || null;
}

/** The text of a CSL field with its markup; null if there is no text. */
export function readMarkedUpText(value: unknown): MarkedUpText | null {
  const read = readMarkup(firstText(value) ?? '');
  return read.text === '' ? null : read;
}

/** The keys of the text in an object that was converted from XML or from DataCite's metadata. */
const TEXT_KEYS = ['_', '#text', '__content__', '$', 'value', 'text', 'title', 'name', 'literal'];
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;
const MAX_ITEMS = 20;

/** The text of a string, number or object, or the first text of a list. Null if there is no text. */
function firstText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'object' || value === null || depth > 2) return null;
  for (const item of textsIn(value)) {
    const text = firstText(item, depth + 1);
    if (text !== null) return text;
  }
  return null;
}

/** `["A"]`, `{"_": "A", "lang": "en"}`, `{"en": "A", "ja": "あ"}` */
function textsIn(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
  const object = value as CslItem;
  const named = TEXT_KEYS.flatMap((key) => (Object.hasOwn(object, key) ? [object[key]] : []));
  if (named.length > 0) return named;
  const keys = Object.keys(object).slice(0, MAX_ITEMS);
  return keys.filter((key) => LANGUAGE.test(key)).map((key) => object[key]);
}
