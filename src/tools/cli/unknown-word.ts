// The error for an unknown command or option. It suggests the word that the user probably meant.

import { stat } from 'node:fs/promises';
import { meantBy } from '../../doi/find/reference-around.ts';
import { parseDoi } from '../../doi/parse.ts';
import { editDistance } from '../../edit-distance.ts';
import { UsageError } from './command.ts';
import { shellCommand } from './output.ts';

/** Words with more typing errors are not similar. */
const MAX_ERRORS = 2;

function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > MAX_WORD_CHARACTERS) return null;
  let best: { readonly word: string; readonly errors: number } | null = null;
  for (const word of words) {
    const errors = editDistance(typed.toLowerCase(), word);
    if (errors <= MAX_ERRORS && errors < word.length - 1 && errors < (best?.errors ?? MAX_ERRORS + 1)) {
      best = { word, errors };
    }
  }
  return best?.word ?? null;
}

/** Returns null if no option is similar to the unknown option. @param message the message of an error of node:util */
export function nearestOption(message: string, options: readonly string[]): string | null {
  const typed = /^Unknown option '--([^'=]+)/.exec(message)?.[1];
  return typed === undefined ? null : nearestWord(typed, options);
}

/** All commands and options are shorter. */
const MAX_WORD_CHARACTERS = 40;

const LIST = '`doi --help` lists all commands.';

/** @param args all arguments of `doi` */
export async function unknownCommand(
  args: readonly string[],
  commands: readonly string[],
): Promise<UsageError> {
  const [typed = '', ...others] = args;
  if (typed.startsWith('-')) return new UsageError(`There is no option ${typed}. ${LIST}`);
  const suggestion = await suggestionFor(typed, others, commands);
  const hint = suggestion === null ? LIST : `Did you mean  ${suggestion}\n${LIST}`;
  return new UsageError(`There is no command "${typed}". ${hint}`);
}

async function suggestionFor(
  typed: string,
  others: readonly string[],
  commands: readonly string[],
): Promise<string | null> {
  const parsed = parseDoi(typed);
  const isName = parsed.name !== null || parsed.problem?.looksLike != null || meantBy(parsed, 1).length > 0;
  if (isName) return shellCommand('show', typed, ...others);
  const command = nearestWord(typed, commands);
  if (command !== null) return shellCommand(command, ...others);
  const isFile = await stat(typed).then(
    () => true,
    () => false,
  );
  return isFile ? shellCommand('check', typed, ...others) : null;
}
