// The error for an unknown command or option, with the word that was probably meant.

import { stat } from 'node:fs/promises';
import { meantBy } from '../../doi/find/reference-around.ts';
import { parseDoi } from '../../doi/parse.ts';
import { editDistance } from '../../edit-distance.ts';
import { UsageError } from './command.ts';

/** With more typing errors, two words have little in common. */
const MOST_SLIPS = 2;

/** The most similar word; null if none is similar. */
function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > LONGEST) return null;
  let best: { readonly word: string; readonly slips: number } | null = null;
  for (const word of words) {
    const slips = editDistance(typed.toLowerCase(), word);
    if (slips <= MOST_SLIPS && slips < word.length - 1 && slips < (best?.slips ?? MOST_SLIPS + 1)) {
      best = { word, slips };
    }
  }
  return best?.word ?? null;
}

/** The option of a command that was probably meant; null if none is similar. */
export function nearestOption(message: string, options: readonly string[]): string | null {
  const typed = /^Unknown option '--([^'=]+)/.exec(message)?.[1];
  return typed === undefined ? null : nearestWord(typed, options);
}

/** No command or option is longer. */
const LONGEST = 40;

const LIST = '`doi --help` lists all commands.';

/** @param args everything behind `doi` */
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

/** `doi show '10.1000/a(b)'`, quoted for a shell. */
function callOf(command: string, operands: readonly string[]): string {
  return ['doi', command, ...operands.map(quotedForShell)].join(' ');
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
