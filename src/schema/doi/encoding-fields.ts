// The forms a DOI is written in, as fields of DOI.

import * as forms from '../../doi/encoding-forms.ts';
import { DOI_ENCODINGS } from '../../doi/encoding-table.ts';
import { builder } from '../builder.ts';
import { SHAREABLE } from '../federation/federation-directives.ts';
import { priced } from '../field-price.ts';
import { DoiType, ofName } from './doi.ts';
import { DoiEncodingFormEnum, DoiEncodingType, encodingsOf } from './encoding-list.ts';
import { ProxyUrlInput, proxyUrlOrError } from './proxy-url-input.ts';

const UrlEncodingEnum = builder.enumType('URLEncoding', {
  description: 'How much of a URL is percent-encoded.',
  values: {
    MANDATORY: { description: 'Only what must be encoded: `%`, `"`, `#`, space and `?`; and all non-ASCII.' },
    RECOMMENDED: {
      description:
        'What browsers and mail programs stumble over as well, dot segments among it. The default.',
    },
  },
});

const NOTHING_ASKED = {};

builder.objectFields(DoiType, (t) => ({
  display: t.string({
    directives: SHAREABLE,
    description: 'For people: `doi:10.1000/456#789`, unencoded.',
    resolve: ofName(forms.displayForm),
  }),
  uri: t.string({
    directives: SHAREABLE,
    description: 'The DOI Name URI: `doi:10.1000/456%23789`.',
    resolve: ofName(forms.uriForm),
  }),
  url: t.string({
    description: 'The link to give to people and browsers: `https://doi.org/10.1000/456%23789`.',
    args: {
      encoding: t.arg({
        type: UrlEncodingEnum,
        defaultValue: 'RECOMMENDED',
        description:
          'How much is percent-encoded: of `10.1000/<1>`, MANDATORY leaves `<` and `>` as they are.',
      }),
    },
    resolve: ({ name }, { encoding }) =>
      encoding === 'MANDATORY' ? forms.mandatoryUrl(name) : forms.recommendedUrl(name),
  }),
  dxUrl: t.string({
    description: 'The link as it was written in 2000: `http://dx.doi.org/10.1000/456%23789`.',
    resolve: ofName(forms.dxUrl),
  }),
  urn: t.string({
    directives: SHAREABLE,
    description: 'The URN form, a colon for the first slash: `urn:doi:10.1000:456%23789`.',
    resolve: ofName(forms.urnForm),
  }),
  urnUrl: t.string({
    description: 'The URN form as a link: `https://doi.org/urn:doi:10.1000:456%23789`.',
    resolve: ofName(forms.urnUrl),
  }),
  infoUri: t.string({
    description: 'The info URI: `info:doi/10.1000/456%23789`.',
    resolve: ofName(forms.infoUri),
  }),
  handleUri: t.string({
    description: 'The handle URI: `hdl:10.1000/456%23789`.',
    resolve: ofName(forms.handleUri),
  }),
  apiUrl: t.string({
    description:
      'Where the handle record is as JSON: `https://doi.org/api/handles/10.1000/456%23789`. It follows the URI scheme to the letter and does not guard dot segments.',
    resolve: ofName(forms.apiUrl),
  }),
  whichRaUrl: t.string({
    description: 'Where the registration agency is named: `https://doi.org/doiRA/10.1000/a%2Cb`.',
    resolve: ofName(forms.whichRaUrl),
  }),
  proxyUrl: t.string({
    description:
      'The link with query parameters of the DOI proxy: `https://doi.org/10.1000/1?noredirect&type=URL`.',
    args: {
      parameters: t.arg({
        type: ProxyUrlInput,
        description:
          'What to ask of the proxy: `{noRedirect: true, types: ["URL"]}`. Left out: the same link as `url`.',
      }),
    },
    resolve: ({ name }, { parameters }) => proxyUrlOrError(name, parameters ?? NOTHING_ASKED),
  }),
  webForm: t.string({
    description: 'For web forms and batch jobs, where only `%` is encoded: `10.1000/100%25`.',
    resolve: ofName(forms.webForm),
  }),
  html: t.string({
    description:
      'An HTML link, ready to insert: `<a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a>`.',
    resolve: ofName(forms.htmlLink),
  }),
  markdown: t.string({
    description: 'A CommonMark link, its text escaped: `[doi\\:10\\.1000\\/1](https://doi.org/10.1000/1)`.',
    resolve: ofName(forms.markdownLink),
  }),
  utf8Hex: t.string({
    description: 'The bytes of the name in UTF-8: `31 30 2E 31`.',
    resolve: ofName(forms.utf8Hex),
  }),
  codePoints: t.stringList({
    description: 'The code points of the name, which tell look-alikes apart: `["U+0031", "U+0030"]`.',
    ...priced({ field: 20, multiplier: 1 }),
    resolve: ofName(forms.codePoints),
  }),
  encodings: t.field({
    type: [DoiEncodingType],
    description: 'The forms as a list with labels, for tables and pickers: those asked for, or all.',
    args: {
      forms: t.arg({
        type: [DoiEncodingFormEnum],
        description: 'The forms to list, in this order, each once: `[URL_RECOMMENDED, URN]`. Left out: all.',
      }),
    },
    ...priced(({ forms: asked }: { readonly forms?: readonly string[] | null }) => ({
      field: 1 + (asked?.length ?? 0),
      multiplier: Math.max(1, asked?.length ?? Object.keys(DOI_ENCODINGS).length),
    })),
    resolve: ({ name }, { forms: asked }) => encodingsOf(name, asked),
  }),
}));
