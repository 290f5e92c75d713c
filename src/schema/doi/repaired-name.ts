// The repaired name of a warning: a DOI with all fields, including its own warnings.

import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';
import { DoiType, doiOrNull } from './doi.ts';
import { DoiWarningType } from './doi-warning.ts';

/**
 * The price counts five warnings for each list, but a name may have ten with a repaired name, and each repaired name has
 * warnings again. So each repaired name counts twice. Then no name has more warnings than the client paid for.
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
