// For fish: a line for each command and each option.

import type { Command } from '../command.ts';
import { type CompletedOption, operandChoices, optionsOf, takesFiles } from './completed-option.ts';

export function fishScript(commands: readonly Command[]): string {
  return `# Completion of doi for fish: made by \`doi completion fish\`.
complete -c doi -f
complete -c doi -n __fish_use_subcommand -l help -s h -d 'Print help'
complete -c doi -n __fish_use_subcommand -l version -s V -d 'Print the version'
complete -c doi -n __fish_use_subcommand -a help -d 'Print help'
complete -c doi -n '__fish_seen_subcommand_from help' -a '${commands.map(({ name }) => name).join(' ')}'
${commands.map(linesOf).join('')}`;
}

function linesOf(command: Command): string {
  const { name, summary } = command;
  const begin = `complete -c doi -n '__fish_seen_subcommand_from ${name}'`;
  const choices = operandChoices(command);
  return [
    `complete -c doi -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(takesFiles(command) ? [`${begin} -F`] : []),
    ...(choices.length > 0 ? [`${begin} -a '${choices.join(' ')}'`] : []),
    ...optionsOf(command).map((option) => `${begin} ${optionTold(option)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function optionTold({ long, short, meaning, value }: CompletedOption): string {
  const names = short ? `-l ${long} -s ${short}` : `-l ${long}`;
  return `${names}${valueTold(value)} -d ${quoted(meaning)}`;
}

function valueTold(value: CompletedOption['value']): string {
  if (value === null) return '';
  if (value === 'file') return ' -r -F';
  return value === 'any' ? ' -x' : ` -x -a '${value.join(' ')}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
