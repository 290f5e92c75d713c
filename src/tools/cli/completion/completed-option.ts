// The completion scripts for bash and fish, and the options of commands for all completion scripts.

import type { Command } from '../command.ts';

export interface CompletedOption {
  readonly long: string;
  readonly short: string | null;
  readonly meaning: string;
  /** null if the option takes no value; a list of the possible values; or the kind of the value */
  readonly value: null | readonly string[] | 'file' | 'any';
}

export function optionsOf({ options }: Command): readonly CompletedOption[] {
  const ofCommand = Object.entries(options).map(([name, option]): CompletedOption => {
    const { short = null, meaning } = option;
    const value = option.type === 'flag' ? null : (option.choices ?? (option.isFile ? 'file' : 'any'));
    return { long: name, short, meaning: firstSentence(meaning), value };
  });
  return [...ofCommand, { long: 'help', short: 'h', meaning: 'Print help.', value: null }];
}

/** Whether the operands of the command name files. */
export function takesFiles({ operands }: Command): boolean {
  return operands.includes('FILE');
}

/** Example: `bash`, `zsh` and `fish` for a command with the operands `bash|zsh|fish`. */
export function operandChoices({ operands }: Command): readonly string[] {
  return operands.includes('|') ? operands.split('|') : [];
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}

/** The script is one function with a case for each command. */
export function bashScript(commands: readonly Command[]): string {
  return `# Completion of doi for bash: made by \`doi completion bash\`.
_doi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local options='' operands='' files=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$previous" in
${commands.flatMap((command) => optionsOf(command).flatMap((option) => valueCase(command, option))).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
    help) operands='${commands.map(({ name }) => name).join(' ')}' ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $files ]]; then
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$operands" -- "$current"))
  fi
}
complete -F _doi doi
`;
}

function commandCase(command: Command): string {
  const options = optionsOf(command).map(({ long }) => `--${long}`);
  const operands = operandChoices(command);
  const files = takesFiles(command) ? ' files=yes' : '';
  return `    ${command.name}) options='${options.join(' ')}' operands='${operands.join(' ')}'${files} ;;`;
}

function valueCase({ name }: Command, { long, short, value }: CompletedOption): string[] {
  if (value === null) return [];
  const pattern = [`${name}:--${long}`, ...(short ? [`${name}:-${short}`] : [])].join(' | ');
  return [`    ${pattern}) ${valueReply(value)}return ;;`];
}

function valueReply(value: Exclude<CompletedOption['value'], null>): string {
  if (value === 'any') return '';
  if (value === 'file') return 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); ';
  return `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$current")); `;
}

/** The script has a line for each command and each option. */
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
    ...optionsOf(command).map((option) => `${begin} ${optionArguments(option)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function optionArguments({ long, short, meaning, value }: CompletedOption): string {
  const names = short ? `-l ${long} -s ${short}` : `-l ${long}`;
  return `${names}${valueArguments(value)} -d ${quoted(meaning)}`;
}

function valueArguments(value: CompletedOption['value']): string {
  if (value === null) return '';
  if (value === 'file') return ' -r -F';
  return value === 'any' ? ' -x' : ` -x -a '${value.join(' ')}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
