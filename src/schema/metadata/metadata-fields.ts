// The fields of DOI that an agency answers.

import type { MetadataAnswer } from '../../directory/directory.ts';
import { mapAnswer } from '../../directory/map-answer.ts';
import { quoted } from '../../doi/problems.ts';
import { GatewayError } from '../../errors.ts';
import {
  BIBTEX,
  CITATION_LOCALES,
  CITATION_STYLES,
  CSL,
  isCitationLocale,
  isCitationStyle,
  type MetadataFormat,
  RIS,
} from '../../metadata/metadata-format.ts';
import { builder } from '../builder.ts';
import { DoiType } from '../doi/doi.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { type FieldPrice, priced } from '../field-price.ts';
import { DoiMetadataType, describedWork } from './doi-metadata.ts';

/** Agencies allow fewer requests than the directory does. */
const METADATA: FieldPrice = { field: 50, multiplier: 1 };
export const METADATA_FIELD = { ...priced(METADATA), directives: ASKS_DIRECTORY };

builder.objectFields(DoiType, (t) => ({
  metadata: t.field({
    type: DoiMetadataType,
    nullable: true,
    ...METADATA_FIELD,
    description:
      'What it names: title, people, year, as the agency describes it. Null without an error where the agency has no metadata, and for a name that does not exist.',
    resolve: ({ name }, _args, { loaders }) => mapAnswer(loaders.metadata(name, CSL), describedWork),
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
      mapAnswer(loaders.metadata(name, citationFormat(style ?? 'apa', locale ?? 'en-US')), textOf),
  }),
  bibtex: t.string({
    nullable: true,
    ...METADATA_FIELD,
    description:
      "An entry of BibTeX, as the agency's service writes it. Null without an error where there is none.",
    resolve: ({ name }, _args, { loaders }) => mapAnswer(loaders.metadata(name, BIBTEX), textOf),
  }),
  ris: t.string({
    nullable: true,
    ...METADATA_FIELD,
    description:
      "A record of RIS, as the agency's service writes it. Null without an error where there is none.",
    resolve: ({ name }, _args, { loaders }) => mapAnswer(loaders.metadata(name, RIS), textOf),
  }),
}));

function textOf({ content }: MetadataAnswer): string | null {
  return typeof content === 'string' ? content : null;
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
