// `doi cite --complete`: adds missing fields to the entries of a BibTeX file. No byte of the file is lost.

import type { DoiName } from '../../../doi/name.ts';
import { safeText } from '../../../safe-text.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { type Citation, faultOf } from '../../gateway-client/look-up-works.ts';
import { countText } from '../check/check-outcome.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, SUCCESS } from '../exit-codes.ts';
import { type BibtexEntry, readBibtex } from './bibtex-entries.ts';
import { completeEntry, doiOf, type FieldDifference, inherits } from './complete-entry.ts';

export interface CompletedFile {
  readonly text: string;
  /** for standard error */
  readonly notes: readonly string[];
  readonly exitCode: number;
}

/** @param lookUp resolves with BibTeX entries in the order of the names */
export async function completeFile(
  file: string,
  text: string,
  lookUp: (names: readonly DoiName[]) => Promise<readonly (Citation | Failure)[]>,
): Promise<CompletedFile> {
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
  readonly #notes: { readonly at: number; readonly line: string }[] = [];
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
    const { at, inserted, added, differences } = completeEntry(this.#text, entry, answer.text);
    this.#pieces.push(this.#text.slice(this.#written, at), inserted);
    this.#written = at;
    this.#entries += Number(added.length > 0);
    this.#fields += added.length;
    this.#differences += differences.length;
    for (const difference of differences) this.remark(entry, differenceText(difference), SUCCESS);
  }

  remark(entry: BibtexEntry, text: string, exitCode: number): void {
    this.note(entry.start, `${entry.key}: ${text}`, exitCode);
  }

  note(at: number, text: string, exitCode: number): void {
    this.#notes.push({ at, line: text });
    this.#exitCode = Math.max(this.#exitCode, exitCode);
  }

  end(entries: string): CompletedFile {
    const notes = this.#notes.toSorted((a, b) => a.at - b.at);
    let [line, counted] = [1, 0];
    const lines = notes.map(({ at, line: text }) => {
      line += this.#text.slice(counted, at).split('\n').length - 1;
      counted = at;
      return safeText(`${this.#file}:${line}: ${text}`);
    });
    return {
      text: this.#pieces.join('') + this.#text.slice(this.#written),
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

function differenceText({ field, here, there }: FieldDifference): string {
  return `${field} is ${quoted(here)}, but the agency has ${quoted(there)}`;
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
