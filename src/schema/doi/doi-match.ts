// The type DOIMatch, with the field referenceFit, and the query findDois.

import type { DoiMatch } from 'doi-names';
import { readingsIn, referenceAround } from 'doi-names/parts';
import { NO_ITEM_YET } from '../../slices.ts';
import { mapSoon } from '../../time.ts';
import { CSL } from '../../works/metadata-format.ts';
import { fitOfReference, namedWork, type ReferenceFit } from '../../works/reference-fit.ts';
import { builder, describedEnum } from '../builder.ts';
import { chargedWhenFound, priced, priceOfText } from '../field-price.ts';
import { describedWork, METADATA_FIELD, workOf } from '../works/doi-metadata.ts';
import { DoiType, doiOf } from './doi.ts';
import { DoiFormEnum } from './doi-form.ts';

interface MatchInText extends DoiMatch {
  /** the whole text that contains the match */
  readonly source: string;
}

export const DoiMatchType = builder.objectRef<MatchInText>('DOIMatch').implement({
  ...chargedWhenFound,
  description: 'A DOI name that was found in a text.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The DOI, without the punctuation, markup and address around the name.',
      resolve: ({ name }) => doiOf(name),
    }),
    text: t.exposeString('text', {
      description:
        'The part of the text that names the DOI: `https://doi.org/10.1000/182`, or the bare name.',
    }),
    start: t.exposeInt('start', {
      description: 'The start of the match: an offset into the text in UTF-16 units.',
    }),
    end: t.exposeInt('end', {
      description: 'The end of the match, in UTF-16 units: `text.slice(start, end)`.',
    }),
    form: t.expose('form', {
      type: DoiFormEnum,
      description: 'The form of `text`. NAME if the gateway cannot read the name from `text` alone.',
    }),
    repaired: t.exposeBoolean('repaired', {
      description:
        'Whether the name differs from `text`: a line break was repaired, markup was removed, or an entity was decoded. Show such a name before you use it.',
    }),
  }),
});

const ReferenceFitEnum = describedEnum<ReferenceFit>(
  'ReferenceFit',
  'Whether the words of a reference describe the work that its DOI identifies.',
  {
    FITS: 'The reference contains most of the title.',
    DOES_NOT_FIT:
      'The reference is complete, but has neither the title nor the authors. Probably the DOI belongs to another work.',
    CANNOT_TELL:
      'There is no metadata, no title, or no reference around the name. Or only some details fit: for example, the authors are right but the title is translated.',
  },
);

builder.objectField(DoiMatchType, 'referenceFit', (t) =>
  t.field({
    type: ReferenceFitEnum,
    ...METADATA_FIELD,
    description:
      "Whether the reference around the name describes the work of the name. The gateway compares the reference with the agency's metadata. The reference is the line, the paragraph, the list item or the BibTeX entry, at most about 2,000 characters. DOES_NOT_FIT: the DOI is real, but the reference describes another work. Null only with an error.",
    resolve: (match, _args, { loaders }) =>
      mapSoon(loaders.metadata(match.name, CSL), (answer): ReferenceFit => {
        const described = describedWork(answer, match.name);
        if (described === null) return 'CANNOT_TELL';
        return fitOfReference(referenceAround(match.source, match), namedWork(workOf(described.csl)));
      }),
  }),
);

builder.queryField('findDois', (t) =>
  t.field({
    type: [DoiMatchType],
    nullable: { list: true, items: true },
    description:
      'The DOI names in a text, in the order of the text and with duplicates: `findDois(text: "See (doi:10.1000/182).")` finds one name. The text may be prose, HTML, Markdown, TeX, BibTeX, RIS, CSV or XML. The gateway charges the price of a match when it finds the match. The first match above the limit is null, with the error LIMIT_EXCEEDED, and ends the list.',
    args: {
      text: t.arg.string({
        required: true,
        description:
          'Any text: a reference list, a web page, a sentence, the address of a page at a publisher.',
      }),
    },
    ...priced(({ text }: { readonly text: string }) => priceOfText(text)),
    resolve: (_root, { text }) => matchesIn(text),
  }),
);

function* matchesIn(source: string): Generator<MatchInText, void> {
  for (const { match } of readingsIn(source, { at: 0, floor: 0, context: null }))
    yield match === null ? NO_ITEM_YET : { ...match, source };
}
