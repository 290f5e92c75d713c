// Completes an entry of a BibTeX file with the fields that it lacks.

import type { DoiName } from '../../../doi/name.ts';
import { parseDoi } from '../../../doi/parse.ts';
import { type BibtexEntry, type BibtexField, readBibtex } from './bibtex-entries.ts';
import { differs } from './field-difference.ts';

/** Fields of bibtex, biblatex and JabRef for the same. An entry with one of a row needs no other of it. */
const SAME: readonly (readonly string[])[] = [
  ['journal', 'journaltitle', 'booktitle', 'howpublished'],
  ['publisher', 'institution', 'school', 'organization'],
  ['year', 'date'],
  ['month', 'date'],
  ['day', 'date'],
  ['address', 'location'],
  ['number', 'issue'],
  ['language', 'langid'],
];

/** With these an entry takes fields from another one. */
const INHERITING = ['crossref', 'xdata'];

export function inherits({ fields }: BibtexEntry): boolean {
  return fields.some(({ name }) => INHERITING.includes(name));
}

export type EntryDoi =
  | { readonly name: DoiName }
  /** the field `doi` has another text */
  | { readonly wrong: string };

/** Null: the entry has no DOI, or a macro has it. */
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

/** Without the escapes of LaTeX, which have no place in these fields but are often there. */
function textOf({ fields }: BibtexEntry, name: string): string | null {
  const content = fields.find((field) => field.name === name)?.content ?? null;
  return content?.replace(/\{\\([_%&#$])\}|\\([_%&#$])/g, '$1$2') ?? null;
}

export interface EntryCompletion {
  /** where `inserted` belongs */
  readonly at: number;
  /** empty: the entry lacks nothing */
  readonly inserted: string;
  readonly added: readonly string[];
  readonly differences: readonly FieldDifference[];
}

export interface FieldDifference {
  readonly field: string;
  readonly here: string;
  /** the agency's */
  readonly there: string;
}

/** @param described the entry that the gateway writes of the work */
export function completeEntry(text: string, entry: BibtexEntry, described: string): EntryCompletion {
  const theirs = readBibtex(described).entries[0]?.fields ?? [];
  const missing: BibtexField[] = [];
  const differences: FieldDifference[] = [];
  for (const field of theirs) {
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
  const names = [name, ...SAME.filter((row) => row.includes(name)).flat()];
  const found = names.map((one) => fields.find((field) => field.name === one));
  return found.find((field) => field !== undefined);
}

interface EntryStyle {
  /** the line end and the indentation of a field */
  readonly before: string;
  /** a name and its equals sign */
  readonly named: (name: string) => string;
}

/** As the last field of the entry is written. */
function styleOf(text: string, { start, fieldsEnd, fields }: BibtexEntry): EntryStyle {
  const last = fields.at(-1);
  const source = last ? text.slice(last.start, last.end - last.value.length) : '';
  const [, name = '', gap = ' ', behind = ' '] = /^([^\s=]+)([ \t]*)=([ \t]*)$/.exec(source) ?? [];
  const indent = /[\r\n]([ \t]*)$/.exec(text.slice(start, last?.start))?.[1] ?? '  ';
  const lineEnd = text.slice(start, fieldsEnd + 2).includes('\r\n') ? '\r\n' : '\n';
  const width = gap.length > 1 ? name.length + gap.length : 0;
  return {
    before: lineEnd + indent,
    named: (field) =>
      `${width > field.length ? field.padEnd(width) : field + (gap === '' ? '' : ' ')}=${behind}`,
  };
}
