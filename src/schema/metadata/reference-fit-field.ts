// Whether the words around a name in a text are about what it names.

import { mapAnswer } from '../../directory/map-answer.ts';
import { referenceAround } from '../../doi/find/reference-around.ts';
import { CSL } from '../../metadata/metadata-format.ts';
import { fitOfReference, namedWork, type ReferenceFit } from '../../metadata/reference-fit.ts';
import { builder } from '../builder.ts';
import { DoiMatchType } from '../doi/doi-match.ts';
import { describedWork, workOf } from './doi-metadata.ts';
import { METADATA_FIELD } from './metadata-fields.ts';

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
      'Whether the words around the name are about the work that its agency describes: the line, the paragraph, the list item or the entry of BibTeX, some 2,000 characters at the most. A real DOI under a wrong reference is DOES_NOT_FIT. Null with an error where the agency cannot be asked.',
    resolve: (match, _args, { loaders }) =>
      mapAnswer(loaders.metadata(match.name, CSL), (answer): ReferenceFit => {
        const described = describedWork(answer);
        if (described === null) return 'CANNOT_TELL';
        return fitOfReference(referenceAround(match.source, match), namedWork(workOf(described.csl)));
      }),
  }),
);
