// The fields of --fields: their names, their GraphQL selections, and their cells.

import { z } from 'zod';
import { UPDATE_KINDS, UPDATE_OUTCOMES } from '../../metadata/updates.ts';
import { UPDATES, type UpdatesFields, updatesText, workUpdates } from '../gateway-client/work-updates.ts';

/** `string[]` if there may be several values */
export type FieldValue = string | number | boolean | null | readonly string[];

const NamePart = z.object({ name: z.string() });

const UpdatesPart: z.ZodType<UpdatesFields> = z.object({
  outcome: z.enum(UPDATE_OUTCOMES),
  source: z.string(),
  notices: z.array(
    z.object({
      kind: z.enum(UPDATE_KINDS),
      date: z.object({ text: z.string() }).nullable(),
      doi: z.object({ url: z.string() }).nullable(),
      sources: z.array(z.string()),
    }),
  ),
});

/** A member is also null if its field failed. */
const DoiPart = z
  .object({
    canonicalName: z.string(),
    uri: z.string(),
    url: z.string(),
    urn: z.string(),
    display: z.string(),
    prefix: z.string(),
    suffix: z.string(),
    asciiLookalike: z.string().nullable(),
    warnings: z.array(z.object({ code: z.string(), repaired: NamePart.nullable() }).partial()),
    exists: z.boolean().nullable(),
    record: z.object({ status: z.string() }).nullable(),
    registrationAgency: z.object({ name: z.string() }).nullable(),
    redirect: z
      .object({
        url: z.string().nullable(),
        statusCode: z.int().nullable(),
        chosenBy: z.string(),
        via: z.array(z.string()),
      })
      .partial()
      .nullable(),
    alias: z.object({ handle: z.string() }).nullable(),
    suggestions: z.array(NamePart).nullable(),
    metadata: z
      .object({
        title: z.string().nullable(),
        creators: z.array(NamePart),
        issued: z.object({ year: z.int() }).nullable(),
        containerTitle: z.string().nullable(),
      })
      .partial()
      .nullable(),
    citation: z.string().nullable(),
    bibtex: z.string().nullable(),
    updates: UpdatesPart.nullable(),
  })
  .partial()
  .extend(NamePart.shape);
type DoiPart = z.infer<typeof DoiPart>;

/** The requested part of a ParsedDOI. */
export const ReadName = z.object({
  form: z.string().nullish(),
  problem: z
    .object({ code: z.string(), message: z.string().optional(), looksLike: z.string().nullish() })
    .nullable(),
  meant: z.array(z.object({ doi: NamePart })).optional(),
  doi: DoiPart.nullable(),
});
export type ReadName = z.infer<typeof ReadName>;

export interface Field {
  readonly name: string;
  readonly meaning: string;
  /** it needs a look-up */
  readonly isLookUp: boolean;
  /** the selection in a ParsedDOI, and in its `doi` */
  readonly selection: { readonly input?: string; readonly doi?: string };
  read(name: ReadName): FieldValue;
}

type Read<Part> = (part: Part) => FieldValue | undefined;

function ofDoi(isLookUp: boolean, meaning: string, doi: string, read: Read<DoiPart>) {
  return {
    isLookUp,
    meaning,
    selection: { doi },
    read: (name: ReadName) => (name.doi && read(name.doi)) ?? null,
  };
}

function ofInput(meaning: string, input: string, read: Read<ReadName>) {
  return {
    isLookUp: false,
    meaning,
    selection: { input },
    read: (name: ReadName) => read(name) ?? null,
  };
}

const computed = (meaning: string, doi: string, read: Read<DoiPart>) => ofDoi(false, meaning, doi, read);
const lookedUp = (meaning: string, doi: string, read: Read<DoiPart>) => ofDoi(true, meaning, doi, read);

/** Spreadsheets cut long cells. */
const MOST_CREATORS = 50;

const TABLE: Readonly<Record<string, Omit<Field, 'name'>>> = {
  name: computed('the DOI name', 'name', (doi) => doi.name),
  canonicalName: computed('the spelling to compare by', 'canonicalName', (doi) => doi.canonicalName),
  url: computed('the link', 'url', (doi) => doi.url),
  uri: computed('the DOI Name URI', 'uri', (doi) => doi.uri),
  urn: computed('the URN', 'urn', (doi) => doi.urn),
  display: computed('for people: doi: and the name', 'display', (doi) => doi.display),
  prefix: computed('what stands before the first slash', 'prefix', (doi) => doi.prefix),
  suffix: computed('what stands behind it', 'suffix', (doi) => doi.suffix),
  warning: computed('what is likely to be wrong with the name: codes', 'warnings { code }', ({ warnings }) =>
    warnings?.flatMap(({ code }) => code ?? []),
  ),
  repaired: computed('the name without that', 'warnings { repaired { name } }', ({ warnings }) =>
    warnings?.flatMap(({ repaired }) => repaired?.name ?? []),
  ),
  lookalike: computed('the name in ASCII that it looks like', 'asciiLookalike', (doi) => doi.asciiLookalike),
  form: ofInput('the form in which the name is written', 'form', ({ form }) => form),
  problem: ofInput(
    'why the input is no DOI name: a code',
    'problem { code }',
    ({ problem }) => problem?.code,
  ),
  message: ofInput('the same in words', 'problem { message }', ({ problem }) => problem?.message),
  looksLike: ofInput('what it is instead', 'problem { looksLike }', ({ problem }) => problem?.looksLike),
  meant: ofInput('the names that were probably meant', 'meant { doi { name } }', ({ meant }) =>
    meant?.map(({ doi }) => doi.name),
  ),
  exists: lookedUp('whether the name is registered', 'exists', (doi) => doi.exists),
  status: lookedUp('the status of its record', 'record { status }', ({ record }) => record?.status),
  agency: lookedUp('who registered it', 'registrationAgency { name }', (doi) => doi.registrationAgency?.name),
  target: lookedUp('where it leads', 'redirect { url }', ({ redirect }) => redirect?.url),
  statusCode: lookedUp(
    'the status of that redirection',
    'redirect { statusCode }',
    (doi) => doi.redirect?.statusCode,
  ),
  chosenBy: lookedUp(
    'what decided where it leads',
    'redirect { chosenBy }',
    ({ redirect }) => redirect?.chosenBy,
  ),
  via: lookedUp('the handles that it leads through', 'redirect { via }', ({ redirect }) => redirect?.via),
  alias: lookedUp('the handle that it is an alias of', 'alias { handle }', ({ alias }) => alias?.handle),
  suggestion: lookedUp('names that exist and are close to it', 'suggestions { name }', ({ suggestions }) =>
    suggestions?.map(({ name }) => name),
  ),
  title: lookedUp('the title of the work', 'metadata { title }', ({ metadata }) => metadata?.title),
  year: lookedUp(
    'when it was published',
    'metadata { issued { year } }',
    ({ metadata }) => metadata?.issued?.year,
  ),
  creators: lookedUp(
    `who made it, divided by semicolons; at most ${MOST_CREATORS}`,
    'metadata { creators { name } }',
    ({ metadata }) => metadata?.creators && creatorsText(metadata.creators),
  ),
  container: lookedUp(
    'the journal or book',
    'metadata { containerTitle }',
    ({ metadata }) => metadata?.containerTitle,
  ),
  citation: lookedUp(
    'its citation in the style APA',
    'citation',
    ({ citation }) => citation && oneLine(citation),
  ),
  bibtex: lookedUp('its entry of BibTeX, on one line', 'bibtex', ({ bibtex }) => bibtex && oneLine(bibtex)),
  updates: lookedUp(
    'what became of it: retracted, corrected, none recorded',
    UPDATES,
    ({ updates }) => updates && updatesText(workUpdates(updates)),
  ),
};

function creatorsText(creators: readonly { readonly name: string }[]): string {
  const names = creators.slice(0, MOST_CREATORS).map(({ name }) => name);
  return [...names, ...(creators.length > MOST_CREATORS ? ['et al.'] : [])].join('; ');
}

/** A row of a table is a line for many programs. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

export const FIELDS: readonly Field[] = Object.entries(TABLE).map(([name, field]) => ({ name, ...field }));

export const DEFAULT_FIELDS = 'name,exists,url';

/** The last column: an error code, or empty. */
export const ERROR_COLUMN = 'error';

/** A wrong word in --fields. The message is for the caller. */
export class FieldsError extends Error {
  override readonly name = 'FieldsError';
}

/** @param names separated by commas. Throws a FieldsError. */
export function readFields(names: string): readonly Field[] {
  const words = names.split(',').map((word) => word.trim());
  const chosen = words.filter((word) => word !== '').map(fieldCalled);
  if (chosen.length === 0) throw new FieldsError(`No field is given. ${listed()}`);
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index);
  if (twice) throw new FieldsError(`The field ${twice.name} is given twice.`);
  return chosen;
}

function fieldCalled(word: string): Field {
  const field = FIELDS.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (field) return field;
  throw new FieldsError(`There is no field ${JSON.stringify(word.slice(0, 60))}. ${listed()}`);
}

function listed(): string {
  return `There are ${FIELDS.map(({ name }) => name).join(', ')}.`;
}

/**
 * One operation for many names: the variables are `inputs` and `form`.
 * @param isSample the directory is a sample: the operation then also selects `exists`
 */
export function queryOf(fields: readonly Field[], isSample = false): string {
  const input = fields.map(({ selection }) => selection.input ?? '').join(' ');
  const doi = fields.map(({ selection }) => selection.doi ?? '').join(' ');
  const selectsExists = isSample && fields.some(({ isLookUp }) => isLookUp);
  return `query Bulk($inputs: [String!]!, $form: DOIForm) { parseDois(inputs: $inputs, form: $form) { problem { code } ${input} doi { name ${doi}${selectsExists ? ' exists' : ''} } } }`;
}
