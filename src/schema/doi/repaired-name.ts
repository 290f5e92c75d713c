// What a warning offers instead: a DOI in its own right, warnings of its own included.

import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';
import { DoiType, doiOrNull } from './doi.ts';
import { DoiWarningType } from './doi-warning.ts';

/**
 * A list of warnings counts as five, and a name may have ten that are repaired, each with warnings again. So that
 * no name has more of them than are paid before they are looked for, each counts twice.
 */
const REPAIRED_NAME = { field: 1, multiplier: 2 };

builder.objectField(DoiWarningType, 'repaired', (t) =>
  t.field({
    type: DoiType,
    nullable: true,
    ...priced(REPAIRED_NAME),
    description:
      'The name without what the warning is about: `10.1000/182` for `10.1000/182).` Never applied by itself, and not known to exist: ask for `exists`. Null where nothing is to be taken away, or what is left is no DOI name.',
    resolve: ({ repaired }) => doiOrNull(repaired),
  }),
);
