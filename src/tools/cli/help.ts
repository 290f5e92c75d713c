// Writes the text of --help from the tables of the commands.

import type { Command, OptionTable } from './command.ts';

const WIDTH = 88;

export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    'doi: DOI names at the command line',
    '',
    'Usage: doi COMMAND [OPTIONS] …',
    '',
    'Commands:',
    ...table(rows),
    '',
    'Options:',
    ...table([
      ['-h, --help', 'Print this. `doi COMMAND --help` explains one command, with examples.'],
      ['-V, --version', 'Print the version.'],
    ]),
    '',
    ...wrapped(
      'Results go to standard output, in words or with --json as JSON Lines. Notes, progress and errors go to standard error. Only terminals get colours; NO_COLOR=1 turns them off. Without --live or --gateway, commands with look-ups use the configuration of the gateway: DOI_DIRECTORY_URL, or the bundled sample.',
    ),
    '',
  ].join('\n');
}

export function helpOfCommand(command: Command): string {
  const { name, summary, operands, about, options, examples, exitCodes } = command;
  return [
    `doi ${name}: ${summary}`,
    '',
    `Usage: ${['doi', name, '[OPTIONS]', operands].filter((word) => word !== '').join(' ')}`,
    ...about.flatMap((paragraph) => ['', ...wrapped(paragraph)]),
    '',
    'Options:',
    ...table([...optionRows(options), ['-h, --help', 'Print this.']]),
    '',
    'Examples:',
    ...examples.flatMap(({ command: typed, meaning }) => [`  ${typed}`, `      ${meaning}`]),
    '',
    'Exit codes:',
    ...table(Object.entries({ ...exitCodes, 2: 'The call is wrong, or a file cannot be read.' })),
    '',
  ].join('\n');
}

function optionRows(options: OptionTable): readonly (readonly [string, string])[] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : '';
    const value = option.type === 'value' ? ` ${option.placeholder}` : '';
    return [`${short}--${name}${value}`, option.meaning];
  });
}

/** Writes two columns, and wraps the second column. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) =>
    wrapped(right, WIDTH - width).map(
      (line, at) => `${at === 0 ? `  ${left}`.padEnd(width) : ' '.repeat(width)}${line}`,
    ),
  );
}

function wrapped(text: string, width = WIDTH): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
