import type { DoiForm } from 'doi-names';
import { builder, describedEnum } from '../builder.ts';
import { PRICED_BY_INPUT, PRICED_BY_INPUTS } from '../field-price.ts';

export const DoiFormEnum = describedEnum<DoiForm>(
  'DOIForm',
  'The forms in which a DOI name is written, each with its own encoding rules.',
  {
    NAME: 'The DOI name itself: `10.1000/456#789`. The gateway trims and decodes nothing.',
    WEB_FORM: 'The name for web forms and batch jobs, in which only `%` is encoded: `10.1000/100%25`.',
    URI: 'The DOI Name URI: `doi:10.1000/456%23789`. The gateway also recognises it without percent-encoding, and as `DOI 10.1000/456`.',
    URL: 'A link to a DOI proxy: `https://doi.org/10.1000/456%23789`. The link can go through the proxy server of a library.',
    URN: 'The URN form, with a colon for the first slash: `urn:doi:10.1000:456%23789`.',
    INFO_URI: 'The info URI: `info:doi/10.1000/456%23789`.',
    HANDLE_URI:
      'The handle forms: `hdl:10.1000/456%23789`, `info:hdl/10.1000/456`, `https://hdl.handle.net/10.1000/456%23789`.',
  },
);

/** Options of a query that reads one input. */
export const ONE_INPUT = {
  ...PRICED_BY_INPUT,
  args: builder.args((t) => ({
    input: t.string({
      required: true,
      description: 'A DOI name in any form: `10.1000/182`, `https://doi.org/10.1000/182`.',
    }),
    form: t.field({
      type: DoiFormEnum,
      description: 'Read the input only as this form. Default: recognise the form.',
    }),
  })),
};

export const FORM_OF_ALL_ARGUMENT = {
  type: DoiFormEnum,
  description: 'Read every input only as this form. Default: recognise the form of each input.',
};

/** Options of a query that reads a list of inputs. */
export const MANY_INPUTS = {
  ...PRICED_BY_INPUTS,
  args: builder.args((t) => ({
    inputs: t.stringList({
      required: true,
      description: 'DOI names, each in any form: `["10.1000/182", "doi:10.1000/456%23789"]`.',
    }),
    form: t.field(FORM_OF_ALL_ARGUMENT),
  })),
};
