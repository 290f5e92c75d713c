// Parses the arguments of a command with its table of options.

import { parseArgs } from 'node:util';
import { type Command, type CommandCall, type OptionTable, UsageError } from './command.ts';
import { nearestOption } from './unknown-word.ts';

export interface ParsedArguments {
  readonly operands: readonly string[];
  readonly options: CommandCall['options'];
  readonly wantsHelp: boolean;
}

const HELP = { type: 'boolean', short: 'h' } as const;

/** Throws a UsageError for an unknown option, or a missing or wrong value. */
export function parseArguments({ name, options }: Command, args: readonly string[]): ParsedArguments {
  const { values, positionals } = parsed(name, options, args);
  const described = Object.entries(options).map(([option, { type, ...others }]) => {
    const value = values[option] ?? (type === 'flag' ? false : 'several' in others ? [] : undefined);
    if ('choices' in others && others.choices) checkChoices(option, [value].flat(), others.choices);
    return [option, value];
  });
  return {
    operands: positionals,
    options: Object.fromEntries(described) as CommandCall['options'],
    wantsHelp: values['help'] === true,
  };
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parsed(
  name: string,
  table: OptionTable,
  args: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } {
  const known = Object.entries(table).map(([option, { type, short, ...others }]) => [
    option,
    {
      type: type === 'flag' ? ('boolean' as const) : ('string' as const),
      multiple: 'several' in others,
      ...(short && { short }),
    },
  ]);
  try {
    return parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(known), help: HELP },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const isWrongCall =
      error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
    if (!isWrongCall) throw error;
    // Keeps the first sentence of Node's message. The other sentences explain operands that begin with "-".
    const [reason = ''] = error.message.split('. To specify');
    const meant = nearestOption(reason, [...Object.keys(table), 'help']);
    const hint = meant === null ? '' : ` Did you mean --${meant}?`;
    throw new UsageError(`${reason.replace(/\.?$/, '.')}${hint}\n\`doi ${name} --help\` lists all options.`);
  }
}

function checkChoices(option: string, values: readonly unknown[], choices: readonly string[]): void {
  const wrong = values.find((value) => value !== undefined && !choices.includes(`${value}`));
  if (wrong !== undefined) {
    throw new UsageError(`--${option} cannot be "${wrong}". Use one of ${choices.join(', ')}.`);
  }
}
