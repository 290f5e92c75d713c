// The options of `doi bulk`.

import { DOI_FORMS } from '../../../doi/recognise.ts';
import { DEFAULT_FIELDS } from '../../bulk/fields.ts';
import { FILE_FORMATS, INPUT_FORMATS } from '../../bulk/formats.ts';
import { ENCODINGS } from '../../bulk/lines.ts';
import { type CommandCall, GATEWAY_OPTIONS } from '../command.ts';

export const BULK_OPTIONS = {
  column: {
    type: 'value',
    short: 'c',
    placeholder: 'NAME',
    meaning:
      'The column of the names: its name, its number from 1, or a key of JSON Lines. Else the only one, or "doi".',
  },
  fields: {
    type: 'value',
    short: 'f',
    placeholder: 'LIST',
    meaning: `What to write for each name, divided by commas; ${DEFAULT_FIELDS} unless it says. See above.`,
  },
  form: {
    type: 'value',
    placeholder: 'FORM',
    choices: DOI_FORMS,
    meaning: 'Read all names as this form: NAME for names as they were stored. Else the form is recognised.',
  },
  from: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: INPUT_FORMATS,
    meaning: 'The format of FILE. Else by its ending, or its first line.',
  },
  to: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: FILE_FORMATS,
    meaning: 'The format to write. Else by the ending of --output; for JSON Lines the same, else CSV.',
  },
  delimiter: {
    type: 'value',
    short: 'd',
    placeholder: 'CHARACTER',
    meaning: 'What divides the cells of FILE; "tab" for TSV. Else by a line sep=…, or the header: , ; or |.',
  },
  encoding: {
    type: 'value',
    placeholder: 'ENCODING',
    choices: ENCODINGS,
    meaning:
      'The encoding of FILE. Else UTF-8; rows that are not UTF-8 are read as Windows-1252 if their name is ASCII.',
  },
  'no-header': { type: 'flag', meaning: 'The first row of CSV or TSV is no header.' },
  output: {
    type: 'value',
    short: 'o',
    placeholder: 'FILE',
    isFile: true,
    meaning: 'Write to FILE, which must not be there yet, and not to standard output.',
  },
  resume: {
    type: 'flag',
    meaning:
      'Go on with --output: repeat the rows that failed, and go on where it ends. The same call, for the same input.',
  },
  dedupe: {
    type: 'flag',
    meaning: 'Ask for each distinct name once, in whatever case. Takes 40 bytes of memory a name.',
  },
  excel: { type: 'flag', meaning: "Put ' before cells that a spreadsheet would take for a formula." },
  prefix: { type: 'value', placeholder: 'TEXT', meaning: 'Put TEXT before the names of the new columns.' },
  ...GATEWAY_OPTIONS,
} as const;

export type BulkCall = CommandCall<typeof BULK_OPTIONS>;
