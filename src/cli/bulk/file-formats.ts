// How the files of a call are laid out, by its options and by their names.

import { extname } from 'node:path';
import { ENCODINGS } from '../../bulk/encoding.ts';
import { FILE_FORMATS, type FileFormat, formatOfFile, INPUT_FORMATS } from '../../bulk/formats.ts';
import type { TableOptions } from '../../bulk/table.ts';
import type { TableShape } from '../../bulk/table-shape.ts';
import { UsageError } from '../command.ts';
import { type Input, inputsOf } from '../read-input.ts';
import type { BulkCall } from './bulk-options.ts';

/** Files that hold names within other text. */
const NO_TABLES: readonly string[] = ['.bib', '.ris', '.json'];

/** Throws a UsageError where there is not one file, or it is no table. */
export function inputOf({
  operands,
  options,
  stdin,
}: Pick<BulkCall, 'operands' | 'options' | 'stdin'>): Input {
  const [input, ...more] = inputsOf(operands, stdin);
  if (!input || more.length > 0) throw new UsageError('Give one file: each file needs a call.');
  const ending = extname(input.name).toLowerCase();
  if (NO_TABLES.includes(ending) && options.from === undefined) {
    throw new UsageError(
      `${input.name} is no table of names. To take the names out of it:  doi find --names ${input.name} | doi bulk\nFor JSON Lines or another table give --from.`,
    );
  }
  return input;
}

export function tableOptions({ options }: Pick<BulkCall, 'options'>, { name }: Input): TableOptions {
  return {
    format: INPUT_FORMATS.find((format) => format === options.from) ?? formatOfFile(name) ?? undefined,
    column: options.column,
    hasHeader: !options['no-header'],
    delimiter: delimiterOf(options.delimiter),
    encoding: ENCODINGS.find((encoding) => encoding === options.encoding),
  };
}

function delimiterOf(option: string | undefined): string | undefined {
  if (option === undefined) return undefined;
  if (/^(?:tab|\\t|\t)$/i.test(option)) return '\t';
  if (/^[^\w\s"]$/u.test(option)) return option;
  throw new UsageError('--delimiter is one character such as ; or |, or "tab".');
}

export function formatOut({ options }: Pick<BulkCall, 'options'>, { format }: TableShape): FileFormat {
  const said = FILE_FORMATS.find((known) => known === options.to);
  if (said !== undefined) return said;
  const usual = format === 'jsonl' ? 'jsonl' : 'csv';
  if (options.output === undefined || extname(options.output) === '') return usual;
  const found = FILE_FORMATS.find((known) => known === formatOfFile(options.output as string));
  if (found !== undefined) return found;
  throw new UsageError(
    `${options.output}: the ending ${extname(options.output)} is no format that can be written. Name the file .csv, .tsv or .jsonl, or give --to.`,
  );
}
