// Dates of which not everything may be known.

import type { PartialDate } from '../../metadata/partial-date.ts';
import { builder } from '../builder.ts';

export const PartialDateType = builder.objectRef<PartialDate>('PartialDate').implement({
  description: 'A date as far as it is known: a year at the least.',
  fields: (t) => ({
    year: t.exposeInt('year', { description: '`2020`; `-44` for 44 before the common era as CSL counts.' }),
    month: t.exposeInt('month', { nullable: true, description: 'From 1 to 12. Null where it is not known.' }),
    day: t.exposeInt('day', { nullable: true, description: 'From 1 to 31. Null where it is not known.' }),
    text: t.exposeString('text', {
      description: 'As ISO 8601 writes it: `2020`, `2020-07` or `2020-07-29`.',
    }),
  }),
});
