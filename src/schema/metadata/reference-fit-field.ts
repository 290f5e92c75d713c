// The field DOIMatch.referenceFit: whether a reference describes the work of its DOI.

import { referenceAround } from '../../doi/find/reference-around.ts';
import { CSL } from '../../metadata/metadata-format.ts';
import { fitOfReference, namedWork, type ReferenceFit } from '../../metadata/reference-fit.ts';
import { mapSoon } from '../../time.ts';
import { builder, describedEnum } from '../builder.ts';
import { DoiMatchType } from '../doi/doi-match.ts';
import { describedWork, METADATA_FIELD, workOf } from './doi-metadata.ts';

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
      "Whether the reference around the name describes the work of the name. The gateway compares it with the agency's metadata. The reference is the line, the paragraph, the list item or the BibTeX entry, at most about 2,000 characters. DOES_NOT_FIT: the DOI is real, but the reference describes another work. Null only with an error.",
    resolve: (match, _args, { loaders }) =>
      mapSoon(loaders.metadata(match.name, CSL), (answer): ReferenceFit => {
        const described = describedWork(answer, match.name);
        if (described === null) return 'CANNOT_TELL';
        return fitOfReference(referenceAround(match.source, match), namedWork(workOf(described.csl)));
      }),
  }),
);
