// The fields of DOI with metadata and citations, and DOIMatch.referenceFit, which compares a reference with the work.

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

builder.objectFields(DoiType, (t) => ({
  metadata: t.field({
    type: DoiMetadataType,
    nullable: true,
    ...METADATA_FIELD,
    description:
      'The work as its agency describes it: `metadata { title issued { year } }`. Null without an error if the agency has no metadata, or if the name does not exist.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => describedWork(answer, name)),
  }),
  citation: t.string({
    nullable: true,
    ...METADATA_FIELD,
    description:
      "A reference to the work, formatted by the agency's service: `Handbook, D. (2012). …`. Null without an error if the agency gives no reference.",
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
      'A BibTeX entry: `@article{fenner2015differences-23e098b0, …`. The gateway writes it from the CSL JSON of `metadata`, with the same look-up. You can put many entries into one file, because their keys differ. Null without an error if the agency has no metadata.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, CSL), (answer) => written(answer, name, writeBibtex)),
  }),
  ris: t.string({
    nullable: true,
    ...SHARED_METADATA_FIELD,
    description:
      'A RIS record, for reference managers: `TY  - JOUR …`. The gateway writes it from the CSL JSON of `metadata`, with the same look-up. Null without an error if the agency has no metadata.',
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
    message: `${quoted(text)} is not a known ${what}. There are ${known.length}: ${known.slice(0, 5).join(', ')}, … The description of \`citation\` lists all of them.`,
  });
}

const DESCRIPTIONS: Readonly<Record<ReferenceFit, { description: string }>> = {
  FITS: { description: 'The reference contains most of the title.' },
  DOES_NOT_FIT: {
    description:
      'The reference is complete, but has neither the title nor the authors. Probably the DOI belongs to another work.',
  },
  CANNOT_TELL: {
    description:
      'There is no metadata, no title, or no reference around the name. Or only some details fit: for example, the authors are right but the title is translated.',
  },
};

const ReferenceFitEnum = builder.enumType('ReferenceFit', {
  description: 'Whether the words of a reference describe the work that its DOI identifies.',
  values: DESCRIPTIONS,
});

builder.objectField(DoiMatchType, 'referenceFit', (t) =>
  t.field({
    type: ReferenceFitEnum,
    nullable: true,
    ...METADATA_FIELD,
    description:
      "Whether the reference around the name describes the work of the name. The gateway compares it with the agency's metadata. The reference is the line, the paragraph, the list item or the BibTeX entry, at most about 2,000 characters. DOES_NOT_FIT: the DOI is real, but the reference describes another work. Null only with an error.",
    resolve: (match, _args, { loaders }) =>
      mapSoon(loaders.metadata(match.name, CSL), (answer): ReferenceFit => {
        const described = describedWork(answer, match.name);
        if (described === null) return 'CANNOT_TELL';
        return fitOfReference(referenceAround(match.source, match), namedWork(workOf(described.csl)));
      }),
  }),
);
