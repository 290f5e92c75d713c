// `doi cite --complete`: adds missing fields to the entries of a BibTeX file. No byte of the file is lost.

import type { DoiName } from 'doi-names';
import { safeText } from '../../../safe-text.ts';
import {
  type BibtexEntry,
  type BibtexField,
  readBibtex,
} from '../../../works/reference-lists/bibtex-entries.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { type Citation, faultOf } from '../../gateway-client/look-up-works.ts';
import type { MatchReferences } from '../../gateway-client/match-references.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, POSITIVE_ANSWER } from '../command.ts';
import { countText } from '../output.ts';
import { doiOfEntry, type EntryNames, inherits, isUnnamed } from './entry-doi.ts';
import { differs } from './field-difference.ts';
import { matchEntries } from './match-entries.ts';

interface CompletionOptions {
  /** resolves with BibTeX entries in the order of the names */
  readonly lookUp: LookUp;
  /** whether to complete also an entry that describes another work than its DOI identifies */
  readonly force: boolean;
  /** finds the DOIs of entries without one. Default: they stay as they are. */
  readonly match?: MatchReferences | null;
}

export async function completeBibtex(file: string, text: string, options: CompletionOptions) {
  const { lookUp, force, match } = options;
  const { entries, unreadable, macros } = readBibtex(text);
  const unnamed = match ? entries.filter((entry) => isUnnamed(text, entry)) : [];
  const matches = match ? await matchEntries(unnamed, macros, match) : null;
  const completed = new Completion(file, text, force);
  for (const start of unreadable)
    completed.note(start, 'the entry cannot be read, so it is not changed.', NEGATIVE_ANSWER);
  const named = entries.flatMap((entry) => {
    const found = matches?.get(entry);
    if (found?.remark) completed.remark(entry, found.remark, found.exitCode);
    if (found?.name) return [{ entry, names: [found.name] as EntryNames }];
    const doi = doiOfEntry(text, entry);
    if (doi === null) completed.withoutDoi += 1;
    else if ('wrong' in doi)
      completed.remark(entry, `“${quoted(doi.wrong)}” is no DOI name.`, NEGATIVE_ANSWER);
    else if (inherits(entry))
      completed.remark(entry, 'it inherits fields, so it is not changed.', POSITIVE_ANSWER);
    else return [{ entry, names: doi.names }];
    return [];
  });
  const answers = await lookUpFirst(
    named.map(({ names }) => names),
    lookUp,
  );
  for (const [at, { entry }] of named.entries()) {
    const { name, answer } = answers[at] as NamedAnswer;
    completed.addAnswer(entry, name, answer);
  }
  return completed.end(countText(entries.length, 'entry', 'entries'));
}

type LookUp = (names: readonly DoiName[]) => Promise<readonly (Citation | Failure)[]>;

interface NamedAnswer {
  readonly name: DoiName;
  readonly answer: Citation | Failure;
}

/** For each list of names: looks up the first name. If it has no entry, looks up the others, and takes the first entry. */
async function lookUpFirst(lists: readonly EntryNames[], lookUp: LookUp): Promise<NamedAnswer[]> {
  if (lists.length === 0) return [];
  const firsts = await lookUp(lists.map(([name]) => name));
  const others = lists.map(([, ...names], at) => (hasEntry(firsts[at]) !== false ? [] : names));
  const all = others.flat();
  const answers = new Map(all.length === 0 ? [] : (await lookUp(all)).map((answer, at) => [all[at], answer]));
  return lists.map(([first], at) => {
    const better = others[at]?.find((name) => hasEntry(answers.get(name)) === true);
    const answer = better === undefined ? firsts[at] : answers.get(better);
    return { name: better ?? first, answer: answer as Citation | Failure };
  });
}

/** Null if the look-up failed. */
function hasEntry(answer: Citation | Failure | undefined): boolean | null {
  return answer === undefined || answer instanceof Failure ? null : answer.text !== null;
}

const LINE_END = /\r\n?|\n/;
const MAX_SHOWN = 200;

class Completion {
  withoutDoi = 0;
  readonly #file: string;
  readonly #text: string;
  readonly #force: boolean;
  readonly #notes: { readonly at: number; readonly text: string }[] = [];
  readonly #pieces: string[] = [];
  #written = 0;
  #entries = 0;
  #fields = 0;
  #differences = 0;
  #exitCode: number = POSITIVE_ANSWER;

  constructor(file: string, text: string, force: boolean) {
    this.#file = file;
    this.#text = text;
    this.#force = force;
  }

  /** The caller must call this in the order of the entries. */
  addAnswer(entry: BibtexEntry, name: DoiName, answer: Citation | Failure): void {
    const fault = faultOf(answer);
    if (fault !== null) {
      this.remark(entry, `${name}: ${fault}`, answer instanceof Failure ? LOOK_UP_FAILED : NEGATIVE_ANSWER);
    }
    if (answer instanceof Failure || answer.text === null) return;
    const fields = readBibtex(answer.text).entries[0]?.fields ?? [];
    if (!this.#force && isOtherWork(entry, fields)) {
      const title = fields.find((field) => field.name === 'title')?.value ?? '';
      this.remark(
        entry,
        `${name} identifies another work, ${quoted(title)}. Correct the DOI, or complete the entry with --force.`,
        NEGATIVE_ANSWER,
      );
      return;
    }
    const missing: BibtexField[] = [];
    for (const field of fields) {
      const ours = fieldFor(entry, field.name);
      if (ours === undefined) missing.push(field);
      else if (differs(entry.fields, ours, field)) {
        this.#differences += 1;
        const values = `${quoted(ours.value)}, but the agency has ${quoted(field.value)}`;
        this.remark(entry, `${ours.name} is ${values}`, POSITIVE_ANSWER);
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
      line += this.#text.slice(counted, at).split(LINE_END).length - 1;
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

function fieldFor({ fields }: BibtexEntry, name: string): BibtexField | undefined {
  const names = [name, ...SAME_FACT.filter((row) => row.includes(name)).flat()];
  return names.flatMap((wanted) => fields.find((field) => field.name === wanted) ?? [])[0];
}

/** The fields that distinguish works. Other fields of a work, such as its publisher, are often written in several ways. */
const IDENTIFYING = ['title', 'author', 'editor', 'year'];

/** Whether the title and all other identifying fields that both have differ. One different field can be a mistake. */
function isOtherWork(entry: BibtexEntry, theirs: readonly BibtexField[]): boolean {
  const compared = theirs.flatMap((field) => {
    const ours = IDENTIFYING.includes(field.name) ? fieldFor(entry, field.name) : undefined;
    return ours?.content == null ? [] : [{ name: field.name, differs: differs(entry.fields, ours, field) }];
  });
  const hasTitle = compared.some(({ name }) => name === 'title');
  return hasTitle && compared.length > 1 && compared.every((field) => field.differs);
}

/** Returns the style of the last field in the entry. */
function styleOf(text: string, { start, fieldsEnd, fields }: BibtexEntry) {
  const last = fields.at(-1);
  const source = last ? text.slice(last.start, last.end - last.value.length) : '';
  const [, name = '', gap = ' ', gapAfter = ' '] = /^([^\s=]+)([ \t]*)=([ \t]*)$/.exec(source) ?? [];
  const indent = /[\r\n]([ \t]*)$/.exec(text.slice(start, last?.start))?.[1] ?? '  ';
  const lineEnd = LINE_END.exec(text.slice(start, fieldsEnd + 2))?.[0] ?? '\n';
  const width = gap.length > 1 ? name.length + gap.length : 0;
  return {
    /** the line end and the indentation of a field */
    before: lineEnd + indent,
    /** Writes the name of a field and the equals sign, with spaces as in the last field. */
    assignment: (field: string) =>
      `${width > field.length ? field.padEnd(width) : field + (gap === '' ? '' : ' ')}=${gapAfter}`,
  };
}
