// For bash: one function with a case for each command.

import type { Command } from '../command.ts';
import { type CompletedOption, operandChoices, optionsOf, takesFiles } from './completed-option.ts';

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
