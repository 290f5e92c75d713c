// Reads one input after the other. One that cannot be read is reported, and costs the others nothing.

import { safeText } from '../safe-text.ts';
import type { CommandCall } from './command.ts';
import { findFiles } from './files/find-files.ts';
import { type Input, inputsOf, NoTextError, STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export interface InputsOptions
  extends Pick<CommandCall, 'operands' | 'stdin' | 'stderr' | 'signal' | 'environment'> {
  /** the name of the command */
  readonly command: string;
  readonly exclude: readonly string[];
  /** files of our own, such as the lock file */
  readonly leftOut?: readonly string[];
}

/** Whether all of them could be read. */
export async function eachInput(
  { command, operands, stdin, stderr, signal, environment, exclude, leftOut = [] }: InputsOptions,
  read: (input: Input) => Promise<void>,
): Promise<boolean> {
  if (operands.length === 0 && stdin.isTTY) {
    await stderr.write(`doi ${command}: reading from the terminal; Ctrl-D ends the text.\n`);
  }
  // Nothing comes from a terminal that somebody left.
  signal.addEventListener('abort', () => stdin.destroy(), { once: true });
  const notes: string[] = [];
  const onNoGit = (folder: string, reason: string) =>
    void notes.push(
      `${folder} is read without Git, which leaves out hidden files and node_modules alone: ${reason}.`,
    );
  const named = operands.length === 0 ? [STANDARD_INPUT] : operands;
  let isWhole = true;
  let noTexts = 0;
  for await (const file of findFiles(named, { exclude, leftOut, environment, signal, onNoGit })) {
    for (const note of notes.splice(0)) await stderr.write(`doi ${command}: ${safeText(note)}\n`);
    try {
      if ('error' in file) throw file.error;
      for (const input of inputsOf([file.name], stdin)) await read(input);
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      if (error instanceof NoTextError && 'isListed' in file && file.isListed) noTexts += 1;
      else {
        await stderr.write(`doi ${command}: ${safeText(`${file.name}: ${error.message}`)}\n`);
        isWhole = false;
      }
    }
    signal.throwIfAborted();
  }
  if (noTexts > 0) {
    const files =
      noTexts === 1
        ? '1 file of folders is no text and was'
        : `${noTexts} files of folders are no text and were`;
    await stderr.write(`doi ${command}: ${files} not read.\n`);
  }
  return isWhole;
}
