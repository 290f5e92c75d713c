// The type DOIMetadata: the work of a DOI name, as its agency describes it. And the work as citation, BibTeX and RIS.

import type { DoiName } from 'doi-names';
import { quoted } from 'doi-names/parts';
import type { MetadataAnswer } from '../../directory/directory.ts';
import { GatewayError } from '../../errors.ts';
import { remember } from '../../handle/json.ts';
import { mapSoon } from '../../time.ts';
import { writeBibtex } from '../../works/bibtex.ts';
import type { Creator } from '../../works/creators.ts';
import {
  CITATION_LOCALES,
  CITATION_STYLES,
  CSL,
  isCitationLocale,
  isCitationStyle,
  LANGUAGE,
  type MetadataFormat,
} from '../../works/metadata-format.ts';
import type { PartialDate } from '../../works/partial-date.ts';
import { writeRis } from '../../works/ris.ts';
import { type CslItem, readWork, type Work } from '../../works/work.ts';
import { builder, toDateTime } from '../builder.ts';
import { DoiType } from '../doi/doi.ts';
import { LOOK_UP_FIELD, lookUpField } from '../field-price.ts';

/** Options of a field that needs metadata. Its price is high, because agencies allow fewer requests than the directory. */
export const METADATA_FIELD = lookUpField(50);
/** Options of a field that uses the look-up of `metadata`. The low price lets an operation select several such fields. */
export const SHARED_METADATA_FIELD = LOOK_UP_FIELD;

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

/** Options of the fields `fetchedAt` and `stale` of information from an agency. */
export const FETCHED_AT = {
  type: 'DateTime',
  description:
    'When the agency sent this information. Information from the cache is older than your request.',
  resolve: ({ fetchedAt }: { readonly fetchedAt: number }) => toDateTime(fetchedAt),
} as const;
export const STALE = {
  description: 'Whether this information is more than a day old, because the agency did not respond in time.',
};

/** A MetadataAnswer that has metadata. */
export interface DescribedWork extends Omit<MetadataAnswer, 'content'> {
  readonly name: DoiName;
  readonly csl: CslItem;
}

export function describedWork({ content, ...answer }: MetadataAnswer, name: DoiName): DescribedWork | null {
  return typeof content === 'object' && content !== null ? { ...answer, name, csl: content } : null;
}

function textOf({ content }: MetadataAnswer): string | null {
  return typeof content === 'string' ? content : null;
}

export const workOf = remember(readWork);

export const CreatorType = builder.objectRef<Creator>('DOICreator').implement({
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

export const optional = (description: string) => `${description} Null if the agency does not give it.`;

export const DoiMetadataType = builder.objectRef<DescribedWork>('DOIMetadata').implement({
  description:
    "The agency's description of the work, from the CSL JSON of its service. The gateway adds nothing.",
  fields: (t) => ({
    creators: t.field({
      type: [CreatorType],
      description: 'The authors in their order, or the editors if there are no authors.',
      resolve: ({ csl }) => workOf(csl).creators,
    }),
    issued: t.field({
      type: PartialDateType,
      nullable: true,
      description: optional('The date of publication: `issued { text }` is `2020-07-29`.'),
      resolve: ({ csl }) => workOf(csl).issued,
    }),
    language: t.string({
      ...METADATA_FIELD,
      description: optional(
        'The language, mostly a tag of BCP 47: `en`. For a Crossref work, the gateway can need a second look-up, which the limit `MAX_METADATA` includes.',
      ),
      resolve: ({ name, csl, history, source }, _args, { loaders }) => {
        const { language } = workOf(csl);
        // If Crossref's API returns several works, they have no language. Only metadata from this API has a history.
        const isFromCrossrefApi = history !== undefined && source === 'Crossref';
        return language === null && isFromCrossrefApi
          ? mapSoon(loaders.metadata(name, LANGUAGE), textOf)
          : language;
      },
    }),
    source: t.exposeString('source', {
      description:
        'The source of the metadata: the label of the agency, such as `Crossref`. If the agency is unknown, the host that responded.',
    }),
    csl: t.expose('csl', {
      type: 'JSON',
      description: "The whole metadata as one item of CSL JSON, but without Crossref's list of references.",
    }),
    fetchedAt: t.field(FETCHED_AT),
    stale: t.exposeBoolean('stale', STALE),
  }),
});

builder.objectFields(DoiMetadataType, (t) => {
  const text = (member: Exclude<keyof Work, 'creators' | 'issued' | 'language'>, description: string) =>
    t.string({
      nullable: true,
      description: optional(description),
      resolve: ({ csl }) => workOf(csl)[member],
    });
  return {
    title: text('title', 'The title as plain text, without markup: `H2O in the atmosphere`.'),
    titleHtml: text(
      'titleHtml',
      'The title as safe HTML: `H<sub>2</sub>O in the atmosphere`. Its only elements are `i`, `b`, `sub` and `sup`, without attributes.',
    ),
    subtitle: text(
      'subtitle',
      'The subtitle as plain text: `A systematic review`. `title` does not contain it. `csl`, BibTeX, RIS and citations have both in one title.',
    ),
    containerTitle: text(
      'containerTitle',
      'The container: the journal, the book, the repository. The series of a book is in `csl` as `collection-title`.',
    ),
    publisher: text('publisher', 'The publisher: `Springer Nature`.'),
    type: text('type', "The kind of work in the agency's own words: `article-journal`, `dataset`."),
    volume: text('volume', 'The volume: `118`.'),
    issue: text('issue', 'The issue: `14`.'),
    page: text('page', 'Pages as they are written: `140402`, `1-12`.'),
  };
});

builder.objectFields(DoiType, (t) => ({
  metadata: t.field({
    type: DoiMetadataType,
    ...METADATA_FIELD,
    description:
      'The work as its agency describes it: `metadata { title issued { year } }`. Null without an error if the agency has no metadata, or if the name does not exist.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => describedWork(answer, name)),
  }),
  citation: t.string({
    ...METADATA_FIELD,
    description:
      "A reference to the work as plain text, formatted by the agency's service: `Handbook, D. (2012). …`. Null without an error if the agency gives no reference.",
    args: {
      style: t.arg.string({
        defaultValue: 'apa',
        description: `The style, by its name in the CSL repository: ${CITATION_STYLES.map((style) => `\`${style}\``).join(', ')}.`,
      }),
      locale: t.arg.string({
        defaultValue: 'en-US',
        description: `The language: ${CITATION_LOCALES.map((locale) => `\`${locale}\``).join(', ')}.`,
      }),
    },
    resolve: ({ name }, { style, locale }, { loaders }) =>
      mapSoon(loaders.metadata(name, citationFormat(style ?? 'apa', locale ?? 'en-US')), textOf),
  }),
  bibtex: t.string({
    ...SHARED_METADATA_FIELD,
    description:
      'A BibTeX entry: `@article{fenner2015differences-23e098b0, …`. The gateway writes it from the CSL JSON of `metadata`, with the same look-up. You can put many entries into one file, because their keys differ. Null without an error if the agency has no metadata.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => writeWork(answer, name, writeBibtex)),
  }),
  ris: t.string({
    ...SHARED_METADATA_FIELD,
    description:
      'A RIS record, for reference managers: `TY  - JOUR …`. The gateway writes it from the CSL JSON of `metadata`, with the same look-up. Null without an error if the agency has no metadata.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => writeWork(answer, name, writeRis)),
  }),
}));

function writeWork(answer: MetadataAnswer, name: DoiName, write: typeof writeBibtex): string | null {
  const work = describedWork(answer, name);
  return work && write(work.csl, name);
}

function citationFormat(style: string, locale: string): MetadataFormat {
  if (!isCitationStyle(style)) throw unknownValue('style', style, CITATION_STYLES);
  if (!isCitationLocale(locale)) throw unknownValue('locale', locale, CITATION_LOCALES);
  return { kind: 'citation', style, locale };
}

function unknownValue(what: string, text: string, known: readonly string[]): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: `${quoted(text)} is not a known ${what}. The gateway knows ${known.length}: ${known.slice(0, 5).join(', ')}, … The description of \`citation\` lists all of them.`,
  });
}
