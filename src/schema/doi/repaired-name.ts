// The repaired name of a warning: a DOI with all fields, including its own warnings.

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
      'The name without the warned part: `10.1000/182` for `10.1000/182).` The gateway never applies it, and it may not exist: select `exists`. Null if there is nothing to remove, or if the rest is not a DOI name.',
    resolve: ({ repaired }) => doiOrNull(repaired),
  }),
);
