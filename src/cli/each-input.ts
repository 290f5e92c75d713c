// Reads one input after the other. One that cannot be read is told, and costs the others nothing.

import { safeText } from '../safe-text.ts';
import type { CommandCall } from './command.ts';
import { type Input, inputsOf, UnreadableInputError } from './read-input.ts';

type Streams = Pick<CommandCall, 'operands' | 'stdin' | 'stderr' | 'signal'>;

/** Whether all of them could be read. */
export async function eachInput(
  command: string,
  { operands, stdin, stderr, signal }: Streams,
  read: (input: Input) => Promise<void>,
): Promise<boolean> {
  const inputs = inputsOf(operands, stdin);
  if (operands.length === 0 && stdin.isTTY) {
    await stderr.write(`doi ${command}: reading from the terminal; Ctrl-D ends the text.\n`);
  }
  // Nothing comes from a terminal that somebody left.
  signal.addEventListener('abort', () => stdin.destroy(), { once: true });
  let isWhole = true;
  for (const input of inputs) {
    try {
      await read(input);
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      await stderr.write(`doi ${command}: ${safeText(`${input.name}: ${error.message}`)}\n`);
      isWhole = false;
    }
    signal.throwIfAborted();
  }
  return isWhole;
}
