// Parses the arguments of a command with its table of options. For an unknown command or option, the error suggests the word
// that the user probably meant.

import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { meantBy, parseDoi } from 'doi-names/parts';
import { editDistance } from '../../edit-distance.ts';
import { type Command, type CommandCall, type Flag, UsageError, type ValueOption } from './command.ts';
import { shellCommand } from './output.ts';

interface ParsedArguments {
  readonly operands: readonly string[];
  readonly options: CommandCall['options'];
  readonly wantsHelp: boolean;
}

const HELP = { type: 'boolean', short: 'h' } as const;

/** Throws a UsageError for an unknown option, or a missing or wrong value. */
export function parseArguments({ name, options: table }: Command, args: readonly string[]): ParsedArguments {
  const known = Object.entries(table).map(([option, row]) => [option, forNode(row)] as const);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(known), help: HELP },
      allowPositionals: true,
    });
    const { help, ...others } = values;
    const options: Readonly<Record<string, unknown>> = others;
    for (const [option, row] of Object.entries(table)) {
      if (row.type === 'value' && row.choices) checkChoices(option, [options[option]].flat(), row.choices);
    }
    return { operands: positionals, options: options as CommandCall['options'], wantsHelp: help === true };
  } catch (error) {
    const isWrongCall =
      error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
    if (!isWrongCall) throw error;
    // Keeps the first sentence of Node's message. The other sentences explain operands that begin with "-".
    const [reason = ''] = error.message.split('. To specify');
    const typed = /^Unknown option '--([^'=]+)/.exec(reason)?.[1];
    const meant = typed === undefined ? null : nearestWord(typed, [...Object.keys(table), 'help']);
    const hint = meant === null ? '' : ` Did you mean --${meant}?`;
    throw new UsageError(`${reason.replace(/\.?$/, '.')}${hint}\n\`doi ${name} --help\` lists all options.`);
  }
}

/** The option as `parseArgs` of Node describes it. */
function forNode(row: Flag | ValueOption) {
  const short = row.short && { short: row.short };
  if (row.type === 'flag') return { type: 'boolean', default: false, ...short } as const;
  const several = row.several && ({ multiple: true, default: [] as string[] } as const);
  return { type: 'string', ...several, ...short } as const;
}

function checkChoices(option: string, values: readonly unknown[], choices: readonly string[]): void {
  const wrong = values.find((value) => value !== undefined && !choices.includes(`${value}`));
  if (wrong !== undefined) {
    throw new UsageError(`--${option} cannot be "${wrong}". Use one of ${choices.join(', ')}.`);
  }
}

/** No command or option is longer. */
const MAX_WORD_CHARACTERS = 40;
/** Words with more typing errors are not similar. */
const MAX_ERRORS = 2;

function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > MAX_WORD_CHARACTERS) return null;
  const [nearest] = words
    .map((word) => ({ word, errors: editDistance(typed.toLowerCase(), word) }))
    .filter(({ word, errors }) => errors <= MAX_ERRORS && errors < word.length - 1)
    .sort((a, b) => a.errors - b.errors);
  return nearest?.word ?? null;
}

const LIST = '`doi --help` lists all commands.';

/** @param args all arguments of `doi` */
export async function unknownCommand(
  [typed = '', ...others]: readonly string[],
  commands: readonly string[],
): Promise<UsageError> {
  if (typed.startsWith('-')) return new UsageError(`There is no option ${typed}. ${LIST}`);
  const command = await commandFor(typed, commands);
  const hint = command === null ? LIST : `Did you mean  ${shellCommand(...command, ...others)}\n${LIST}`;
  return new UsageError(`There is no command "${typed}". ${hint}`);
}

async function commandFor(typed: string, commands: readonly string[]): Promise<readonly string[] | null> {
  const parsed = parseDoi(typed);
  const isName = parsed.name !== null || parsed.problem?.looksLike != null || meantBy(parsed, 1).length > 0;
  if (isName) return ['show', typed];
  const command = nearestWord(typed, commands);
  if (command !== null) return [command];
  return (await stat(typed).catch(() => null)) === null ? null : ['check', typed];
}
