// `doi bulk`: reads a file of names and writes a file with answers.

import { FIELDS, FieldsError } from '../bulk/fields.ts';
import { TableError } from '../bulk/table-shape.ts';
import { BULK_OPTIONS } from './bulk/bulk-options.ts';
import { lookUpAll } from './bulk/look-up-all.ts';
import { defineCommand, UsageError } from './command.ts';
import { STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export const bulkCommand = defineCommand({
  name: 'bulk',
  summary: 'look up all DOI names of a CSV, TSV, JSON Lines or plain file',
  operands: '[FILE]',
  about: [
    'Reads FILE or standard input row by row, and writes each row with its answer, in the same order and with all of its columns. A row that cannot be read does not affect other rows. The last column, error, has an error code, or nothing if there is no error. If a look-up failed, the column has the code of the failure, and the name might exist.',
    `Fields that are computed from the name: ${listOf(false)}. Fields that need a look-up: ${listOf(true)}.`,
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
  ],
  exitCodes: {
    0: 'All rows have an answer. Absent is an answer.',
    1: 'Some rows cannot be read, or are no DOI names.',
    3: 'Some look-ups failed, or some names are not in the sample. This code has priority over 1.',
  },
  async run(call) {
    try {
      return await lookUpAll(call);
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
