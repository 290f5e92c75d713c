// Looks up all facts about names: the cards of `doi show`.

import type { DoiName, HandleName } from 'doi-names';
import { tombstoneAt } from '../../handle/tombstone.ts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureAt,
  type NamesQuery,
} from './batched-queries.ts';
import { NOT_IN_SAMPLE } from './look-up-names.ts';
import type { GraphqlError } from './send-operation.ts';
import { UPDATES, type UpdatesFields, type WorkUpdates, workUpdates } from './update-outcome.ts';

interface CardValue {
  readonly index: number;
  readonly type: string;
  /** null if the data is not text */
  readonly text: string | null;
  readonly timestamp: string | null;
}

export interface Card {
  readonly outcome: 'found' | 'absent' | 'unknown';
  /** the title of the work */
  readonly title: string | null;
  /** null if the agency has no metadata */
  readonly work: WorkFacts | null;
  /** null if the updates are unknown */
  readonly updates: WorkUpdates | null;
  readonly relations: readonly WorkRelation[];
  readonly agency: { readonly name: string; readonly title: string | null } | null;
  readonly alias: string | null;
  readonly target: string | null;
  /** the meaning of the page at `target`, if this page says that the content is gone; else null */
  readonly tombstone: string | null;
  readonly values: readonly CardValue[];
  /** for an absent name: existing names that were probably meant */
  readonly meant: readonly string[];
  /** failed fields and their reasons */
  readonly failures: readonly string[];
}

/** Facts about a work besides its title. Each list has each value once. */
export interface WorkFacts {
  /** `ARTICLE`, `DATASET`, … */
  readonly kind: string;
  readonly abstract: string | null;
  /** SPDX identifiers, else addresses or names */
  readonly licenses: readonly string[];
  readonly funders: readonly string[];
  readonly affiliations: readonly string[];
}

interface WorkRelation {
  readonly kind: 'HAS_PREPRINT' | 'IS_PREPRINT_OF';
  /** the other work: a link, or an identifier that is not a DOI */
  readonly work: string;
}

interface LookUpCardsOptions extends BatchedQueriesOptions {
  readonly isSample: boolean;
}

/** One card for each requested name. */
export type Cards = ReadonlyMap<HandleName, Card>;

/** @param handles handles that are no DOI names */
export async function lookUpCards(
  dois: readonly DoiName[],
  handles: readonly HandleName[],
  options: LookUpCardsOptions,
): Promise<Cards> {
  const queries = new BatchedQueries(options);
  const cards = new Map<HandleName, Card>();
  for (const [names, query] of [
    [dois, CARD_QUERY],
    [handles, HANDLE_CARD_QUERY],
  ] as const) {
    const answers = await queries.lookUp(names, query);
    for (const [at, answer] of answers.entries()) {
      cards.set(names[at] as HandleName, cardOf(answer, options.isSample));
    }
  }
  return cards;
}

function cardOf(answer: Card | Failure, isSample: boolean): Card {
  if (answer instanceof Failure) return { ...EMPTY_CARD, failures: [answer.message] };
  return isSample && answer.outcome === 'absent' ? { ...EMPTY_CARD, failures: [NOT_IN_SAMPLE] } : answer;
}

const EMPTY_CARD: Card = {
  outcome: 'unknown',
  title: null,
  work: null,
  updates: null,
  relations: [],
  agency: null,
  alias: null,
  target: null,
  tombstone: null,
  values: [],
  meant: [],
  failures: [],
};

interface CardFields extends Partial<DoiFields> {
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly record: { readonly values: readonly CardValue[] } | null;
}

interface DoiFields {
  readonly registrationAgency: Card['agency'];
  readonly suggestions: readonly { readonly name: string }[] | null;
  readonly metadata: MetadataFields | null;
  readonly updates: UpdatesFields | null;
  readonly relations:
    | readonly (Pick<WorkRelation, 'kind'> & {
        readonly doi: { readonly url: string } | null;
        readonly identifier: string;
      })[]
    | null;
}

interface MetadataFields extends Pick<WorkFacts, 'kind' | 'abstract'>, LicensesField {
  readonly title: string | null;
  readonly funding: readonly { readonly funder: string }[];
  readonly contributors: readonly { readonly affiliations: readonly { readonly name: string }[] }[];
}

/** A selection in the GraphQL type DOIMetadata. */
export const LICENSES = 'licenses { spdx url name }';

export interface LicensesField {
  readonly licenses: readonly Readonly<Record<'spdx' | 'url' | 'name', string | null>>[];
}

/** The SPDX identifier of each licence, else its address or name. Each text once. */
export function licenseTexts({ licenses }: LicensesField): readonly string[] {
  return distinct(licenses.map(({ spdx, url, name }) => spdx ?? url ?? name));
}

function distinct(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

const WORK_FIELDS = `title kind abstract ${LICENSES} funding { funder } contributors { affiliations { name } }`;

function workFacts(fields: MetadataFields): WorkFacts {
  const { kind, abstract, funding, contributors } = fields;
  return {
    kind,
    abstract,
    licenses: licenseTexts(fields),
    funders: distinct(funding.map(({ funder }) => funder)),
    affiliations: distinct(contributors.flatMap(({ affiliations }) => affiliations.map(({ name }) => name))),
  };
}

const RECORD_FIELDS =
  'exists alias { handle } redirect { url } record { values { index type text timestamp } }';

const CARD_QUERY: NamesQuery<CardFields, Card> = {
  query: `query Cards($names: [String!]!) {
    dois(inputs: $names, form: NAME) {
      ${RECORD_FIELDS}
      registrationAgency { name title }
      suggestions { name }
      metadata { ${WORK_FIELDS} }
      ${UPDATES}
      relations(kinds: [HAS_PREPRINT, IS_PREPRINT_OF]) { kind doi { url } identifier }
    }
  }`,
  maxNames: 10,
  read(fields, errors) {
    if (fields === null || fields.exists === null) return failureAt('exists', errors);
    const target = fields.redirect?.url ?? null;
    return {
      outcome: fields.exists ? 'found' : 'absent',
      title: fields.metadata?.title ?? null,
      work: fields.metadata ? workFacts(fields.metadata) : null,
      updates: fields.updates ? workUpdates(fields.updates) : null,
      relations: (fields.relations ?? []).map(({ kind, doi, identifier }) => ({
        kind,
        work: doi?.url ?? identifier,
      })),
      agency: fields.registrationAgency ?? null,
      alias: fields.alias?.handle ?? null,
      target,
      tombstone: target === null ? null : (tombstoneAt(target)?.meaning ?? null),
      values: fields.record?.values ?? [],
      meant: fields.suggestions?.map(({ name }) => name) ?? [],
      failures: failuresOf(errors),
    };
  },
};

/** Like CARD_QUERY, for handles that are no DOI names. */
const HANDLE_CARD_QUERY: NamesQuery<CardFields, Card> = {
  ...CARD_QUERY,
  query: `query HandleCards($names: [_Any!]!) {
    dois: _entities(representations: $names) { ... on Handle { ${RECORD_FIELDS} } }
  }`,
  toVariable: (name) => ({ __typename: 'Handle', name }),
};

/** Example: `updates, relations: The agency did not answer in time.` */
function failuresOf(errors: readonly GraphqlError[]): readonly string[] {
  const fields = new Map<string, string[]>();
  for (const { path, message } of errors) {
    fields.set(message, [...(fields.get(message) ?? []), `${path?.[2]}`]);
  }
  return [...fields].map(([message, names]) => `${names.join(', ')}: ${message}`);
}
