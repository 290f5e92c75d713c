// `doi find`: the DOI names in files, with their places.

import { jsonLine, safeText } from '../../safe-text.ts';
import { defineCommand } from './command.ts';
import { FINE, OTHERWISE, USAGE } from './exit-codes.ts';
import { FILE_OPTIONS, FOLDERS } from './files/find-files.ts';
import { eachInput, type Reference, referencesIn } from './find-in-input.ts';

const WRITTEN_AT_ONCE = 16_384;

export const findCommand = defineCommand({
  name: 'find',
  summary: 'find the DOI names in files',
  operands: '[FILE|FOLDER…]',
  about: [
    'Reads text, HTML, Markdown, TeX, BibTeX, RIS, CSV or XML in UTF-8, of any size, and writes each DOI name as FILE:LINE:COLUMN: NAME. Without a FILE, or for -, it reads standard input. No directory of names is asked.',
    FOLDERS,
    'A name is written as it is meant: unencoded, without the address and the punctuation around it, joined where a line break divides it. Columns count UTF-16 units, from 1.',
  ],
  options: {
    ...FILE_OPTIONS,
    names: { type: 'flag', short: 'n', meaning: 'Write the names alone, one a line.' },
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object a line: {"file", "line", "column", "name", "text", "form", "repaired"}; "text" is what stands there.',
    },
  },
  examples: [
    { command: 'doi find thesis.tex references.bib', meaning: 'Where which names stand.' },
    { command: 'doi find --names thesis.tex | sort -uf', meaning: 'Each name once.' },
    { command: 'pdftotext paper.pdf - | doi find', meaning: 'The names in what another program writes.' },
  ],
  exitCodes: { 0: 'There are names.', 1: 'There is none.' },
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
    const isWhole = await eachInput({ ...call, command: 'find', exclude: options.exclude }, async (input) => {
      for await (const reference of referencesIn(input)) {
        lines += write(reference);
        count += 1;
        if (lines.length >= WRITTEN_AT_ONCE) await flush();
        signal.throwIfAborted();
      }
      await flush();
    });
    if (!isWhole) return USAGE;
    return count > 0 ? FINE : OTHERWISE;
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
