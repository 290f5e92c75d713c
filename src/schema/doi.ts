// The DOI: its computed forms, and what the directory knows of it.

import * as forms from '../doi/encode.ts';
import { DOI_ENCODINGS } from '../doi/encodings.ts';
import { canonicalName, type DoiName, prefixOf, suffixOf } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';
import { doiWarnings } from '../doi/warnings.ts';
import { builder, costOfInputs } from './builder.ts';
import { DoiFormEnum } from './doi-form.ts';
import { DoiEncodingFormEnum, DoiEncodingType, encodingsOf } from './encoding.ts';
import { answeredRecord, nameOrError } from './errors.ts';
import { HandleRecordType } from './handle-record.ts';
import { ProxyUrlInput, proxyUrlOrError } from './proxy-url.ts';
import { agencyOf, RegistrationAgencyType } from './registration-agency.ts';
import { DoiWarningType } from './warning.ts';
import { WhichRaType } from './which-ra.ts';

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

/** A look-up in the directory costs more than a field that is computed. */
const DIRECTORY_COST = { field: 20, multiplier: 1 };

export const DoiType = builder.objectRef<DoiName>('DOI');

DoiType.implement({
  description:
    'A DOI name in one spelling. All computed fields are functions of `id`; two spellings of one DOI are two objects with one `canonicalName`.',
  fields: (t) => ({
    id: t.id({
      description:
        'The DOI Name URI of this very spelling: `doi:10.1000/456%23789`. `doi(input: id)` gives it back.',
      resolve: forms.uriForm,
    }),
    name: t.string({
      description: 'The DOI name itself, unencoded, case as given: `10.1000/456#789`.',
      resolve: (name) => name,
    }),
    canonicalName: t.string({
      description:
        'The spelling that all equivalent names share: Basic Latin letters in lower case, nothing else changed. The key to compare and store by.',
      resolve: canonicalName,
    }),
    prefix: t.string({ description: '`10.1000` of `10.1000/456#789`.', resolve: prefixOf }),
    suffix: t.string({ description: '`456#789` of `10.1000/456#789`.', resolve: suffixOf }),
    directoryIndicator: t.string({
      description: '`10` in every DOI name: what stands before the first full stop.',
      resolve: (name) => name.slice(0, name.indexOf('.')),
    }),
    registrantCode: t.string({
      description: '`1000` of `10.1000/456#789`; `1000.10` where it is subdivided.',
      resolve: (name) => prefixOf(name).slice(name.indexOf('.') + 1),
    }),

    display: t.string({
      description: 'For people: `doi:10.1000/456#789`, unencoded.',
      resolve: forms.displayForm,
    }),
    uri: t.string({ description: 'The DOI Name URI: `doi:10.1000/456%23789`.', resolve: forms.uriForm }),
    url: t.string({
      description: 'The link to give to people and browsers: `https://doi.org/10.1000/456%23789`.',
      args: { encoding: t.arg({ type: UrlEncodingEnum, defaultValue: 'RECOMMENDED' }) },
      resolve: (name, { encoding }) =>
        encoding === 'MANDATORY' ? forms.mandatoryUrl(name) : forms.recommendedUrl(name),
    }),
    dxUrl: t.string({
      description: 'The link as it was written in 2000: `http://dx.doi.org/10.1000/456%23789`.',
      resolve: forms.dxUrl,
    }),
    urn: t.string({
      description: 'The URN form, a colon for the first slash: `urn:doi:10.1000:456%23789`.',
      resolve: forms.urnForm,
    }),
    urnUrl: t.string({
      description: 'The URN form as a link: `https://doi.org/urn:doi:10.1000:456%23789`.',
      resolve: forms.urnUrl,
    }),
    infoUri: t.string({ description: 'The info URI: `info:doi/10.1000/456%23789`.', resolve: forms.infoUri }),
    handleUri: t.string({
      description: 'The handle URI: `hdl:10.1000/456%23789`.',
      resolve: forms.handleUri,
    }),
    apiUrl: t.string({
      description:
        'Where the handle record is as JSON: `https://doi.org/api/handles/10.1000/456%23789`. It follows the URI scheme to the letter and does not guard dot segments.',
      resolve: forms.apiUrl,
    }),
    whichRaUrl: t.string({
      description: 'Where the registration agency is named: `https://doi.org/doiRA/10.1000/a%2Cb`.',
      resolve: forms.whichRaUrl,
    }),
    proxyUrl: t.string({
      description:
        'The link with query parameters of the DOI proxy: `https://doi.org/10.1000/1?noredirect&type=URL`.',
      args: { parameters: t.arg({ type: ProxyUrlInput }) },
      resolve: (name, { parameters }) => proxyUrlOrError(name, parameters ?? {}),
    }),
    webForm: t.string({
      description: 'For web forms and batch jobs, where only `%` is encoded: `10.1000/100%25`.',
      resolve: forms.webForm,
    }),
    html: t.string({
      description:
        'An HTML link, ready to insert: `<a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a>`.',
      resolve: forms.htmlLink,
    }),
    markdown: t.string({
      description: 'A CommonMark link, its text escaped: `[doi\\:10\\.1000\\/1](https://doi.org/10.1000/1)`.',
      resolve: forms.markdownLink,
    }),
    utf8Hex: t.string({
      description: 'The bytes of the name in UTF-8: `31 30 2E 31`.',
      resolve: forms.utf8Hex,
    }),
    codePoints: t.stringList({
      description: 'The code points of the name, which tell look-alikes apart: `["U+0031", "U+0030"]`.',
      complexity: 1,
      resolve: forms.codePoints,
    }),
    encodings: t.field({
      type: [DoiEncodingType],
      description: 'The forms as a list with labels, for tables and pickers: those asked for, or all.',
      args: { forms: t.arg({ type: [DoiEncodingFormEnum] }) },
      complexity: ({ forms: asked }) => ({
        field: 1,
        multiplier: asked?.length ?? Object.keys(DOI_ENCODINGS).length,
      }),
      resolve: (name, { forms: asked }) => encodingsOf(name, asked),
    }),
    warnings: t.field({
      type: [DoiWarningType],
      description: 'What is legal in this name but likely to go wrong somewhere. Empty for most names.',
      resolve: doiWarnings,
    }),

    record: t.field({
      type: HandleRecordType,
      complexity: DIRECTORY_COST,
      nullable: true,
      description:
        'The handle record. Never null without an error: a name that is not found has a record that says so.',
      args: {
        auth: t.arg.boolean({
          defaultValue: false,
          description: 'Ask an authoritative server, past every cache.',
        }),
        cert: t.arg.boolean({
          defaultValue: false,
          description: 'Have the directory authenticate the answer.',
        }),
      },
      resolve: (name, { auth, cert }, { loaders }) =>
        loaders.record(name, { auth: auth ?? false, cert: cert ?? false }),
    }),
    exists: t.boolean({
      complexity: DIRECTORY_COST,
      nullable: true,
      description: 'Whether the directory knows the name. Never null without an error.',
      resolve: async (name, _args, { loaders }) =>
        answeredRecord(await loaders.record(name)).status !== 'HANDLE_NOT_FOUND',
    }),
    registrationAgency: t.field({
      type: RegistrationAgencyType,
      complexity: DIRECTORY_COST,
      nullable: true,
      description:
        'The agency that registered the name. Null unless `whichRa.status` is FOUND, and on an error.',
      resolve: async (name, _args, { loaders }) => agencyOf(await loaders.whichRa(name)),
    }),
    whichRa: t.field({
      type: WhichRaType,
      complexity: DIRECTORY_COST,
      nullable: true,
      description: 'What the Which RA service says of the name. Never null without an error.',
      resolve: (name, _args, { loaders }) => loaders.whichRa(name),
    }),
  }),
});

const form = {
  description: 'Read the input as this form alone. Left out: recognise the form.',
  type: DoiFormEnum,
};

builder.queryFields((t) => ({
  doi: t.field({
    type: DoiType,
    nullable: true,
    description:
      'One DOI from any of its forms: `doi(input: "https://doi.org/10.1000/456%23789")`. Null with the error INVALID_DOI when it cannot be read.',
    args: { input: t.arg.string({ required: true }), form: t.arg(form) },
    complexity: ({ input }) => costOfInputs([input]),
    resolve: (_root, args) => {
      const name = nameOrError(parseDoi(args.input, args.form ?? null));
      if (name instanceof Error) throw name;
      return name;
    },
  }),
  dois: t.field({
    type: [DoiType],
    nullable: { list: false, items: true },
    description:
      'Many DOIs at once; order and duplicates are kept. One that cannot be read is null, with an error at its own place, and costs the others nothing.',
    args: { inputs: t.arg.stringList({ required: true }), form: t.arg(form) },
    complexity: ({ inputs }) => costOfInputs(inputs),
    resolve: (_root, args) =>
      args.inputs.map((input) => nameOrError(parseDoi(input, args.form ?? null)) as DoiName),
  }),
}));
