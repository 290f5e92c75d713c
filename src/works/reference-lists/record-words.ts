// Writes the fields of a BibTeX entry, or of a record of RIS, MEDLINE, EndNote or Web of Science, as a reference in words.

import { readTexLetters } from '../tex-letters.ts';
import type { BibtexEntry } from './bibtex-entries.ts';

type Fact =
  | 'authors'
  | 'year'
  | 'title'
  | 'subtitle'
  | 'container'
  | 'volume'
  | 'issue'
  | 'pages'
  | 'publisher'
  | 'doi';

/** The values of the fields in their order. */
type Facts = Partial<Record<Fact, readonly string[]>>;

const MAX_AUTHORS = 30;
const MAX_FIELD_CHARACTERS = 2_000;
const DOI = /10\.\d{4,9}(?:\/|%2f)\S{1,300}/i;

/** For each fact the fields that can have it, the best first. */
const BIBTEX_FIELDS: Readonly<Record<Fact, readonly string[]>> = {
  authors: ['author', 'editor', 'organization'],
  year: ['year', 'date'],
  title: ['title'],
  subtitle: ['subtitle'],
  container: ['journal', 'journaltitle', 'booktitle', 'maintitle', 'series', 'howpublished'],
  volume: ['volume'],
  issue: ['number', 'issue'],
  pages: ['pages', 'eid'],
  publisher: ['publisher', 'institution', 'school'],
  doi: ['doi', 'url'],
};

/** Tags of RIS, MEDLINE, EndNote and Web of Science. In MEDLINE, `IS` is an ISSN and `SO` the whole reference: they come later. */
const TAGS: Readonly<Record<Fact, readonly string[]>> = {
  authors: ['FAU', 'AU', 'A1', '%A', 'A2', 'ED', '%E'],
  year: ['PY', 'Y1', 'DP', '%D', 'DA'],
  title: ['TI', 'T1', '%T'],
  subtitle: [],
  container: ['JO', 'JT', 'SO', 'JF', 'T2', 'BT', 'TA', 'JA', '%J', '%B'],
  volume: ['VL', 'VI', '%V'],
  issue: ['IP', 'IS', '%N'],
  pages: ['SP', 'BP', 'PG', '%P', 'AR'],
  publisher: ['PB', '%I', 'PU'],
  doi: ['DO', 'DI', 'LID', 'AID', '%R', 'M3', 'L3', 'UR'],
};

/** `@string` macros by name in lower case. */
export type Macros = ReadonlyMap<string, string>;

/** Returns an empty text for an entry without a title. */
export function bibtexWords({ fields }: Pick<BibtexEntry, 'fields'>, macros: Macros = new Map()): string {
  const textOf = (name: string): string => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? '' : plain(field.content ?? expanded(field.value, macros));
  };
  const facts = factsFrom(BIBTEX_FIELDS, (name) => [textOf(name)]);
  const people = facts.authors?.[0]?.split(/\s+and\s+/i) ?? [];
  return inWords({ ...facts, authors: people });
}

/** Replaces the macros in values that `#` joins. */
function expanded(value: string, macros: Macros): string {
  if (!value.includes('#')) return macros.get(value.toLowerCase()) ?? '';
  return value
    .slice(0, MAX_FIELD_CHARACTERS)
    .replace(/["#]/g, ' ')
    .replace(/[\w:.-]{1,100}/g, (word) => macros.get(word.toLowerCase()) ?? word);
}

/** Keeps braces. */
function plain(value: string): string {
  return readTexLetters(value.slice(0, MAX_FIELD_CHARACTERS))
    .replace(/\\([&%#$_{}])/g, '$1')
    .replace(/\\[A-Za-z]{1,30}\s?/g, '')
    .replaceAll('~', ' ')
    .replace(/-{2,3}/g, '–');
}

const TAGGED = /^(?:([A-Z][A-Z0-9]{1,3}) {0,2}- ?|([A-Z][A-Z0-9]) |(%[A-Z0-9@]) )(.*)$/;

/** @param record as written. Returns an empty text for a record without a title. */
export function taggedWords(record: string): string {
  const values = new Map<string, string[]>();
  let last: string[] = [];
  let isList = false;
  for (const line of record.split(/\r\n?|\n/)) {
    const [, ris, webOfScience, endNote, value = ''] = TAGGED.exec(line) ?? [];
    const tag = ris ?? webOfScience ?? endNote;
    const text = (tag === undefined ? line : value).trim().slice(0, MAX_FIELD_CHARACTERS);
    if (tag !== undefined) {
      last = values.get(tag) ?? [];
      values.set(tag, last);
      isList = TAGS.authors.includes(tag);
      last.push(text);
    } else if (isList) last.push(text);
    else if (last.length > 0) last.push(`${last.pop()} ${text}`.slice(0, MAX_FIELD_CHARACTERS));
  }
  const facts = factsFrom(TAGS, (tag) => values.get(tag) ?? []);
  const end = values.get('EP')?.[0];
  const [begin] = facts.pages ?? [];
  return inWords({ ...facts, ...(begin && end && { pages: [`${begin}–${end}`] }) });
}

function factsFrom(table: typeof TAGS, valuesOf: (field: string) => readonly string[]): Facts {
  const facts: Facts = {};
  for (const [fact, fields] of Object.entries(table) as [Fact, readonly string[]][]) {
    const isWanted = (value: string): boolean => (fact === 'doi' ? DOI.test(value) : value.trim() !== '');
    const found = fields.map((field) => valuesOf(field).filter(isWanted)).find((values) => values.length > 0);
    if (found !== undefined) facts[fact] = found;
  }
  return facts;
}

/** Example: `Berger, A., Doe, J. (2012). Pumps. Journal of Pumps, 57(3), 978–991. https://doi.org/10.5555/pumps` */
function inWords({ authors = [], ...facts }: Facts): string {
  const [title = ''] = facts.title ?? [];
  if (!/\p{L}/u.test(title)) return '';
  const first = (fact: Exclude<Fact, 'authors'>): string => oneLine(facts[fact]?.[0] ?? '');
  const people = authors
    .slice(0, MAX_AUTHORS)
    .map((author) => (/^\{.*\}$/s.test(author) ? oneLine(author) : person(oneLine(author))))
    .filter(Boolean);
  const year = /\d{4}/.exec(first('year'))?.[0];
  const name = DOI.exec(first('doi'))?.[0];
  const issue = first('issue') === '' ? '' : `(${first('issue')})`;
  const place = [first('container'), `${first('volume')}${issue}`, first('pages')].filter(Boolean).join(', ');
  const sentences = [
    [people.join(', '), year && `(${year})`].filter(Boolean).join(' '),
    [oneLine(title), first('subtitle')].filter(Boolean).join(': '),
    place,
    first('publisher'),
  ];
  const words = sentences.filter(Boolean).map((sentence) => sentence.replace(/[.\s]+$/, ''));
  return [`${words.join('. ')}.`, name && `https://doi.org/${name.replace(/[}\s,;]+$/, '')}`]
    .filter(Boolean)
    .join(' ');
}

function oneLine(text: string): string {
  return text.replace(/[{}]/g, '').replace(/\s+/g, ' ').trim();
}

/** Writes `Ada Berger` and `Berger, Ada` as `Berger, A.`, and keeps `Berger A` and names of organizations. */
function person(name: string): string {
  if (/^others$/i.test(name)) return 'et al';
  const [family = '', ...givens] = name.split(',').map((part) => part.trim());
  if (givens.length > 0) return `${family}, ${initials(givens.at(-1) ?? '')}`;
  if (/ \p{Lu}{1,3}$/u.test(name)) return name;
  const words = name.split(' ');
  if (words.length < 2 || words.length > MAX_NAME_WORDS || /\d|\b(?:of|for|the|and|on)\b/i.test(name))
    return name;
  const particle = words.findIndex((word, at) => at > 0 && /^\p{Ll}/u.test(word));
  const at = particle === -1 ? words.length - 1 : particle;
  return `${words.slice(at).join(' ')}, ${initials(words.slice(0, at).join(' '))}`;
}

const MAX_NAME_WORDS = 6;

function initials(given: string): string {
  const letters = given.split(/[\s.-]+/).flatMap((word) => /^\p{L}/u.exec(word)?.[0] ?? []);
  return letters.map((letter) => `${letter}.`).join(' ');
}
