// Adds missing fields to an entry of a BibTeX file.

import type { DoiName } from '../../../doi/name.ts';
import { parseDoi } from '../../../doi/parse.ts';
import { type BibtexEntry, type BibtexField, readBibtex } from './bibtex-entries.ts';
import { differs } from './field-difference.ts';

/** A row has the fields of bibtex, biblatex and JabRef for one fact. An entry with one field of a row needs no other. */
const SAME_FACT: readonly (readonly string[])[] = [
  ['journal', 'journaltitle', 'booktitle', 'howpublished'],
  ['publisher', 'institution', 'school', 'organization'],
  ['year', 'date'],
  ['month', 'date'],
  ['day', 'date'],
  ['address', 'location'],
  ['number', 'issue'],
  ['language', 'langid'],
];

/** An entry with one of these fields inherits fields from another entry. */
const INHERITING = ['crossref', 'xdata'];

export function inherits({ fields }: BibtexEntry): boolean {
  return fields.some(({ name }) => INHERITING.includes(name));
}

export type EntryDoi =
  | { readonly name: DoiName }
  /** the text of the field `doi`, if it is not a DOI name */
  | { readonly wrong: string };

/** Returns null if the entry has no DOI, or if a macro contains the DOI. */
export function doiOf(entry: BibtexEntry): EntryDoi | null {
  const doi = textOf(entry, 'doi');
  if (doi !== null && doi.trim() !== '') {
    const { name } = parseDoi(doi);
    return name === null ? { wrong: doi } : { name };
  }
  const url = textOf(entry, 'url');
  const { name, form } = parseDoi(url ?? '');
  return name !== null && form === 'URL' ? { name } : null;
}

/** Removes escapes of LaTeX, which are wrong in `doi` and `url`, but common. */
function textOf({ fields }: BibtexEntry, name: string): string | null {
  const content = fields.find((field) => field.name === name)?.content ?? null;
  return content?.replace(/\{\\([_%&#$])\}|\\([_%&#$])/g, '$1$2') ?? null;
}

export interface EntryCompletion {
  /** the offset at which `inserted` belongs */
  readonly at: number;
  /** the text of the missing fields; empty if no field is missing */
  readonly inserted: string;
  readonly added: readonly string[];
  readonly differences: readonly FieldDifference[];
}

export interface FieldDifference {
  readonly field: string;
  /** the value in the file */
  readonly here: string;
  /** the value of the agency */
  readonly there: string;
}

/** @param described the entry that the gateway wrote for the work */
export function completeEntry(text: string, entry: BibtexEntry, described: string): EntryCompletion {
  const agencyFields = readBibtex(described).entries[0]?.fields ?? [];
  const missing: BibtexField[] = [];
  const differences: FieldDifference[] = [];
  for (const field of agencyFields) {
    const ours = fieldFor(entry, field.name);
    if (ours === undefined) missing.push(field);
    else if (differs(ours, field)) {
      differences.push({ field: ours.name, here: ours.value, there: field.value });
    }
  }
  const style = styleOf(text, entry);
  const inserted = missing.map(({ name, value }) => `,${style.before}${style.named(name)}${value}`).join('');
  return { at: entry.fieldsEnd, inserted, added: missing.map(({ name }) => name), differences };
}

function fieldFor({ fields }: BibtexEntry, name: string): BibtexField | undefined {
  const names = [name, ...SAME_FACT.filter((row) => row.includes(name)).flat()];
  const found = names.map((wanted) => fields.find((field) => field.name === wanted));
  return found.find((field) => field !== undefined);
}

interface EntryStyle {
  /** the line end and the indentation of a field */
  readonly before: string;
  /** Writes the name of a field and the equals sign, with spaces as in the last field. */
  readonly named: (name: string) => string;
}

/** Returns the style of the last field in the entry. */
function styleOf(text: string, { start, fieldsEnd, fields }: BibtexEntry): EntryStyle {
  const last = fields.at(-1);
  const source = last ? text.slice(last.start, last.end - last.value.length) : '';
  const [, name = '', gap = ' ', gapAfter = ' '] = /^([^\s=]+)([ \t]*)=([ \t]*)$/.exec(source) ?? [];
  const indent = /[\r\n]([ \t]*)$/.exec(text.slice(start, last?.start))?.[1] ?? '  ';
  const lineEnd = text.slice(start, fieldsEnd + 2).includes('\r\n') ? '\r\n' : '\n';
  const width = gap.length > 1 ? name.length + gap.length : 0;
  return {
    before: lineEnd + indent,
    named: (field) =>
      `${width > field.length ? field.padEnd(width) : field + (gap === '' ? '' : ' ')}=${gapAfter}`,
  };
}
