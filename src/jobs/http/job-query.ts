// The parameters of POST /jobs.

import { GatewayError } from '../../errors.ts';
import type { HttpRequest } from '../../http/request/exchange.ts';
import type { TableOptions } from '../../tools/bulk/input-table.ts';
import { refuseOptionsForNames } from '../../tools/bulk/reference-columns.ts';
import { readResultFields } from '../../tools/bulk/reference-fields.ts';
import {
  ENCODINGS,
  INPUT_FORMATS,
  type InputFormat,
  OUTPUT_FORMATS,
  type OutputFormat,
  readDelimiter,
} from '../../tools/bulk/table-shape.ts';
import { storedFields } from '../answer-chunk.ts';
import type { JobTask } from '../store/job-store.ts';

interface JobQuery {
  readonly table: TableOptions;
  /** Null: CSV, or JSON Lines if the input is JSON Lines. */
  readonly output: OutputFormat | null;
  /** the name of the file without its ending; empty if the client sent no name */
  readonly name: string;
  readonly task: Pick<JobTask, 'fields' | 'excel' | 'prefix' | 'form' | 'split'>;
}

const PARAMETERS = [
  'column',
  'reference',
  'fields',
  'input',
  'delimiter',
  'encoding',
  'format',
  'excel',
  'header',
  'prefix',
  'form',
  'split',
  'name',
] as const;
type Parameter = (typeof PARAMETERS)[number];

const BY_CONTENT_TYPE: Readonly<Record<string, InputFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/jsonl': 'jsonl',
  'application/x-ndjson': 'jsonl',
  'application/x-jsonlines': 'jsonl',
};

const MAX_CHARACTERS = 200;
/** of a list: all fields together have 400 characters */
const MAX_LIST_CHARACTERS = 1_000;
const LISTS: readonly Parameter[] = ['fields', 'reference'];

/** Throws a GatewayError with the code BAD_USER_INPUT, a TableError, or a FieldsError. */
export function readJobQuery(request: Pick<HttpRequest, 'query' | 'header'>): JobQuery {
  const given = parametersOf(request.query);
  const delimiter = given.get('delimiter');
  const reference = given.get('reference');
  const hasReferences = reference !== undefined;
  const [column, form, split] = [given.get('column'), oneOf('form', FORMS, given), isYes('split', given)];
  if (hasReferences) refuseOptionsForNames({ column, form, split });
  const [type = ''] = (request.header('content-type') ?? '').split(';');
  return {
    table: {
      format: oneOf('input', INPUT_FORMATS, given) ?? BY_CONTENT_TYPE[type.trim().toLowerCase()],
      column,
      reference,
      delimiter: delimiter === undefined ? undefined : readDelimiter(delimiter),
      encoding: oneOf('encoding', ENCODINGS, given),
      hasHeader: oneOf('header', YES_NO, given) !== 'no',
    },
    name: baseName(given.get('name') ?? ''),
    output: oneOf('format', OUTPUT_FORMATS, given) ?? null,
    task: {
      fields: storedFields(readResultFields(given.get('fields'), hasReferences)),
      excel: isYes('excel', given),
      prefix: given.get('prefix') ?? '',
      split,
      form: form?.toUpperCase() ?? null,
    },
  };
}

/** Removes the folders and the ending of a file name. Replaces characters that some file systems reject. */
function baseName(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  return last
    .toWellFormed()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[\p{C}"*:<>?|;%]/gu, '_')
    .trim();
}

/** The values of the GraphQL enum DOIForm, in lower case. */
const FORMS = ['name', 'web_form', 'url', 'uri', 'urn', 'info_uri', 'handle_uri'] as const;

/** An empty value means yes. Example: `?excel`. */
const YES_NO = ['yes', 'no', ''] as const;

function isYes(name: Parameter, given: ReadonlyMap<Parameter, string>): boolean {
  return (oneOf(name, YES_NO, given) ?? 'no') !== 'no';
}

function parametersOf(query: string): ReadonlyMap<Parameter, string> {
  const given = new Map<Parameter, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const parameter = PARAMETERS.find((known) => known === name);
    if (parameter === undefined) {
      throw badInput(`There is no parameter ${excerpt(name)}. The parameters are ${PARAMETERS.join(', ')}.`);
    }
    const maxCharacters = LISTS.includes(parameter) ? MAX_LIST_CHARACTERS : MAX_CHARACTERS;
    if (value.length > maxCharacters) throw badInput(`The parameter ${name} is too long.`);
    given.set(parameter, value);
  }
  return given;
}

function oneOf<Word extends string>(
  name: Parameter,
  words: readonly Word[],
  given: ReadonlyMap<Parameter, string>,
): Word | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value.toLowerCase());
  if (word !== undefined) return word;
  const possible = words.filter((known) => known !== '').join(', ');
  throw badInput(`The parameter ${name} must be one of ${possible}, not ${excerpt(value)}.`);
}

function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function badInput(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message });
}
