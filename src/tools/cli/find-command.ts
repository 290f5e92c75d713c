// `doi find`: lists the DOI names in files with their positions.

import { jsonLine, safeText } from '../../safe-text.ts';
import { defineCommand, NEGATIVE_ANSWER, POSITIVE_ANSWER, WRONG_CALL } from './command.ts';
import { FILE_OPTIONS, FOLDERS_HELP } from './files/find-files.ts';
import { eachInput, type Reference, referencesIn } from './find-in-input.ts';

const FLUSH_CHARACTERS = 16_384;

export const findCommand = defineCommand({
  name: 'find',
  summary: 'find the DOI names in files',
  operands: '[FILE|FOLDER…]',
  about: [
    'Reads text, HTML, Markdown, TeX, BibTeX, RIS, CSV or XML in UTF-8, of any size, and writes each DOI name as FILE:LINE:COLUMN: NAME. Without a FILE, or for -, it reads standard input. The command makes no look-up.',
    FOLDERS_HELP,
    'The command writes the name alone: decoded, without the address of the resolver, and without punctuation around the name. If a line break divides a name, the command joins the parts. A column is a number of UTF-16 units, from 1.',
  ],
  options: {
    ...FILE_OPTIONS,
    names: { type: 'flag', short: 'n', meaning: 'Write only the names, one on each line.' },
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object on each line: {"file", "line", "column", "name", "text", "form", "repaired"}; "text" is the name as the file writes it.',
    },
  },
  examples: [
    { command: 'doi find thesis.tex references.bib', meaning: 'All names with their positions.' },
    { command: 'doi find --names thesis.tex | sort -uf', meaning: 'Each name once.' },
    { command: 'pdftotext paper.pdf - | doi find', meaning: 'The names in the output of another program.' },
  ],
  exitCodes: { 0: 'The files contain DOI names.', 1: 'The files contain no DOI name.' },
  async run(call) {
    const { options, stdout, signal } = call;
    let count = 0;
    let lines = '';
    const flush = async () => {
      const written = lines;
      lines = '';
      await stdout.write(written);
    };
    const write = options.json ? asJson : options.names ? nameAlone : inWords;
    const isComplete = await eachInput(
      { ...call, command: 'find', exclude: options.exclude, ownFiles: [] },
      async (input) => {
        for await (const reference of referencesIn(input)) {
          lines += write(reference);
          count += 1;
          if (lines.length >= FLUSH_CHARACTERS) await flush();
          signal.throwIfAborted();
        }
        await flush();
      },
    );
    if (!isComplete) return WRONG_CALL;
    return count > 0 ? POSITIVE_ANSWER : NEGATIVE_ANSWER;
  },
});

function inWords({ file, line, column, match }: Reference): string {
  return `${safeText(`${file}:${line}:${column}: ${match.name}`)}\n`;
}

function nameAlone({ match }: Reference): string {
  return `${safeText(match.name)}\n`;
}

function asJson({ file, line, column, match }: Reference): string {
  const { name, text, form, repaired } = match;
  return jsonLine({ file, line, column, name, text, form, repaired });
}
