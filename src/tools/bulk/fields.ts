// The fields of --fields: their names, their GraphQL selections, and the cells that they write.

import { UPDATES, updatesText, workUpdates } from '../gateway-client/work-updates.ts';
import type { DoiPart, ReadName } from './read-name.ts';

/** A list if the field can have several values. */
export type FieldValue = string | number | boolean | null | readonly string[];

export interface Field {
  readonly name: string;
  readonly meaning: string;
  /** whether the field needs a look-up */
  readonly isLookUp: boolean;
  /** `input`: a selection in the GraphQL type ParsedDOI. `doi`: a selection in its field `doi`. */
  readonly selection: { readonly input?: string; readonly doi?: string };
  read(name: ReadName): FieldValue;
}

type Read<Part> = (part: Part) => FieldValue | undefined;

function ofDoi(isLookUp: boolean) {
  return (meaning: string, doi: string, read: Read<DoiPart>) => ({
    isLookUp,
    meaning,
    selection: { doi },
    read: (name: ReadName) => (name.doi && read(name.doi)) ?? null,
  });
}

function ofInput(meaning: string, input: string, read: Read<ReadName>) {
  return {
    isLookUp: false,
    meaning,
    selection: { input },
    read: (name: ReadName) => read(name) ?? null,
  };
}

const computed = ofDoi(false);
const lookedUp = ofDoi(true);

/** Spreadsheets cut long cells. */
const MAX_CREATORS = 50;

const TABLE: Readonly<Record<string, Omit<Field, 'name'>>> = {
  name: computed('the DOI name', 'name', (doi) => doi.name),
  canonicalName: computed('the spelling for comparing names', 'canonicalName', (doi) => doi.canonicalName),
  url: computed('the link', 'url', (doi) => doi.url),
  uri: computed('the DOI Name URI', 'uri', (doi) => doi.uri),
  urn: computed('the URN', 'urn', (doi) => doi.urn),
  display: computed('doi: and the name, for people', 'display', (doi) => doi.display),
  prefix: computed('the part before the first slash', 'prefix', (doi) => doi.prefix),
  suffix: computed('the part after the first slash', 'suffix', (doi) => doi.suffix),
  warning: computed('codes of probable mistakes in the name', 'warnings { code }', ({ warnings }) =>
    warnings?.flatMap(({ code }) => code ?? []),
  ),
  repaired: computed('the name without these mistakes', 'warnings { repaired { name } }', ({ warnings }) =>
    warnings?.flatMap(({ repaired }) => repaired?.name ?? []),
  ),
  lookalike: computed('a name in ASCII that looks the same', 'asciiLookalike', (doi) => doi.asciiLookalike),
  form: ofInput('the form in which the name is written', 'form', ({ form }) => form),
  problem: ofInput(
    'the code of the problem, if the input is no DOI name',
    'problem { code }',
    ({ problem }) => problem?.code,
  ),
  message: ofInput('the problem in words', 'problem { message }', ({ problem }) => problem?.message),
  looksLike: ofInput(
    'the kind of the input: ISBN, HANDLE, …',
    'problem { looksLike }',
    ({ problem }) => problem?.looksLike,
  ),
  meant: ofInput('the names that were probably meant', 'meant { doi { name } }', ({ meant }) =>
    meant?.map(({ doi }) => doi.name),
  ),
  exists: lookedUp('whether the name is registered', 'exists', (doi) => doi.exists),
  status: lookedUp('the status of the handle record', 'record { status }', ({ record }) => record?.status),
  agency: lookedUp(
    'the agency that registered the name',
    'registrationAgency { name }',
    (doi) => doi.registrationAgency?.name,
  ),
  target: lookedUp('where the name leads', 'redirect { url }', ({ redirect }) => redirect?.url),
  statusCode: lookedUp(
    'the HTTP status of the redirect',
    'redirect { statusCode }',
    (doi) => doi.redirect?.statusCode,
  ),
  chosenBy: lookedUp(
    'how the target was chosen',
    'redirect { chosenBy }',
    ({ redirect }) => redirect?.chosenBy,
  ),
  via: lookedUp('the handles that aliases led through', 'redirect { via }', ({ redirect }) => redirect?.via),
  alias: lookedUp('the target, if the name is an alias', 'alias { handle }', ({ alias }) => alias?.handle),
  suggestion: lookedUp(
    'registered names that are close to an absent name',
    'suggestions { name }',
    ({ suggestions }) => suggestions?.map(({ name }) => name),
  ),
  title: lookedUp('the title of the work', 'metadata { title }', ({ metadata }) => metadata?.title),
  year: lookedUp(
    'the year of publication',
    'metadata { issued { year } }',
    ({ metadata }) => metadata?.issued?.year,
  ),
  creators: lookedUp(
    `the authors, separated by semicolons; at most ${MAX_CREATORS}`,
    'metadata { creators { name } }',
    ({ metadata }) => metadata?.creators && creatorsText(metadata.creators),
  ),
  container: lookedUp(
    'the journal or book',
    'metadata { containerTitle }',
    ({ metadata }) => metadata?.containerTitle,
  ),
  citation: lookedUp(
    'a citation in the style APA',
    'citation',
    ({ citation }) => citation && oneLine(citation),
  ),
  bibtex: lookedUp('the BibTeX entry, on one line', 'bibtex', ({ bibtex }) => bibtex && oneLine(bibtex)),
  updates: lookedUp(
    'updates of the work: retracted, corrected, none recorded',
    UPDATES,
    ({ updates }) => updates && updatesText(workUpdates(updates)),
  ),
};

function creatorsText(creators: readonly { readonly name: string }[]): string {
  const names = creators.slice(0, MAX_CREATORS).map(({ name }) => name);
  return [...names, ...(creators.length > MAX_CREATORS ? ['et al.'] : [])].join('; ');
}

/** Many programs read each line as a row. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

export const FIELDS: readonly Field[] = Object.entries(TABLE).map(([name, field]) => ({ name, ...field }));

export const DEFAULT_FIELDS = 'name,exists,url';

/** The name of the last column. It has an error code, or is empty. */
export const ERROR_COLUMN = 'error';

/** The list of fields is wrong. The message is for the user. */
export class FieldsError extends Error {
  override readonly name = 'FieldsError';
}

/** @param names separated by commas. Throws a FieldsError. */
export function readFields(names: string): readonly Field[] {
  const words = names.split(',').map((word) => word.trim());
  const chosen = words.filter((word) => word !== '').map(fieldNamed);
  if (chosen.length === 0) throw new FieldsError(`No field is given. ${listed()}`);
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index);
  if (twice) throw new FieldsError(`The field ${twice.name} is given twice.`);
  return chosen;
}

function fieldNamed(word: string): Field {
  const field = FIELDS.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (field) return field;
  throw new FieldsError(`There is no field ${JSON.stringify(word.slice(0, 60))}. ${listed()}`);
}

function listed(): string {
  return `The fields are ${FIELDS.map(({ name }) => name).join(', ')}.`;
}

/**
 * The operation for many names. Its variables are `inputs` and `form`.
 * @param isSample whether the directory is a sample. If so, an operation with look-ups also selects `exists`.
 */
export function queryOf(fields: readonly Field[], isSample = false): string {
  const input = fields.map(({ selection }) => selection.input ?? '').join(' ');
  const doi = fields.map(({ selection }) => selection.doi ?? '').join(' ');
  const selectsExists = isSample && fields.some(({ isLookUp }) => isLookUp);
  return `query Bulk($inputs: [String!]!, $form: DOIForm) { parseDois(inputs: $inputs, form: $form) { problem { code } ${input} doi { name ${doi}${selectsExists ? ' exists' : ''} } } }`;
}
