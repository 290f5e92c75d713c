// DOI names in running text.

import { type DoiMatch, doisIn } from '../../doi/find/find-dois.ts';
import { builder } from '../builder.ts';
import { paidWhenFound, priced, priceOfText } from '../field-price.ts';
import { DoiType, doiOf } from './doi.ts';
import { DoiFormEnum } from './doi-form.ts';

export interface MatchInText extends DoiMatch {
  /** the whole text that it stands in */
  readonly source: string;
}

export const DoiMatchType = builder.objectRef<MatchInText>('DOIMatch');

DoiMatchType.implement({
  ...paidWhenFound,
  description: 'A DOI name that stands in a text.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The DOI: without the punctuation, the markup and the address around it.',
      resolve: ({ name }) => doiOf(name),
    }),
    text: t.exposeString('text', {
      description: 'What stands in the text: `https://doi.org/10.1000/182`, or the bare name.',
    }),
    start: t.exposeInt('start', { description: 'Where it begins: an offset into the text in UTF-16 units.' }),
    end: t.exposeInt('end', { description: 'Where it ends, in UTF-16 units: `text.slice(start, end)`.' }),
    form: t.field({
      type: DoiFormEnum,
      description: 'The form in which it is written. NAME where the name cannot be read from `text` alone.',
      resolve: ({ form }) => form,
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
      'The DOI names in a text, in its order and as often as they stand there: prose, HTML, Markdown, TeX, BibTeX, RIS, CSV, XML. `findDois(text: "See (doi:10.1000/182).")` finds one. The price of each match is charged when it is found; LIMIT_EXCEEDED is at the first match above the limit.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'Any text: a reference list, a web page, a sentence, an address of a publisher.',
      }),
    },
    ...priced(({ text }: { readonly text: string }) => priceOfText(text)),
    resolve: (_root, { text }) => matchesIn(text),
  }),
);

function* matchesIn(source: string): Generator<MatchInText, void> {
  for (const match of doisIn(source)) yield { ...match, source };
}
