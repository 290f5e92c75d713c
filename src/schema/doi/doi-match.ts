// The type DOIMatch, and the query findDois.

import { type DoiMatch, readingsIn } from '../../doi/find/find-dois.ts';
import { NO_ITEM_YET } from '../../time.ts';
import { builder } from '../builder.ts';
import { chargedWhenFound, priced, priceOfText } from '../field-price.ts';
import { DoiType, doiOf } from './doi.ts';
import { DoiFormEnum } from './doi-form.ts';

export interface MatchInText extends DoiMatch {
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

builder.queryField('findDois', (t) =>
  t.field({
    type: [DoiMatchType],
    description:
      'The DOI names in a text, in the order of the text and with duplicates: `findDois(text: "See (doi:10.1000/182).")` finds one. The text may be prose, HTML, Markdown, TeX, BibTeX, RIS, CSV or XML. The gateway charges the price of a match when it finds the match. The first match above the limit has the error LIMIT_EXCEEDED.',
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
