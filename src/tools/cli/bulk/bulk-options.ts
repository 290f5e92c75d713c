// The options of `doi bulk`.

import { DOI_FORMS } from 'doi-names/parts';
import { DEFAULT_FIELDS } from '../../bulk/fields.ts';
import { ENCODINGS, FILE_FORMATS, INPUT_FORMATS } from '../../bulk/table-shape.ts';
import { type CommandCall, GATEWAY_OPTIONS } from '../command.ts';

export const BULK_OPTIONS = {
  column: {
    type: 'value',
    short: 'c',
    placeholder: 'NAME',
    meaning:
      'The column of the names: its name, its number from 1, or a key of JSON Lines. Default: the only column, or "doi".',
  },
  reference: {
    type: 'value',
    placeholder: 'COLUMNS',
    meaning:
      'For a table without DOIs: the columns that together hold a reference, in this order, separated by commas. Without --fields, only the columns of the search are written. Not with --column, --form, --dedupe, --split or --since.',
  },
  fields: {
    type: 'value',
    short: 'f',
    placeholder: 'LIST',
    meaning: `The fields to write for each name, separated by commas. See above. Default: ${DEFAULT_FIELDS}.`,
  },
  form: {
    type: 'value',
    placeholder: 'FORM',
    choices: DOI_FORMS,
    meaning:
      'The form of all names. Write NAME if the names come from a database. Default: recognise the form of each name.',
  },
  from: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: INPUT_FORMATS,
    meaning: 'The format of FILE. Default: by its ending or its first line.',
  },
  to: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: FILE_FORMATS,
    meaning:
      'The format to write. Default: by the ending of --output. Without an ending: JSON Lines if FILE is JSON Lines, else CSV.',
  },
  delimiter: {
    type: 'value',
    short: 'd',
    placeholder: 'CHARACTER',
    meaning:
      'The character between the cells of FILE, or "tab" for TSV. Default: the character in a first line sep=…, or the character , ; or | in the header.',
  },
  encoding: {
    type: 'value',
    placeholder: 'ENCODING',
    choices: ENCODINGS,
    meaning:
      'The encoding of FILE. Default: UTF-8. If a row is not UTF-8 and its name is ASCII, the row is read as Windows-1252.',
  },
  'no-header': { type: 'flag', meaning: 'The first row of CSV or TSV is not a header.' },
  output: {
    type: 'value',
    short: 'o',
    placeholder: 'FILE',
    isFile: true,
    meaning: 'Write to FILE, which must not exist yet. Default: standard output.',
  },
  resume: {
    type: 'flag',
    meaning:
      'Continue the file of --output where it ends, and repeat the rows that failed. Give the same input and options.',
  },
  since: {
    type: 'value',
    placeholder: 'OLD',
    isFile: true,
    meaning:
      'Write only what changed since OLD, an earlier result with the same fields. See above. Needs 80 bytes of memory for each distinct input, and a temporary file for the answers of OLD. Not with --resume.',
  },
  dedupe: {
    type: 'flag',
    meaning:
      'Look up each distinct name once. Names that differ only in case are the same name. Needs 40 bytes of memory for each name.',
  },
  split: {
    type: 'flag',
    meaning:
      'Write a row for each name of a cell with several names, with the other cells repeated. Without it, such a row has the error SEVERAL_NAMES.',
  },
  excel: {
    type: 'flag',
    meaning:
      "Write a file for Excel: put ' before cells that Excel would run as a formula, and begin with a byte order mark.",
  },
  prefix: { type: 'value', placeholder: 'TEXT', meaning: 'Put TEXT before the names of the new columns.' },
  ...GATEWAY_OPTIONS,
} as const;

export type BulkCall = CommandCall<typeof BULK_OPTIONS>;
