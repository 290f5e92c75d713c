// The type DOIMetadata: the work of a DOI name, as its agency describes it.

import type { MetadataAnswer } from '../../directory/directory.ts';
import type { DoiName } from '../../doi/name.ts';
import { remember } from '../../handle/json.ts';
import { LANGUAGE } from '../../metadata/metadata-format.ts';
import type { PartialDate } from '../../metadata/partial-date.ts';
import { type Creator, type CslItem, readWork, type Work } from '../../metadata/work.ts';
import { mapSoon } from '../../time.ts';
import { builder } from '../builder.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { type FieldPrice, LOOK_UP_PRICE, priced } from '../field-price.ts';

/** The price is higher than LOOK_UP_PRICE, because agencies allow fewer requests than the directory. */
const METADATA: FieldPrice = { field: 50, multiplier: 1 };
export const METADATA_FIELD = { ...priced(METADATA), directives: ASKS_DIRECTORY };
/** The price of fields that use the look-up of `metadata`. One operation can select all of them for 1,000 names. */
export const SHARED_METADATA_FIELD = { ...priced(LOOK_UP_PRICE), directives: ASKS_DIRECTORY };

export const PartialDateType = builder.objectRef<PartialDate>('PartialDate').implement({
  description: 'A date: at least a year, with month and day if known.',
  fields: (t) => ({
    year: t.exposeInt('year', {
      description: 'The year: `2020`, or `-44` for the year 44 before the common era.',
    }),
    month: t.exposeInt('month', { nullable: true, description: 'The month, from 1 to 12. Null if unknown.' }),
    day: t.exposeInt('day', { nullable: true, description: 'The day, from 1 to 31. Null if unknown.' }),
    text: t.exposeString('text', {
      description: 'The date in ISO 8601: `2020`, `2020-07` or `2020-07-29`.',
    }),
  }),
});

/** An answer that has metadata. */
export interface DescribedWork extends Omit<MetadataAnswer, 'content'> {
  readonly name: DoiName;
  readonly csl: CslItem;
}

export function describedWork({ content, ...answer }: MetadataAnswer, name: DoiName): DescribedWork | null {
  return typeof content === 'object' && content !== null ? { ...answer, name, csl: content } : null;
}

export function textOf({ content }: MetadataAnswer): string | null {
  return typeof content === 'string' ? content : null;
}

export const workOf = remember(readWork);

function ofWork<Value>(read: (work: Work) => Value): (described: DescribedWork) => Value {
  return ({ csl }) => read(workOf(csl));
}

const CreatorType = builder.objectRef<Creator>('DOICreator').implement({
  description: 'A person or an organization that made a work.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The whole name in spoken order: `Josiah Carberry`, `World Health Organization`.',
    }),
    given: t.exposeString('given', {
      nullable: true,
      description: 'Given names: `Josiah`. Null for an organization, or if unknown.',
    }),
    family: t.exposeString('family', {
      nullable: true,
      description: 'The family name with its particle: `van Beethoven`. Null for an organization.',
    }),
    orcid: t.exposeString('orcid', {
      nullable: true,
      description:
        'The ORCID iD: `0000-0002-1825-0097`. Null if the agency gives none, or if its check digit is wrong.',
    }),
  }),
});

const optional = (description: string) => `${description} Null if the agency does not give it.`;

export const DoiMetadataType = builder.objectRef<DescribedWork>('DOIMetadata').implement({
  description:
    "The agency's description of the work, from the CSL JSON of its service. The gateway adds nothing.",
  fields: (t) => ({
    title: t.string({
      nullable: true,
      description: optional('The title as plain text, without markup: `H2O in the atmosphere`.'),
      resolve: ofWork(({ title }) => title),
    }),
    titleHtml: t.string({
      nullable: true,
      description: optional(
        'The title as safe HTML: `H<sub>2</sub>O in the atmosphere`. Its only elements are `i`, `b`, `sub` and `sup`, without attributes.',
      ),
      resolve: ofWork(({ titleHtml }) => titleHtml),
    }),
    creators: t.field({
      type: [CreatorType],
      description: 'The authors in their order, or the editors if there are no authors.',
      resolve: ofWork(({ creators }) => [...creators]),
    }),
    issued: t.field({
      type: PartialDateType,
      nullable: true,
      description: optional('The date of publication: `issued { text }` is `2020-07-29`.'),
      resolve: ofWork(({ issued }) => issued),
    }),
    containerTitle: t.string({
      nullable: true,
      description: optional('The container: the journal, the book, the repository.'),
      resolve: ofWork(({ containerTitle }) => containerTitle),
    }),
    publisher: t.string({
      nullable: true,
      description: optional('The publisher: `Springer Nature`.'),
      resolve: ofWork(({ publisher }) => publisher),
    }),
    type: t.string({
      nullable: true,
      description: optional("The kind of work in the agency's own words: `article-journal`, `dataset`."),
      resolve: ofWork(({ type }) => type),
    }),
    volume: t.string({
      nullable: true,
      description: optional('The volume: `118`.'),
      resolve: ofWork(({ volume }) => volume),
    }),
    issue: t.string({
      nullable: true,
      description: optional('The issue: `14`.'),
      resolve: ofWork(({ issue }) => issue),
    }),
    page: t.string({
      nullable: true,
      description: optional('Pages as they are written: `140402`, `1-12`.'),
      resolve: ofWork(({ page }) => page),
    }),
    language: t.string({
      nullable: true,
      ...METADATA_FIELD,
      description: optional(
        'The language, mostly a tag of BCP 47: `en`. For a Crossref work, the gateway can need a second look-up, which the limit `MAX_METADATA` includes.',
      ),
      resolve: ({ name, csl, history, source }, _args, { loaders }) => {
        const { language } = workOf(csl);
        // Crossref's lists of works have no language. Only an answer from its API has a history.
        const isFromCrossrefApi = history !== undefined && source === 'Crossref';
        return language === null && isFromCrossrefApi
          ? mapSoon(loaders.metadata(name, LANGUAGE), textOf)
          : language;
      },
    }),
    source: t.exposeString('source', {
      description:
        'The source of the metadata: the label of the agency, such as `Crossref`. If the agency is unknown, the host that answered.',
    }),
    csl: t.field({
      type: 'JSON',
      description:
        'The whole metadata as one item of CSL JSON, but without the list of references of Crossref.',
      resolve: ({ csl }) => csl,
    }),
    fetchedAt: t.field({
      type: 'DateTime',
      description: 'When the agency gave this answer. An answer from the cache is older than your request.',
      resolve: ({ fetchedAt }) => new Date(fetchedAt).toISOString(),
    }),
    stale: t.exposeBoolean('stale', {
      description: 'Whether this answer is more than a day old, because the agency did not answer in time.',
    }),
  }),
});
