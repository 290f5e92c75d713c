import { DOI_WARNING_CODES, type DoiWarning } from '../doi/warnings.ts';
import { builder } from './builder.ts';

const DoiWarningCodeEnum = builder.enumType('DOIWarningCode', {
  description: 'What may go wrong with a legal DOI name. The list grows: clients need a default branch.',
  values: DOI_WARNING_CODES,
});

export const DoiWarningType = builder.objectRef<DoiWarning>('DOIWarning').implement({
  description: 'Something about a DOI name that is legal and likely to go wrong somewhere.',
  fields: (t) => ({
    code: t.expose('code', { type: DoiWarningCodeEnum }),
    message: t.exposeString('message', { description: 'For people: what is the matter, and what to do.' }),
    position: t.exposeInt('position', {
      nullable: true,
      description: 'UTF-16 offset into `name` of the first place that is meant.',
    }),
  }),
});
