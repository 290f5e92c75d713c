// `doi bulk`: reads a file of names and writes a file with answers.

import { FIELDS, FieldsError } from '../bulk/fields.ts';
import { TableError } from '../bulk/table-error.ts';
import { BULK_OPTIONS } from './bulk/bulk-options.ts';
import { lookUpAll } from './bulk/look-up-all.ts';
import { defineCommand, UsageError } from './command.ts';
import { STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export const bulkCommand = defineCommand({
  name: 'bulk',
  summary: 'look up all DOI names of a CSV, TSV, JSON Lines or plain file',
  operands: '[FILE]',
  about: [
    'Reads FILE or standard input row by row, and writes each row with its answer, in the same order and with all of its columns. A row that cannot be read costs itself alone. The last column, error, is empty where all was answered; what could not be asked has its code there, and is never taken for absent.',
    `Fields that are computed from the name: ${listOf(false)}. Fields that ask the directory: ${listOf(true)}.`,
    'Ctrl-C writes what was answered. --resume goes on there, and repeats the rows that failed.',
  ],
  options: BULK_OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi bulk works.csv --live --column doi -o answers.csv',
      meaning: 'Ask the live DOI system; if it is broken off, the same with --resume.',
    },
    {
      command: 'doi bulk works.jsonl --fields name,exists,agency --gateway https://doi.example.org',
      meaning: 'Ask a running gateway; JSON Lines come out.',
    },
    { command: 'cut -f 3 table.tsv | doi bulk --fields name,problem,meant', meaning: 'Look at names alone.' },
  ],
  exitCodes: {
    0: 'All rows were asked for: what is absent is an answer.',
    1: 'Some rows cannot be read, or are no DOI names.',
    3: 'Some names could not be asked, or are not in the sample; this comes before 1.',
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
