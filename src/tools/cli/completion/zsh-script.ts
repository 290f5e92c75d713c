// The completion script for zsh. It calls `_arguments` for each command.

import type { Command } from '../command.ts';
import { type CompletedOption, operandChoices, optionsOf, takesFiles } from './completed-option.ts';

export function zshScript(commands: readonly Command[]): string {
  return `#compdef doi
# Completion of doi for zsh: made by \`doi completion zsh\`.
_doi() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  ((CURRENT--))
  case "$command" in
${commands.map(commandCase).join('\n')}
    help) _describe -t commands 'command' commands ;;
  esac
}
if [[ $funcstack[1] == _doi ]]; then _doi "$@"; else compdef _doi doi; fi
`;
}

function commandCase(command: Command): string {
  const choices = operandChoices(command);
  const operands = takesFiles(command)
    ? ["'*:file:_files'"]
    : choices.length > 0
      ? [`'1:operand:(${choices.join(' ')})'`]
      : [];
  const specs = [...optionsOf(command).flatMap(optionSpecs), ...operands];
  return `    ${command.name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(' ')} ;;`;
}

function optionSpecs({ long, short, meaning, value }: CompletedOption): string[] {
  const explained = `[${meaning.replace(/[[\]\\:]/g, '\\$&')}]`;
  const action = value === null ? '' : value === 'file' ? ':file:_files' : `:value:${listed(value)}`;
  const equals = value === null ? '' : '=';
  const forms = [`--${long}${equals}`, ...(short ? [`-${short}${value === null ? '' : '+'}`] : [])];
  return forms.map((form) => quoted(`*${form}${explained}${action}`));
}

function listed(value: 'any' | readonly string[]): string {
  return value === 'any' ? ' ' : `(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
