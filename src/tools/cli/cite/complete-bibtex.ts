// `doi cite --complete`: adds missing fields to the entries of a BibTeX file. No byte of the file is lost.

import type { DoiName } from '../../../doi/name.ts';
import { parseDoi } from '../../../doi/parse.ts';
import { safeText } from '../../../safe-text.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { type Citation, faultOf } from '../../gateway-client/look-up-works.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, SUCCESS } from '../command.ts';
import { countText } from '../output.ts';
import { type BibtexEntry, type BibtexField, readBibtex } from './bibtex-entries.ts';
import { differs } from './field-difference.ts';

/** @param lookUp resolves with BibTeX entries in the order of the names */
export async function completeBibtex(
  file: string,
  text: string,
  lookUp: (names: readonly DoiName[]) => Promise<readonly (Citation | Failure)[]>,
) {
  const { entries, unreadable } = readBibtex(text);
  const completed = new Completion(file, text);
  for (const start of unreadable)
    completed.note(start, 'the entry cannot be read, so it is not changed.', NEGATIVE_ANSWER);
  const named = entries.flatMap((entry) => {
    const doi = doiOf(entry);
    if (doi === null) completed.withoutDoi += 1;
    else if ('wrong' in doi)
      completed.remark(entry, `“${quoted(doi.wrong)}” is no DOI name.`, NEGATIVE_ANSWER);
    else if (inherits(entry)) completed.remark(entry, 'it inherits fields, so it is not changed.', SUCCESS);
    else return [{ entry, name: doi.name }];
    return [];
  });
  const answers = named.length === 0 ? [] : await lookUp(named.map(({ name }) => name));
  for (const [at, { entry, name }] of named.entries())
    completed.addAnswer(entry, name, answers[at] as Citation | Failure);
  return completed.end(countText(entries.length, 'entry', 'entries'));
}

const MAX_SHOWN = 200;

class Completion {
  withoutDoi = 0;
  readonly #file: string;
  readonly #text: string;
  readonly #notes: { readonly at: number; readonly text: string }[] = [];
  readonly #pieces: string[] = [];
  #written = 0;
  #entries = 0;
  #fields = 0;
  #differences = 0;
  #exitCode: number = SUCCESS;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** The caller must call this in the order of the entries. */
  addAnswer(entry: BibtexEntry, name: DoiName, answer: Citation | Failure): void {
    const fault = faultOf(answer);
    if (fault !== null) {
      this.remark(entry, `${name}: ${fault}`, answer instanceof Failure ? LOOK_UP_FAILED : NEGATIVE_ANSWER);
    }
    if (answer instanceof Failure || answer.text === null) return;
    const missing: BibtexField[] = [];
    for (const field of readBibtex(answer.text).entries[0]?.fields ?? []) {
      const ours = fieldFor(entry, field.name);
      if (ours === undefined) missing.push(field);
      else if (differs(entry.fields, ours, field)) {
        this.#differences += 1;
        const values = `${quoted(ours.value)}, but the agency has ${quoted(field.value)}`;
        this.remark(entry, `${ours.name} is ${values}`, SUCCESS);
      }
    }
    const { before, assignment } = styleOf(this.#text, entry);
    const inserted = missing.map(({ name, value }) => `,${before}${assignment(name)}${value}`);
    this.#pieces.push(this.#text.slice(this.#written, entry.fieldsEnd), ...inserted);
    this.#written = entry.fieldsEnd;
    this.#entries += Number(missing.length > 0);
    this.#fields += missing.length;
  }

  remark(entry: BibtexEntry, text: string, exitCode: number): void {
    this.note(entry.start, `${entry.key}: ${text}`, exitCode);
  }

  note(at: number, text: string, exitCode: number): void {
    this.#notes.push({ at, text });
    this.#exitCode = Math.max(this.#exitCode, exitCode);
  }

  end(entries: string) {
    const notes = this.#notes.toSorted((a, b) => a.at - b.at);
    let [line, counted] = [1, 0];
    const lines = notes.map(({ at, text }) => {
      line += this.#text.slice(counted, at).split('\n').length - 1;
      counted = at;
      return safeText(`${this.#file}:${line}: ${text}`);
    });
    return {
      text: this.#pieces.join('') + this.#text.slice(this.#written),
      /** for standard error */
      notes: [...lines, this.#summary(entries)],
      exitCode: this.#exitCode,
    };
  }

  #summary(entries: string): string {
    const fields = countText(this.#fields, 'field', 'fields');
    const differences = countText(this.#differences, 'difference', 'differences');
    return `${entries}: ${this.#entries} completed with ${fields}, ${this.withoutDoi} without a DOI; ${differences}`;
  }
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** Fields of bibtex, biblatex and JabRef for one fact. An entry with one field of a row needs no other field of this row. */
const SAME_FACT: readonly (readonly string[])[] = [
  ['journal', 'journaltitle', 'booktitle', 'howpublished'],
  ['publisher', 'institution', 'school', 'organization'],
  ['year', 'date'],
  ['month', 'date'],
  ['day', 'date'],
  ['address', 'location'],
  ['number', 'issue'],
  ['language', 'langid'],
  ['pages', 'eid'],
];

/** Whether the entry inherits fields from another entry. */
function inherits({ fields }: BibtexEntry): boolean {
  return fields.some(({ name }) => name === 'crossref' || name === 'xdata');
}

/** Returns null if the entry has no DOI, or if a macro contains the DOI. `wrong`: a field `doi` that is not a DOI name. */
function doiOf(entry: BibtexEntry): { readonly name: DoiName } | { readonly wrong: string } | null {
  const doi = textOf(entry, 'doi');
  if (doi !== null && doi.trim() !== '') {
    const { name } = parseDoi(doi);
    return name === null ? { wrong: doi } : { name };
  }
  const url = textOf(entry, 'url');
  const { name, form } = parseDoi(url ?? '');
  return name !== null && form === 'URL' ? { name } : null;
}

/** Returns the content of a field without escapes of LaTeX, which are common in `doi` and `url`, but wrong. */
function textOf({ fields }: BibtexEntry, name: string): string | null {
  const content = fields.find((field) => field.name === name)?.content ?? null;
  return content?.replace(/\{\\([_%&#$])\}|\\([_%&#$])/g, '$1$2') ?? null;
}

function fieldFor({ fields }: BibtexEntry, name: string): BibtexField | undefined {
  const names = [name, ...SAME_FACT.filter((row) => row.includes(name)).flat()];
  return names.flatMap((wanted) => fields.find((field) => field.name === wanted) ?? [])[0];
}

/** Returns the style of the last field in the entry. */
function styleOf(text: string, { start, fieldsEnd, fields }: BibtexEntry) {
  const last = fields.at(-1);
  const source = last ? text.slice(last.start, last.end - last.value.length) : '';
  const [, name = '', gap = ' ', gapAfter = ' '] = /^([^\s=]+)([ \t]*)=([ \t]*)$/.exec(source) ?? [];
  const indent = /[\r\n]([ \t]*)$/.exec(text.slice(start, last?.start))?.[1] ?? '  ';
  const lineEnd = text.slice(start, fieldsEnd + 2).includes('\r\n') ? '\r\n' : '\n';
  const width = gap.length > 1 ? name.length + gap.length : 0;
  return {
    /** the line end and the indentation of a field */
    before: lineEnd + indent,
    /** Writes the name of a field and the equals sign, with spaces as in the last field. */
    assignment: (field: string) =>
      `${width > field.length ? field.padEnd(width) : field + (gap === '' ? '' : ' ')}=${gapAfter}`,
  };
}
