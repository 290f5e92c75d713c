// The type DOI: the parts of the name, and its agency. Other files add fields: encoding-fields.ts adds the forms of the
// name, and handle/record-fields.ts adds the content of its handle record.

import { uriForm } from '../../doi/encoding-forms.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { canonicalName, type DoiName, prefixOf, suffixOf } from '../../doi/name.ts';
import { type ParsedDoi, parseDoi } from '../../doi/parse.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { GatewayError } from '../../errors.ts';
import { mapSoon } from '../../time.ts';
import { agencyOf, RegistrationAgencyType } from '../agency/registration-agency.ts';
import { WhichRaType } from '../agency/which-ra-type.ts';
import { builder } from '../builder.ts';
import { ASKS_DIRECTORY, keys, SHAREABLE } from '../federation/federation-directives.ts';
import { LOOK_UP_PRICE, priced, priceOfInputs } from '../field-price.ts';
import { remembered } from '../remembered.ts';
import { FORM_ARGUMENT, FORM_OF_ALL_ARGUMENT, INPUT_ARGUMENT, INPUTS_ARGUMENT } from './doi-form.ts';
import { DoiWarningType } from './doi-warning.ts';
import { nameOrError } from './invalid-doi.ts';
import { existingSuggestions, MAX_CANDIDATES } from './suggestions.ts';

const DIRECTORY_FIELD = { ...priced(LOOK_UP_PRICE), directives: ASKS_DIRECTORY };

/** The source object of the type DOI. */
export interface Doi {
  readonly name: DoiName;
  /** the value of the key `ref` if another subgraph used this key, else null */
  readonly ref: string | null;
}

export function doiOf(name: DoiName): Doi {
  return { name, ref: null };
}

export function doiOrNull(name: DoiName | null): Doi | null {
  return name === null ? null : doiOf(name);
}

function doiOrError(parsed: ParsedDoi): Doi | GatewayError {
  const name = nameOrError(parsed);
  return name instanceof GatewayError ? name : doiOf(name);
}

/** Makes the resolver of a field that depends only on the name. */
export function ofName<Value>(compute: (name: DoiName) => Value): (doi: Doi) => Value {
  return ({ name }) => compute(name);
}

export const DoiType = builder.objectRef<Doi>('DOI');

DoiType.implement({
  ...remembered<Doi>(({ name, ref }) => (ref === null ? name : null)),
  directives: keys('id', 'name', 'canonicalName', 'ref'),
  description:
    'A DOI name in one spelling. The `id` determines all computed fields. Two spellings of one DOI are two objects with the same `canonicalName`.',
  fields: (t) => ({
    id: t.id({
      description:
        'The DOI Name URI of exactly this spelling: `doi:10.1000/456%23789`. `doi(input: id)` returns the same object.',
      resolve: ofName(uriForm),
    }),
    name: t.exposeString('name', {
      description: 'The DOI name itself, not encoded and in unchanged case: `10.1000/456#789`.',
    }),
    canonicalName: t.string({
      directives: SHAREABLE,
      description:
        'The spelling that all equivalent names share: only Basic Latin letters are changed, to lower case. Use it to compare names and as a key in your database.',
      resolve: ofName(canonicalName),
    }),
    ref: t.string({
      directives: { inaccessible: {} },
      description:
        'A key for catalogs that store DOIs in any form, such as `https://doi.org/10.1000/182`. The gateway returns `ref` exactly as the catalog sent it, or `uri` if the catalog sent no `ref`. Clients of a federated API do not see this field.',
      resolve: ({ name, ref }) => ref ?? uriForm(name),
    }),
    prefix: t.string({
      directives: SHAREABLE,
      description: '`10.1000` of `10.1000/456#789`.',
      resolve: ofName(prefixOf),
    }),
    suffix: t.string({
      directives: SHAREABLE,
      description: '`456#789` of `10.1000/456#789`.',
      resolve: ofName(suffixOf),
    }),
    directoryIndicator: t.string({
      description: 'The part before the first full stop: `10` in every DOI name.',
      resolve: ({ name }) => name.slice(0, name.indexOf('.')),
    }),
    registrantCode: t.string({
      description: '`1000` of `10.1000/456#789`. A code can have several parts: `1000.10`.',
      resolve: ({ name }) => prefixOf(name).slice(name.indexOf('.') + 1),
    }),

    warnings: t.field({
      type: [DoiWarningType],
      description:
        'Parts of this name that are legal but will probably cause a problem. Empty for most names.',
      resolve: ofName((name) => doiWarnings(name, lookalikes)),
    }),

    registrationAgency: t.field({
      type: RegistrationAgencyType,
      ...DIRECTORY_FIELD,
      nullable: true,
      description:
        'The agency that registered the name. Null with an error, or if `whichRa.status` is not FOUND.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.whichRa(name), agencyOf),
    }),
    whichRa: t.field({
      type: WhichRaType,
      ...DIRECTORY_FIELD,
      nullable: true,
      description: 'The answer of the Which RA service for the name. Null only with an error.',
      resolve: ({ name }, _args, { loaders }) => loaders.whichRa(name),
    }),
    suggestions: t.field({
      type: [DoiType],
      nullable: true,
      ...priced({ field: MAX_CANDIDATES * LOOK_UP_PRICE.field, multiplier: 5 }),
      directives: ASKS_DIRECTORY,
      description:
        'If this name is not found: registered names that are similar. First the gateway tries the repairs of `warnings`. If none of these names exists, it swaps two digits or removes a doubled digit, and suggests a name if exactly one such name exists. It looks up at most ten names. Empty if this name is found. Null only with an error.',
      resolve: async ({ name }, _args, { loaders }) => (await existingSuggestions(name, loaders)).map(doiOf),
    }),
  }),
});

builder.queryFields((t) => ({
  doi: t.field({
    type: DoiType,
    nullable: true,
    description:
      'One DOI from any of its forms: `doi(input: "https://doi.org/10.1000/456%23789")`. If the input is not a DOI, null with the error INVALID_DOI.',
    args: { input: t.arg.string(INPUT_ARGUMENT), form: t.arg(FORM_ARGUMENT) },
    ...priced(({ input }: { readonly input: string }) => priceOfInputs([input])),
    resolve: (_root, args) => {
      const doi = doiOrError(parseDoi(args.input, args.form ?? null));
      if (doi instanceof Error) throw doi;
      return doi;
    },
  }),
  dois: t.field({
    type: [DoiType],
    nullable: { list: false, items: true },
    description:
      'Many DOIs at once: `dois(inputs: ["10.1000/182", "doi:10.1000/1"])`. Order and duplicates are kept. An input that is not a DOI is null, with an error at its own position. The other inputs are not affected.',
    args: { inputs: t.arg.stringList(INPUTS_ARGUMENT), form: t.arg(FORM_OF_ALL_ARGUMENT) },
    ...priced(({ inputs }: { readonly inputs: readonly string[] }) => priceOfInputs(inputs)),
    // A generator, so that the executor can pause between two items: an error takes ten times as long as a name.
    *resolve(_root, args) {
      for (const input of args.inputs) yield doiOrError(parseDoi(input, args.form ?? null)) as Doi;
    },
  }),
}));
