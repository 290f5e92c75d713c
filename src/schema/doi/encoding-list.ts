// Encoding forms as a list, for tables and pickers.

import { DOI_ENCODINGS, type DoiEncodingForm } from '../../doi/encoding-table.ts';
import type { DoiName } from '../../doi/name.ts';
import { builder } from '../builder.ts';

const FORMS = Object.keys(DOI_ENCODINGS) as DoiEncodingForm[];

export const DoiEncodingFormEnum = builder.enumType('DOIEncodingForm', {
  description: 'The forms that `DOI.encodings` lists, each also a field of `DOI`.',
  values: Object.fromEntries(
    FORMS.map((form) => [
      form,
      { description: `${DOI_ENCODINGS[form].label}: ${DOI_ENCODINGS[form].sourceDocument}.` },
    ]),
  ) as Record<DoiEncodingForm, { description: string }>,
});

export interface DoiEncodingSource {
  readonly form: DoiEncodingForm;
  readonly name: DoiName;
}

export const DoiEncodingType = builder.objectRef<DoiEncodingSource>('DOIEncoding').implement({
  description: 'One form of a DOI name, with what to call it and where it is defined.',
  fields: (t) => ({
    form: t.field({
      type: DoiEncodingFormEnum,
      description: 'Which form it is, for programs: `URN`, `MARKDOWN`.',
      resolve: ({ form }) => form,
    }),
    label: t.string({
      description: 'What to call the form in a user interface: `URN`, `Markdown link`.',
      resolve: ({ form }) => DOI_ENCODINGS[form].label,
    }),
    value: t.string({
      description: 'The name in this form. `CODE_POINTS` are joined by spaces.',
      resolve: ({ form, name }) => DOI_ENCODINGS[form].encode(name),
    }),
    sourceDocument: t.string({
      description: 'The document that defines the form: `ANSI/NISO Z39.84-2000`, `RFC 4452`.',
      resolve: ({ form }) => DOI_ENCODINGS[form].sourceDocument,
    }),
  }),
});

/** The asked-for forms in the order asked, each once; all of them when none is asked for. */
export function encodingsOf(
  name: DoiName,
  forms: readonly DoiEncodingForm[] | null | undefined,
): DoiEncodingSource[] {
  return [...new Set(forms ?? FORMS)].map((form) => ({ form, name }));
}
