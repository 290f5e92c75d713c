// What to say of a command or an option that does not exist, and what was probably meant.

import { stat } from 'node:fs/promises';
import { meantBy } from '../doi/find/meant.ts';
import { parseDoi } from '../doi/parse.ts';
import { UsageError } from './command.ts';
import { nearestWord } from './nearest-word.ts';

const LIST = '`doi --help` lists all commands.';

/** @param args all that was typed behind `doi` */
export async function unknownCommand(
  args: readonly string[],
  commands: readonly string[],
): Promise<UsageError> {
  const [typed = '', ...rest] = args;
  if (typed.startsWith('-')) return new UsageError(`There is no option ${typed}. ${LIST}`);
  const suggestion = await suggestionFor(typed, rest, commands);
  const hint = suggestion === null ? LIST : `Did you mean  ${suggestion}\n${LIST}`;
  return new UsageError(`There is no command "${typed}". ${hint}`);
}

async function suggestionFor(
  typed: string,
  rest: readonly string[],
  commands: readonly string[],
): Promise<string | null> {
  const parsed = parseDoi(typed);
  const isName = parsed.name !== null || parsed.problem?.looksLike != null || meantBy(parsed, 1).length > 0;
  if (isName) return callOf('show', [typed, ...rest]);
  const command = nearestWord(typed, commands);
  if (command !== null) return callOf(command, rest);
  const isFile = await stat(typed).then(
    () => true,
    () => false,
  );
  return isFile ? callOf('check', [typed, ...rest]) : null;
}

/** `doi show '10.1000/a(b)'`, as it can be typed into a shell. */
function callOf(command: string, operands: readonly string[]): string {
  return ['doi', command, ...operands.map(quotedForShell)].join(' ');
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
