// Finds the DOI names in the inputs of a command, with line and column as editors show them.

import { DoiFinder, type FoundDoi, type ReferenceEntry, UnnamedEntries } from 'doi-names/parts';
import { safeText } from '../../safe-text.ts';
import type { CommandCall } from './command.ts';
import { type FindFilesOptions, findFiles } from './files/find-files.ts';
import { countText } from './output.ts';
import { type Input, inputOf, NotTextError, STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export interface Reference {
  readonly file: string;
  /** the number of the line, from 1. A line feed ends a line; a return alone, if the text has returns only. */
  readonly line: number;
  /** the position of the first character in its line, from 1, in UTF-16 units */
  readonly column: number;
  readonly match: FoundDoi;
}

interface ReferencesOptions {
  /** whether to keep the words around each name; default: false */
  readonly withReferences?: boolean;
  /** called for each entry of a list of references that has no name; default: entries are not read */
  readonly onUnnamed?: (entry: ReferenceEntry) => void;
}

/** Yields the DOI names in the order of the text, in constant memory. Throws an UnreadableInputError. */
export async function* referencesIn(
  input: Input,
  { withReferences = false, onUnnamed }: ReferencesOptions = {},
): AsyncGenerator<Reference, void> {
  const entries = onUnnamed && new UnnamedEntries();
  const report = (until: number): void => {
    for (const entry of entries?.take(until) ?? []) onUnnamed?.(entry);
  };
  const finder = new DoiFinder({ withReferences, withPunctuation: true });
  const lines = new LineCounter();
  function* placed(matches: readonly FoundDoi[]): Generator<Reference, void> {
    for (const match of matches) {
      entries?.addName(match.start);
      yield { file: input.name, ...lines.positionOf(match.start), match };
    }
  }
  for await (const piece of input.pieces()) {
    lines.add(piece);
    entries?.add(piece);
    yield* placed(finder.add(piece));
    report(finder.foundUntil);
    lines.advanceTo(finder.earliestNext);
  }
  yield* placed(finder.end());
  entries?.end();
  report(Number.POSITIVE_INFINITY);
}

/** Converts offsets to lines and columns. The offsets must come in order. */
class LineCounter {
  #length = 0;
  #line = 1;
  #lineStart = 0;
  /** the offsets at which lines begin. `#line` already includes the first `#passed` lines of this list. */
  #lineStarts: number[] = [];
  #passed = 0;
  /** null: no line has ended yet */
  #lineEnd: '\n' | '\r' | null = null;
  #endsWithReturn = false;

  add(piece: string): void {
    this.#lineStarts = this.#lineStarts.slice(this.#passed);
    this.#passed = 0;
    if (this.#lineEnd === null) {
      const first = /\n|\r(?!\n|$)/.exec(piece)?.[0];
      const isAfterReturn = this.#endsWithReturn && piece !== '' && !piece.startsWith('\n');
      if (isAfterReturn) this.#lineStarts.push(this.#length);
      this.#lineEnd = isAfterReturn || first === '\r' ? '\r' : first === '\n' ? '\n' : null;
      if (piece !== '') this.#endsWithReturn = piece.endsWith('\r');
    }
    const lineEnd = this.#lineEnd ?? '\n';
    for (let at = piece.indexOf(lineEnd); at !== -1; at = piece.indexOf(lineEnd, at + 1)) {
      this.#lineStarts.push(this.#length + at + 1);
    }
    this.#length += piece.length;
  }

  /** Counts the lines before the offset. No later call can have a smaller offset. */
  advanceTo(offset: number): void {
    for (;;) {
      const next = this.#lineStarts[this.#passed];
      if (next === undefined || next > offset) return;
      this.#lineStart = next;
      this.#line += 1;
      this.#passed += 1;
    }
  }

  positionOf(offset: number): { readonly line: number; readonly column: number } {
    this.advanceTo(offset);
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }
}

interface InputsOptions
  extends Pick<CommandCall, 'operands' | 'stdin' | 'stderr'>,
    Omit<FindFilesOptions, 'onNoGit'> {
  /** the name of the command */
  readonly command: string;
}

/** Reads one input after the other, and reports each unreadable input. Resolves with false if an input was unreadable. */
export async function eachInput(
  { command, operands, stdin, stderr, ...options }: InputsOptions,
  read: (input: Input) => Promise<void>,
): Promise<boolean> {
  if (operands.length === 0 && stdin.isTTY) {
    await stderr.write(`doi ${command}: reading from the terminal; Ctrl-D ends the text.\n`);
  }
  const notes: string[] = [];
  const onNoGit = (folder: string, reason: string) =>
    void notes.push(
      `${folder} is read without Git (${reason}). So only hidden files and node_modules are skipped.`,
    );
  const givenNames = operands.length === 0 ? [STANDARD_INPUT] : operands;
  let isComplete = true;
  let notText = 0;
  for await (const file of findFiles(givenNames, { ...options, onNoGit })) {
    for (const note of notes.splice(0)) await stderr.write(`doi ${command}: ${safeText(note)}\n`);
    try {
      if (file.error) throw file.error;
      await read(inputOf(file.name, stdin));
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      if (error instanceof NotTextError && file.isListed) notText += 1;
      else {
        await stderr.write(`doi ${command}: ${safeText(`${file.name}: ${error.message}`)}\n`);
        isComplete = false;
      }
    }
    options.signal.throwIfAborted();
  }
  if (notText > 0) {
    const files = countText(notText, 'file that is not text', 'files that are not text');
    await stderr.write(`doi ${command}: skipped ${files}.\n`);
  }
  return isComplete;
}
