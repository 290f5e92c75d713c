// The fields of --fields: their names, their GraphQL selections, and the cells that they write.

import { tombstoneAt } from '../../handle/tombstone.ts';
import { UPDATES, updatesText, workUpdates } from '../gateway-client/update-outcome.ts';
import type { DoiResponse, NameResponse } from './name-response.ts';

/** A list if the field can have several values. */
export type FieldValue = string | number | boolean | null | readonly string[];

export interface Field {
  readonly name: string;
  readonly meaning: string;
  /** whether the field needs a look-up */
  readonly isLookUp: boolean;
  /** `input`: a selection in the GraphQL type ParsedDOI. `doi`: a selection in its field `doi`. */
  readonly selection: { readonly input?: string; readonly doi?: string };
  read(name: NameResponse): FieldValue;
}

type TableRow = Omit<Field, 'name'>;

/** @param path the members that lead to the value, from the GraphQL type DOI or ParsedDOI */
function fieldAt(isLookUp: boolean, type: keyof Field['selection'], path: string, meaning: string): TableRow {
  const keys = path.split('.');
  const selection = keys.reduceRight((inner, key) => (inner === '' ? key : `${key} { ${inner} }`), '');
  return {
    isLookUp,
    meaning,
    selection: { [type]: selection },
    read: (name) => valueAt(type === 'doi' ? name.doi : name, keys, 0) as FieldValue,
  };
}

/** Returns null if a member is missing. A list gives the values of its items. */
function valueAt(part: unknown, keys: readonly string[], at: number): unknown {
  const key = keys[at];
  if (part === null || part === undefined || key === undefined) return part ?? null;
  if (Array.isArray(part)) return part.flatMap((item: unknown) => valueAt(item, keys, at) ?? []);
  return valueAt((part as Readonly<Record<string, unknown>>)[key], keys, at + 1);
}

const ofInput = (path: string, meaning: string) => fieldAt(false, 'input', path, meaning);
const computed = (path: string, meaning: string) => fieldAt(false, 'doi', path, meaning);
const lookedUp = (path: string, meaning: string) => fieldAt(true, 'doi', path, meaning);

/** A field whose value `text` writes. @param selection a selection in the GraphQL type DOI */
function lookedUpText(
  selection: string,
  meaning: string,
  text: (doi: DoiResponse) => string | null | undefined,
): TableRow {
  const read = ({ doi }: NameResponse) => (doi && text(doi)) ?? null;
  return { isLookUp: true, meaning, selection: { doi: selection }, read };
}

/** A cell has at most this many authors or other values, because spreadsheets cut long cells. */
const MAX_VALUES = 50;

const TABLE: Readonly<Record<string, TableRow>> = {
  name: computed('name', 'the DOI name'),
  canonicalName: computed('canonicalName', 'the spelling for comparing names'),
  url: computed('url', 'the link'),
  uri: computed('uri', 'the DOI Name URI'),
  urn: computed('urn', 'the URN'),
  display: computed('display', 'doi: and the name, for people'),
  prefix: computed('prefix', 'the part before the first slash'),
  suffix: computed('suffix', 'the part after the first slash'),
  warning: computed('warnings.code', 'codes of probable mistakes in the name'),
  repaired: computed('warnings.repaired.name', 'the name without these mistakes'),
  lookalike: computed('asciiLookalike', 'a name in ASCII that looks the same'),
  form: ofInput('form', 'the form in which the name is written'),
  problem: ofInput('problem.code', 'the code of the problem, if the input is no DOI name'),
  message: ofInput('problem.message', 'the problem in words'),
  looksLike: ofInput('problem.looksLike', 'the kind of the input: ISBN, HANDLE, …'),
  meant: ofInput('meant.doi.name', 'the names that were probably meant'),
  exists: lookedUp('exists', 'whether the name is registered'),
  status: lookedUp('record.status', 'the status of the handle record'),
  agency: lookedUp('registrationAgency.name', 'the agency that registered the name'),
  target: lookedUp('redirect.url', 'where the name leads'),
  tombstone: lookedUpText(
    'redirect { url }',
    'what the target says, if the content is gone',
    ({ redirect }) => redirect?.url && tombstoneAt(redirect.url)?.meaning,
  ),
  statusCode: lookedUp('redirect.statusCode', 'the HTTP status of the redirect'),
  chosenBy: lookedUp('redirect.chosenBy', 'how the target was chosen'),
  via: lookedUp('redirect.via', 'the handles that aliases led through'),
  alias: lookedUp('alias.handle', 'the target, if the name is an alias'),
  suggestion: lookedUp('suggestions.name', 'registered names that are close to an absent name'),
  title: lookedUp('metadata.title', 'the title of the work'),
  year: lookedUp('metadata.issued.year', 'the year of publication'),
  creators: lookedUpText(
    'metadata { creators { name } }',
    `the authors; at most ${MAX_VALUES}`,
    ({ metadata }) => valuesText(metadata?.creators?.map(({ name }) => name)),
  ),
  container: lookedUp('metadata.containerTitle', 'the journal or book'),
  kind: lookedUp('metadata.kind', 'the kind of the work: ARTICLE, DATASET, …'),
  abstract: lookedUpText('metadata { abstract }', 'the abstract, on one line', ({ metadata }) =>
    oneLine(metadata?.abstract),
  ),
  licenses: lookedUpText(
    'metadata { licenses { spdx url name } }',
    'the licences: SPDX identifiers, else addresses',
    ({ metadata }) =>
      valuesText(distinct(metadata?.licenses?.map(({ spdx, url, name }) => spdx ?? url ?? name))),
  ),
  funders: lookedUpText('metadata { funding { funder } }', 'the funders', ({ metadata }) =>
    valuesText(distinct(metadata?.funding?.map(({ funder }) => funder))),
  ),
  issn: lookedUp('metadata.issn', 'the ISSNs'),
  isbn: lookedUp('metadata.isbn', 'the ISBNs'),
  subjects: lookedUpText('metadata { subjects }', 'the subjects', ({ metadata }) =>
    valuesText(metadata?.subjects),
  ),
  affiliations: lookedUpText(
    'metadata { contributors { affiliations { name } } }',
    'the affiliations of all people',
    ({ metadata }) =>
      valuesText(
        distinct(metadata?.contributors?.flatMap(({ affiliations }) => affiliations.map(({ name }) => name))),
      ),
  ),
  citationCount: lookedUp('metadata.citationCount', 'how often it is cited, as its agency counts'),
  referenceCount: lookedUp('metadata.referenceCount', 'how many works it cites'),
  citation: lookedUpText('citation', 'a citation in the style APA', (doi) => oneLine(doi.citation)),
  bibtex: lookedUpText('bibtex', 'the BibTeX entry, on one line', (doi) => oneLine(doi.bibtex)),
  updates: lookedUpText(
    UPDATES,
    'updates of the work: retracted, corrected, none recorded',
    ({ updates }) => updates && updatesText(workUpdates(updates)),
  ),
};

/** Undefined if there is no list. */
function valuesText(values: readonly (string | null)[] | undefined): string | undefined {
  const given = values?.filter((value) => value !== null);
  if (given === undefined || given.length <= MAX_VALUES) return given?.join('; ');
  return [...given.slice(0, MAX_VALUES), 'et al.'].join('; ');
}

function distinct<Value>(values: readonly Value[] | undefined): readonly Value[] | undefined {
  return values && [...new Set(values)];
}

/** Removes line breaks, because many programs read each line as a row. */
function oneLine(text: string | null | undefined): string | undefined {
  return text?.trim().replace(/\s+/g, ' ');
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
  if (chosen.length === 0) throw new FieldsError(`No field is given. ${listOfFields()}`);
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index);
  if (twice) throw new FieldsError(`The field ${twice.name} is given twice.`);
  return chosen;
}

function fieldNamed(word: string): Field {
  const field = FIELDS.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (field) return field;
  throw new FieldsError(`There is no field ${JSON.stringify(word.slice(0, 60))}. ${listOfFields()}`);
}

function listOfFields(): string {
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
