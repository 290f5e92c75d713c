// The fields of the type DOI that return the name in one of its forms.

import type { DoiName } from 'doi-names';
import {
  DOI_ENCODINGS,
  type DoiEncodingForm,
  encodingForms as forms,
  type ProxyUrlParameters,
} from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { builder, describedEnum } from '../builder.ts';
import { SHAREABLE } from '../federation/federation-directives.ts';
import { priced } from '../field-price.ts';
import { DoiType, ofName } from './doi.ts';

// Looked up once, because each name of a list calls them.
const { mandatoryUrl, proxyQuery, recommendedUrl } = forms;

const ProxyUrlInput = builder.inputType('ProxyUrlInput', {
  description:
    'The query parameters of the DOI proxy. The link contains only the given parameters that are not false.',
  fields: (t) => ({
    noRedirect: t.boolean({ description: '`noredirect`: show the handle values instead of redirecting.' }),
    ignoreAliases: t.boolean({ description: '`ignore_aliases`: do not follow HS_ALIAS values.' }),
    auth: t.boolean({
      description: '`auth`: look the name up at an authoritative server, without the cache.',
    }),
    cert: t.boolean({ description: '`cert`: request an authenticated response.' }),
    indexes: t.intList({ description: '`index=N` for each item: only the values with these indexes.' }),
    types: t.stringList({ description: '`type=T` for each item: only the values of these types.' }),
    urlAppend: t.string({ description: '`urlappend=`: the text that the proxy appends to the target URL.' }),
    locatt: t.stringList({
      description: '`locatt=key:value` for each item: chooses among several locations.',
    }),
    country: t.string({
      description:
        '`country=`: the country of the reader as ISO 3166 alpha-2. It chooses among several locations.',
    }),
    showUrls: t.boolean({ description: '`action=showurls`: list the locations as XML.' }),
    nols: t.boolean({ description: '`nols=y`: do not redirect to a local service.' }),
  }),
});

const queries = new WeakMap<ProxyUrlParameters, string>();

/** Throws BAD_USER_INPUT for half a character (an unpaired surrogate), because it cannot be encoded. */
function proxyUrlOrError(name: DoiName, parameters: ProxyUrlParameters): string {
  // All names of one selection share the object `parameters`, so the query string is made only once.
  const query = queries.get(parameters) ?? proxyQuery(checkWellFormed(parameters));
  queries.set(parameters, query);
  return recommendedUrl(name) + query;
}

function checkWellFormed(parameters: ProxyUrlParameters): ProxyUrlParameters {
  const texts = [parameters.urlAppend, parameters.country, parameters.types, parameters.locatt].flat();
  if (texts.every((text) => text?.isWellFormed() ?? true)) return parameters;
  throw new GatewayError('BAD_USER_INPUT', {
    message:
      'A parameter holds an unpaired surrogate, which is half a character. Send whole Unicode characters.',
  });
}

const FORMS = Object.keys(DOI_ENCODINGS) as DoiEncodingForm[];

const DoiEncodingFormEnum = describedEnum(
  'DOIEncodingForm',
  'The forms that `DOI.encodings` lists. Each form is also a field of `DOI`.',
  Object.fromEntries(
    FORMS.map((form) => [form, `${DOI_ENCODINGS[form].label}: ${DOI_ENCODINGS[form].sourceDocument}.`]),
  ) as Record<DoiEncodingForm, string>,
);

interface DoiEncodingSource {
  readonly form: DoiEncodingForm;
  readonly name: DoiName;
}

const DoiEncodingType = builder.objectRef<DoiEncodingSource>('DOIEncoding').implement({
  description: 'One form of a DOI name, with a label and the document that defines the form.',
  fields: (t) => ({
    form: t.expose('form', {
      type: DoiEncodingFormEnum,
      description: 'The form, for programs: `URN`, `MARKDOWN`.',
    }),
    label: t.string({
      description: 'The label of the form in a user interface: `URN`, `Markdown link`.',
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

const UrlEncodingEnum = describedEnum('URLEncoding', 'How much of a URL is percent-encoded.', {
  MANDATORY: 'Encodes only `%`, `"`, `#`, `?`, spaces and characters outside ASCII.',
  RECOMMENDED:
    'Also encodes dot segments, and characters that browsers and mail programs misread. The default.',
});

/** One object, because `queries` is a map by object. */
const NO_PARAMETERS = {};

builder.objectFields(DoiType, (t) => {
  const field = (encode: (name: DoiName) => string, description: string, directives = {}) =>
    t.string({ description, directives, resolve: ofName(encode) });
  return {
    display: field(forms.displayForm, 'For people, not encoded: `doi:10.1000/456#789`.', SHAREABLE),
    uri: field(forms.uriForm, 'The DOI Name URI: `doi:10.1000/456%23789`.', SHAREABLE),
    url: t.string({
      description: 'The link to give to people and browsers: `https://doi.org/10.1000/456%23789`.',
      args: {
        encoding: t.arg({
          type: UrlEncodingEnum,
          defaultValue: 'RECOMMENDED',
          description:
            'How much of the link is percent-encoded. In `10.1000/<1>`, MANDATORY does not encode `<` and `>`.',
        }),
      },
      resolve: ({ name }, { encoding }) =>
        encoding === 'MANDATORY' ? mandatoryUrl(name) : recommendedUrl(name),
    }),
    dxUrl: field(forms.dxUrl, 'The link as it was written in 2000: `http://dx.doi.org/10.1000/456%23789`.'),
    urn: field(
      forms.urnForm,
      'The URN form, with a colon instead of the first slash: `urn:doi:10.1000:456%23789`.',
      SHAREABLE,
    ),
    urnUrl: field(forms.urnUrl, 'The URN form as a link: `https://doi.org/urn:doi:10.1000:456%23789`.'),
    infoUri: field(forms.infoUri, 'The info URI: `info:doi/10.1000/456%23789`.'),
    handleUri: field(forms.handleUri, 'The handle URI: `hdl:10.1000/456%23789`.'),
    apiUrl: field(
      forms.apiUrl,
      'The address of the handle record as JSON: `https://doi.org/api/handles/10.1000/456%23789`. It follows the DOI URI scheme exactly, so it does not encode dot segments.',
    ),
    whichRaUrl: field(
      forms.whichRaUrl,
      'The address of the Which RA service for this name: `https://doi.org/doiRA/10.1000/a%2Cb`.',
    ),
    proxyUrl: t.string({
      description:
        'The link with query parameters of the DOI proxy: `https://doi.org/10.1000/1?noredirect&type=URL`.',
      args: {
        parameters: t.arg({
          type: ProxyUrlInput,
          description:
            'The parameters: `{noRedirect: true, types: ["URL"]}`. Default: none, so the link is the same as `url`.',
        }),
      },
      resolve: ({ name }, { parameters }) => proxyUrlOrError(name, parameters ?? NO_PARAMETERS),
    }),
    webForm: field(
      forms.webForm,
      'For web forms and batch jobs, in which only `%` is encoded: `10.1000/100%25`.',
    ),
    html: field(
      forms.htmlLink,
      'An HTML link, ready to insert: `<a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a>`.',
    ),
    markdown: field(
      forms.markdownLink,
      'A CommonMark link with escaped text: `[doi\\:10\\.1000\\/1](https://doi.org/10.1000/1)`.',
    ),
    utf8Hex: field(forms.utf8Hex, 'The bytes of the name in UTF-8: `31 30 2E 31`.'),
    codePoints: t.stringList({
      description: 'The code points of the name, which distinguish look-alikes: `["U+0031", "U+0030"]`.',
      ...priced({ field: 20, multiplier: 1 }),
      resolve: ofName(forms.codePoints),
    }),
    encodings: t.field({
      type: [DoiEncodingType],
      description:
        'The forms as a list with labels, for tables and menus: `encodings(forms: [URN]) { label value }`.',
      args: {
        forms: t.arg({
          type: [DoiEncodingFormEnum],
          description:
            'The forms to list, in this order, each once: `[URL_RECOMMENDED, URN]`. Default: all forms.',
        }),
      },
      ...priced(({ forms: requested }: { readonly forms?: readonly string[] | null }) => ({
        field: 1 + (requested?.length ?? 0),
        multiplier: Math.max(1, requested?.length ?? FORMS.length),
      })),
      resolve: ({ name }, { forms: requested }) =>
        [...new Set(requested ?? FORMS)].map((form) => ({ form, name })),
    }),
  };
});
