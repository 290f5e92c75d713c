// The work of a DOI name, as its agency describes it.

import type { MetadataAnswer } from '../../directory/directory.ts';
import type { DoiName } from '../../doi/name.ts';
import { remember } from '../../handle/json.ts';
import { LANGUAGE } from '../../metadata/metadata-format.ts';
import type { PartialDate } from '../../metadata/partial-date.ts';
import { type Creator, type CslItem, readWork, type Work } from '../../metadata/work.ts';
import { mapSoon } from '../../time.ts';
import { builder } from '../builder.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { type FieldPrice, LOOK_UP, priced } from '../field-price.ts';

/** Agencies allow fewer requests than the directory does. */
const METADATA: FieldPrice = { field: 50, multiplier: 1 };
export const METADATA_FIELD = { ...priced(METADATA), directives: ASKS_DIRECTORY };
/** Of a field that shares the look-up of `metadata`: 1,000 names with all of these fields are one operation. */
export const SHARED_METADATA_FIELD = { ...priced(LOOK_UP), directives: ASKS_DIRECTORY };

// Dates of which not everything may be known.

export const PartialDateType = builder.objectRef<PartialDate>('PartialDate').implement({
  description: 'A date: at least a year, with month and day if known.',
  fields: (t) => ({
    year: t.exposeInt('year', { description: '`2020`; `-44` for 44 before the common era as CSL counts.' }),
    month: t.exposeInt('month', { nullable: true, description: 'From 1 to 12. Null where it is not known.' }),
    day: t.exposeInt('day', { nullable: true, description: 'From 1 to 31. Null where it is not known.' }),
    text: t.exposeString('text', {
      description: 'As ISO 8601 writes it: `2020`, `2020-07` or `2020-07-29`.',
    }),
  }),
});

/** Metadata that is there. */
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
      description: 'The whole name as it is spoken: `Josiah Carberry`, `World Health Organization`.',
    }),
    given: t.exposeString('given', {
      nullable: true,
      description: 'Given names: `Josiah`. Null for an organization, and where they are not known.',
    }),
    family: t.exposeString('family', {
      nullable: true,
      description: 'The family name with its particle: `van Beethoven`. Null for an organization.',
    }),
    orcid: t.exposeString('orcid', {
      nullable: true,
      description:
        '`0000-0002-1825-0097`. Null where the agency gives none, or one whose check digit is wrong.',
    }),
  }),
});

const text = (what: string) => `${what} Null where the agency gives none.`;

export const DoiMetadataType = builder.objectRef<DescribedWork>('DOIMetadata').implement({
  description:
    "The agency's description of the work, from the CSL JSON of its service. The gateway reads it and adds nothing.",
  fields: (t) => ({
    title: t.string({
      nullable: true,
      description: text('Plain text, of whatever markup it came with: `H2O in the atmosphere`.'),
      resolve: ofWork(({ title }) => title),
    }),
    titleHtml: t.string({
      nullable: true,
      description: text(
        'The title for a page: `H<sub>2</sub>O in the atmosphere`. It has `i`, `b`, `sub` and `sup` without attributes, and everything else escaped.',
      ),
      resolve: ofWork(({ titleHtml }) => titleHtml),
    }),
    creators: t.field({
      type: [CreatorType],
      description: 'Its authors in their order; its editors where there are no authors.',
      resolve: ofWork(({ creators }) => [...creators]),
    }),
    issued: t.field({
      type: PartialDateType,
      nullable: true,
      description: text('When it was published.'),
      resolve: ofWork(({ issued }) => issued),
    }),
    containerTitle: t.string({
      nullable: true,
      description: text('The container: the journal, the book, the repository.'),
      resolve: ofWork(({ containerTitle }) => containerTitle),
    }),
    publisher: t.string({
      nullable: true,
      description: text('Who published it.'),
      resolve: ofWork(({ publisher }) => publisher),
    }),
    type: t.string({
      nullable: true,
      description: text("The kind of work in the agency's own words: `article-journal`, `dataset`."),
      resolve: ofWork(({ type }) => type),
    }),
    volume: t.string({
      nullable: true,
      description: text('The volume: `118`.'),
      resolve: ofWork(({ volume }) => volume),
    }),
    issue: t.string({
      nullable: true,
      description: text('The issue: `14`.'),
      resolve: ofWork(({ issue }) => issue),
    }),
    page: t.string({
      nullable: true,
      description: text('Pages as they are written: `140402`, `1-12`.'),
      resolve: ofWork(({ page }) => page),
    }),
    language: t.string({
      nullable: true,
      ...METADATA_FIELD,
      description: text(
        'The language, mostly as BCP 47 has it: `en`. Of a Crossref work it may be another look-up, which counts in `MAX_METADATA`.',
      ),
      resolve: ({ name, csl, history, source }, _args, { loaders }) => {
        const { language } = workOf(csl);
        const mayBeLeftOut = history !== undefined && source === 'Crossref';
        return language === null && mayBeLeftOut
          ? mapSoon(loaders.metadata(name, LANGUAGE), textOf)
          : language;
      },
    }),
    source: t.exposeString('source', {
      description:
        'Who says so: the label of the agency, `Crossref`; where it is not known, the host that answered.',
    }),
    csl: t.field({
      type: 'JSON',
      description:
        "All that the agency gave: one item of CSL JSON, without the list of references that Crossref's has.",
      resolve: ({ csl }) => csl,
    }),
    fetchedAt: t.field({
      type: 'DateTime',
      description: 'When the agency gave this answer. In the past where it comes from the cache.',
      resolve: ({ fetchedAt }) => new Date(fetchedAt).toISOString(),
    }),
    stale: t.exposeBoolean('stale', {
      description: 'More than a day old, because the agency did not answer in time.',
    }),
  }),
});
