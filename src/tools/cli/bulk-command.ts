// `doi bulk`: reads a file of names and writes a file with answers.

import { extname } from 'node:path';
import { createAnswerStore } from '../bulk/distinct-names.ts';
import { FIELDS, FieldsError } from '../bulk/fields.ts';
import { openTable, type TableOptions } from '../bulk/input-table.ts';
import { refuseOptionsForNames } from '../bulk/reference-columns.ts';
import { readResultFields } from '../bulk/reference-fields.ts';
import type { Row } from '../bulk/row.ts';
import { createRowWriter } from '../bulk/row-writer.ts';
import { splitRow } from '../bulk/several-names.ts';
import {
  FILE_FORMATS,
  type FileFormat,
  formatOfFile,
  readDelimiter,
  TableError,
  type TableShape,
} from '../bulk/table-shape.ts';
import { BULK_OPTIONS, type BulkCall } from './bulk/bulk-options.ts';
import { CHANGE_FIELDS, openChangesSince } from './bulk/changes-since.ts';
import { lookUpRows } from './bulk/look-up-rows.ts';
import { type OutputFile, openOutputFile } from './bulk/output-file.ts';
import { defineCommand, UsageError } from './command.ts';
import {
  type Input,
  inputOf,
  itemsUntilAborted,
  STANDARD_INPUT,
  UnreadableInputError,
} from './read-input.ts';

export const bulkCommand = defineCommand({
  name: 'bulk',
  summary: 'look up all DOI names of a CSV, TSV, JSON Lines or plain file',
  operands: '[FILE]',
  about: [
    'Reads FILE or standard input row by row, and writes each row with its answer, in the same order and with all of its columns. A row that cannot be read does not affect other rows. The last column, error, has an error code, or nothing if there is no error. If a look-up failed, the column has the code of the failure, and the name might exist.',
    `Fields that are computed from the name: ${listOf(false)}. Fields that need a look-up: ${listOf(true)}.`,
    'With --reference, the gateway searches for the work of each row. The column outcome is found, differs, several, not found or failed. The columns doi, agrees, differs and candidates and the --fields of the DOI follow. Not found does not mean that there is no such work. Failed: the search failed, and --resume repeats it.',
    'With --since, the column change is changed, new, gone or unknown, and changedFields names the fields. unknown: the look-up failed. A gone row has only its name. Inputs are compared as written. If OLD has an input several times, its last row without a failure counts.',
    'After Ctrl-C the command writes the answers that it has. --resume continues there, and repeats the rows that failed.',
  ],
  options: BULK_OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi bulk works.csv --live --column doi -o answers.csv',
      meaning: 'Use the live DOI system. If the run is interrupted, repeat the call with --resume.',
    },
    {
      command: 'doi bulk works.jsonl --fields name,exists,agency --gateway https://doi.example.org',
      meaning: 'Use a running gateway. The output is JSON Lines, because the input is JSON Lines.',
    },
    {
      command: 'cut -f 3 table.tsv | doi bulk --fields name,problem,meant',
      meaning: 'Find mistakes in names, without look-ups.',
    },
    {
      command: 'doi bulk list.csv --live --reference author,year,title,journal --fields url -o dois.csv',
      meaning: 'Find the DOIs of a table without DOIs.',
    },
    {
      command: 'doi bulk works.csv --since last-week.csv -o changes.csv --live',
      meaning: 'Write what changed since the result of last week.',
    },
  ],
  exitCodes: {
    0: 'All rows have an answer. Absent is an answer.',
    1: 'Some rows cannot be read, are no DOI names, or have several names.',
    3: 'Some look-ups failed, or some names are not in the sample. This code has priority over 1.',
  },
  async run(call) {
    try {
      return await bulk(call);
    } catch (error) {
      if (error instanceof UnreadableInputError)
        throw new UsageError(`${call.operands[0] ?? STANDARD_INPUT}: ${error.message}`, { cause: error });
      if (error instanceof TableError || error instanceof FieldsError)
        throw new UsageError(error.message, { cause: error });
      throw error;
    }
  },
});

function listOf(isLookUp: boolean): string {
  return FIELDS.filter((field) => field.isLookUp === isLookUp)
    .map(({ name }) => name)
    .join(', ');
}

/** Resolves with the exit code. Rejects with the signal's reason after the answers are written. */
async function bulk(call: BulkCall): Promise<number> {
  const { options, stderr, signal, wait } = call;
  const { excel, prefix, form } = options;
  if (options.resume && options.output === undefined) {
    throw new UsageError('--resume continues a file: name the file with --output.');
  }
  if (options.resume && options.since !== undefined) {
    throw new UsageError(
      '--since and --resume do not go together: a file of changes does not show where its run ended. Continue the whole result with --resume, or start again with --since and another --output.',
    );
  }
  const hasReferences = options.reference !== undefined;
  if (hasReferences) {
    const { column, dedupe, split } = options;
    refuseOptionsForNames({ column, form, dedupe, split, since: options.since });
  }
  const fields = readResultFields(options.fields, hasReferences);
  const input = tableInput(call);
  const table = await openTable(itemsUntilAborted(input.bytes(), signal), tableOptions(options, input));
  const format = formatOut(options, table.shape);
  const written = options.since === undefined ? fields : [...fields, ...CHANGE_FIELDS];
  const writer = createRowWriter(table.shape, written, { format, excel, prefix });
  const split = options.split ? (row: Row) => splitRow(row, table.shape) : undefined;
  const hasLookUps = fields.some((field) => field.isLookUp);
  const { send, isSample } = await call.gateway();
  if (isSample && hasLookUps) await stderr.write(SAMPLE_WARNING);
  const since =
    options.since === undefined
      ? null
      : await openChangesSince(options.since, call, { writer, fields, prefix, shape: table.shape });
  // The file is opened after all other checks, so that a wrong call creates no file.
  let file: OutputFile | null = null;
  const answerStore = options.dedupe && hasLookUps ? createAnswerStore(form ?? null) : null;
  try {
    if (options.output !== undefined) file = await openOutputFile(options.output, options.resume);
    const gateway = { send, form, isSample, wait };
    return await lookUpRows(call, {
      ...{ input, fields, hasReferences, table, writer, split, file, answerStore, gateway, since },
    });
  } finally {
    answerStore?.close();
    since?.close();
    await file?.close();
  }
}

const SAMPLE_WARNING =
  'The answers come from a sample or an embedded directory. A name that is not in this directory might still exist. To use the live DOI system:  CONTACT=you@example.org doi bulk --live …\n';

/** Files with these endings contain names within other text. */
const NO_TABLES: readonly string[] = ['.bib', '.ris', '.json'];

/** Throws a UsageError unless there is exactly one file, and it is a table. */
function tableInput({ operands, options, stdin }: BulkCall): Input {
  const [name = STANDARD_INPUT, ...more] = operands;
  if (more.length > 0) throw new UsageError('Give exactly one file.');
  if (NO_TABLES.includes(extname(name).toLowerCase()) && options.from === undefined) {
    throw new UsageError(
      `${name} is not a table of names. To find the names in it:  doi find --names ${name} | doi bulk\nIf it is JSON Lines or another table, give --from.`,
    );
  }
  return inputOf(name, stdin);
}

function tableOptions(options: BulkCall['options'], { name }: Input): TableOptions {
  return {
    format: options.from ?? formatOfFile(name) ?? undefined,
    column: options.column,
    reference: options.reference,
    hasHeader: !options['no-header'],
    delimiter: options.delimiter === undefined ? undefined : readDelimiter(options.delimiter),
    encoding: options.encoding,
  };
}

function formatOut({ to, output }: BulkCall['options'], { format }: TableShape): FileFormat {
  if (to !== undefined) return to;
  const byDefault = format === 'jsonl' ? 'jsonl' : 'csv';
  if (output === undefined || extname(output) === '') return byDefault;
  const ofFile = formatOfFile(output);
  const known = FILE_FORMATS.find((written) => written === ofFile);
  if (known !== undefined) return known;
  throw new UsageError(
    `${output}: doi bulk cannot write the format ${extname(output)}. Name the file .csv, .tsv or .jsonl, or give --to.`,
  );
}
