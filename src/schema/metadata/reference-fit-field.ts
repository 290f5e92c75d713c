// Whether the words around a name in a text fit the work of the name.

import type { MetadataAnswer } from '../../directory/directory.ts';
import { referenceAround } from '../../doi/find/reference-around.ts';
import type { DoiName } from '../../doi/name.ts';
import { quoted } from '../../doi/problem-messages.ts';
import { GatewayError } from '../../errors.ts';
import { writeBibtex } from '../../metadata/bibtex.ts';
import {
  CITATION_LOCALES,
  CITATION_STYLES,
  CSL,
  isCitationLocale,
  isCitationStyle,
  type MetadataFormat,
} from '../../metadata/metadata-format.ts';
import { fitOfReference, namedWork, type ReferenceFit } from '../../metadata/reference-fit.ts';
import { writeRis } from '../../metadata/ris.ts';
import { mapSoon } from '../../time.ts';
import { builder } from '../builder.ts';
import { DoiType } from '../doi/doi.ts';
import { DoiMatchType } from '../doi/doi-match.ts';
import {
  DoiMetadataType,
  describedWork,
  METADATA_FIELD,
  SHARED_METADATA_FIELD,
  textOf,
  workOf,
} from './doi-metadata.ts';

// The fields of DOI that an agency answers.

builder.objectFields(DoiType, (t) => ({
  metadata: t.field({
    type: DoiMetadataType,
    nullable: true,
    ...METADATA_FIELD,
    description:
      'The work: title, people, year, as the agency describes it. Null without an error if the agency has no metadata, or if the name does not exist.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => describedWork(answer, name)),
  }),
  citation: t.string({
    nullable: true,
    ...METADATA_FIELD,
    description:
      "A reference to it, as the agency's service formats it: `Handbook, D. (2012). …`. Null without an error where the agency gives none.",
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
    nullable: true,
    ...SHARED_METADATA_FIELD,
    description:
      'An entry of BibTeX: `@article{fenner2015differences-23e098b0, …`. The gateway writes it from the CSL JSON of `metadata`, by the same look-up. Entries can be joined into one file: their keys differ. Null without an error if the agency has no metadata.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => written(answer, name, writeBibtex)),
  }),
  ris: t.string({
    nullable: true,
    ...SHARED_METADATA_FIELD,
    description:
      'A record of RIS, for reference managers: `TY  - JOUR …`. The gateway writes it from the CSL JSON of `metadata`, by the same look-up. Null without an error if the agency has no metadata.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => written(answer, name, writeRis)),
  }),
}));

function written(answer: MetadataAnswer, name: DoiName, write: typeof writeBibtex): string | null {
  const work = describedWork(answer, name);
  return work && write(work.csl, name);
}

function citationFormat(style: string, locale: string): MetadataFormat {
  if (!isCitationStyle(style)) throw unknown('style', style, CITATION_STYLES);
  if (!isCitationLocale(locale)) throw unknown('locale', locale, CITATION_LOCALES);
  return { kind: 'citation', style, locale };
}

function unknown(what: string, text: string, known: readonly string[]): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: `${quoted(text)} is no ${what} that is known here. There are ${known.length}: ${known.slice(0, 5).join(', ')}, … The description of \`citation\` has all of them.`,
  });
}

const DESCRIPTIONS: Readonly<Record<ReferenceFit, { description: string }>> = {
  FITS: { description: 'Most of the title stands in the reference.' },
  DOES_NOT_FIT: {
    description:
      'It is a whole reference, and has neither the title nor the authors: probably the DOI of another work.',
  },
  CANNOT_TELL: {
    description:
      'There is no metadata, no title, or no reference around the name; or they say one thing and the other: a translated title with the right authors.',
  },
};

const ReferenceFitEnum = builder.enumType('ReferenceFit', {
  description: 'Whether the words of a reference are about the work that its DOI names.',
  values: DESCRIPTIONS,
});

builder.objectField(DoiMatchType, 'referenceFit', (t) =>
  t.field({
    type: ReferenceFitEnum,
    nullable: true,
    ...METADATA_FIELD,
    description:
      'Whether the words around the name are about the work that its agency describes: the line, the paragraph, the list item or the entry of BibTeX, at most about 2,000 characters. A real DOI under a wrong reference is DOES_NOT_FIT. Null with an error where the agency cannot be asked.',
    resolve: (match, _args, { loaders }) =>
      mapSoon(loaders.metadata(match.name, CSL), (answer): ReferenceFit => {
        const described = describedWork(answer, match.name);
        if (described === null) return 'CANNOT_TELL';
        return fitOfReference(referenceAround(match.source, match), namedWork(workOf(described.csl)));
      }),
  }),
);
