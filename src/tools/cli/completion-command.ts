// `doi completion`: prints a script with which a shell completes commands, options and values.

import { type Command, defineCommand, POSITIVE_ANSWER, UsageError } from './command.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'print a script that completes doi in a shell',
  operands: 'bash|zsh|fish',
  about: [
    'Prints a script for the given shell. The script completes commands, options, their values and files. It starts no process.',
  ],
  options: {},
  examples: [
    { command: 'doi completion bash > ~/.local/share/bash-completion/completions/doi', meaning: 'For bash.' },
    {
      command: 'doi completion zsh > ~/.zfunc/_doi',
      meaning: 'For zsh. Add ~/.zfunc to fpath before compinit.',
    },
    { command: 'doi completion fish > ~/.config/fish/completions/doi.fish', meaning: 'For fish.' },
  ],
  exitCodes: { 0: 'The script is printed.' },
  async run({ operands, stdout, commands }) {
    const [shell = '', ...more] = operands;
    const script = Object.hasOwn(SCRIPTS, shell) && more.length === 0 ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new UsageError('Name one shell: bash, zsh or fish.');
    await stdout.write(script(await commands()));
    return POSITIVE_ANSWER;
  },
});

interface CompletedOption {
  readonly long: string;
  readonly short: string | null;
  readonly meaning: string;
  /** null if the option takes no value; a list of the possible values; or the kind of the value */
  readonly value: null | readonly string[] | 'file' | 'any';
}

function optionsOf({ options }: Command): readonly CompletedOption[] {
  const ofCommand = Object.entries(options).map(([long, option]): CompletedOption => {
    const { short = null, meaning } = option;
    const value = option.type === 'flag' ? null : (option.choices ?? (option.isFile ? 'file' : 'any'));
    return { long, short, meaning: firstSentence(meaning), value };
  });
  return [...ofCommand, { long: 'help', short: 'h', meaning: 'Print help.', value: null }];
}

/** Whether the operands of the command name files. */
function takesFiles({ operands }: Command): boolean {
  return operands.includes('FILE');
}

/** Example: `bash`, `zsh` and `fish` for a command with the operands `bash|zsh|fish`. */
function operandChoices(command: Command): readonly string[] {
  const { operands } = command;
  return operands.includes('|') && !takesFiles(command) ? operands.split('|') : [];
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}

/** The script is one function with a case for each command. */
function bashScript(commands: readonly Command[]): string {
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
${commands.flatMap((command) => optionsOf(command).flatMap((option) => bashValueCase(command, option))).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(bashCase).join('\n')}
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

function bashCase(command: Command): string {
  const options = optionsOf(command).map(({ long }) => `--${long}`);
  const operands = operandChoices(command);
  const files = takesFiles(command) ? ' files=yes' : '';
  return `    ${command.name}) options='${options.join(' ')}' operands='${operands.join(' ')}'${files} ;;`;
}

function bashValueCase({ name }: Command, { long, short, value }: CompletedOption): string[] {
  if (value === null) return [];
  const pattern = [`${name}:--${long}`, ...(short ? [`${name}:-${short}`] : [])].join(' | ');
  const reply = value === 'file' ? 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); ' : '';
  const words = Array.isArray(value) ? `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$current")); ` : '';
  return [`    ${pattern}) ${reply}${words}return ;;`];
}

/** The script has a line for each command and each option. */
function fishScript(commands: readonly Command[]): string {
  return `# Completion of doi for fish: made by \`doi completion fish\`.
complete -c doi -f
complete -c doi -n __fish_use_subcommand -l help -s h -d 'Print help'
complete -c doi -n __fish_use_subcommand -l version -s V -d 'Print the version'
complete -c doi -n __fish_use_subcommand -a help -d 'Print help'
complete -c doi -n '__fish_seen_subcommand_from help' -a '${commands.map(({ name }) => name).join(' ')}'
${commands.map(fishLines).join('')}`;
}

function fishLines(command: Command): string {
  const { name, summary } = command;
  const begin = `complete -c doi -n '__fish_seen_subcommand_from ${name}'`;
  const choices = operandChoices(command);
  return [
    `complete -c doi -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ...(takesFiles(command) ? [`${begin} -F`] : []),
    ...(choices.length > 0 ? [`${begin} -a '${choices.join(' ')}'`] : []),
    ...optionsOf(command).map((option) => `${begin} ${fishOption(option)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function fishOption({ long, short, meaning, value }: CompletedOption): string {
  const names = short ? `-l ${long} -s ${short}` : `-l ${long}`;
  const kind = value === 'file' ? ' -r -F' : ' -x';
  const words = Array.isArray(value) ? ` -a '${value.join(' ')}'` : '';
  return `${names}${value === null ? '' : kind}${words} -d ${fishQuoted(meaning)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The script calls `_arguments` for each command. */
function zshScript(commands: readonly Command[]): string {
  return `#compdef doi
# Completion of doi for zsh: made by \`doi completion zsh\`.
_doi() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${zshQuoted(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  ((CURRENT--))
  case "$command" in
${commands.map(zshCase).join('\n')}
    help) _describe -t commands 'command' commands ;;
  esac
}
if [[ $funcstack[1] == _doi ]]; then _doi "$@"; else compdef _doi doi; fi
`;
}

function zshCase(command: Command): string {
  const specs = optionsOf(command).flatMap(zshOptions);
  const choices = operandChoices(command);
  if (takesFiles(command)) specs.push("'*:file:_files'");
  if (choices.length > 0) specs.push(`'1:operand:(${choices.join(' ')})'`);
  return `    ${command.name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(' ')} ;;`;
}

function zshOptions({ long, short, meaning, value }: CompletedOption): string[] {
  const explained = `[${meaning.replace(/[[\]\\:]/g, '\\$&')}]`;
  const [equals, plus] = value === null ? ['', ''] : ['=', '+'];
  const forms = [`--${long}${equals}`, ...(short ? [`-${short}${plus}`] : [])];
  return forms.map((form) => zshQuoted(`*${form}${explained}${zshValue(value)}`));
}

function zshValue(value: CompletedOption['value']): string {
  if (value === null) return '';
  if (value === 'file') return ':file:_files';
  return value === 'any' ? ':value: ' : `:value:(${value.join(' ')})`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
