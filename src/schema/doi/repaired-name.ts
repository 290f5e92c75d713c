// The field DOIWarning.repaired: the repaired name as a DOI with all its fields.

import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';
import { DoiType, doiOrNull } from './doi.ts';
import { DoiWarningType } from './doi-warning.ts';

/**
 * The price assumes five warnings in each list, but a name can have ten warnings with a repaired name. A multiplier of 2
 * covers the ten. It must cover them, because each repaired name can have warnings again.
 */
const REPAIRED_NAME = { field: 1, multiplier: 2 };

builder.objectField(DoiWarningType, 'repaired', (t) =>
  t.field({
    type: DoiType,
    nullable: true,
    ...priced(REPAIRED_NAME),
    description:
      'The name without the problem: `10.1000/182` for `10.1000/182).` The gateway never uses it instead of the name. To find out whether it exists, select `exists`. Null if no repair is known, or if the repaired text is not a DOI name.',
    resolve: ({ repaired }) => doiOrNull(repaired),
  }),
);
