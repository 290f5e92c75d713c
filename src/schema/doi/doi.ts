// The DOI: its parts and its agency. Its encoding forms are in encoding-fields.ts, and what its handle record says in
// handle/record-fields.ts.

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
import { LOOK_UP, priced, priceOfInputs } from '../field-price.ts';
import { remembered } from '../remembered.ts';
import { FORM_ARGUMENT, FORM_OF_ALL_ARGUMENT, INPUT_ARGUMENT, INPUTS_ARGUMENT } from './doi-form.ts';
import { DoiWarningType } from './doi-warning.ts';
import { nameOrError } from './invalid-doi.ts';
import { existingSuggestions, MAX_CANDIDATES } from './suggestions.ts';

const DIRECTORY_FIELD = { ...priced(LOOK_UP), directives: ASKS_DIRECTORY };

/** A DOI as the schema hands it from field to field. */
export interface Doi {
  readonly name: DoiName;
  /** how another subgraph spells it, where that is how it got here */
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

/** The fields of a DOI that are functions of its name alone. */
export function ofName<Value>(compute: (name: DoiName) => Value): (doi: Doi) => Value {
  return ({ name }) => compute(name);
}

export const DoiType = builder.objectRef<Doi>('DOI');

DoiType.implement({
  ...remembered<Doi>(({ name, ref }) => (ref === null ? name : null)),
  directives: keys('id', 'name', 'canonicalName', 'ref'),
  description:
    'A DOI name in one spelling. All computed fields are functions of `id`; two spellings of one DOI are two objects with one `canonicalName`.',
  fields: (t) => ({
    id: t.id({
      description:
        'The DOI Name URI of this very spelling: `doi:10.1000/456%23789`. `doi(input: id)` gives it back.',
      resolve: ofName(uriForm),
    }),
    name: t.exposeString('name', {
      description: 'The DOI name itself, unencoded, case as given: `10.1000/456#789`.',
    }),
    canonicalName: t.string({
      directives: SHAREABLE,
      description:
        'The spelling that all equivalent names share: Basic Latin letters in lower case, nothing else changed. The key to compare and store by.',
      resolve: ofName(canonicalName),
    }),
    ref: t.string({
      directives: { inaccessible: {} },
      description:
        'For catalogs that stored DOIs in whatever spelling: read in any form, `https://doi.org/10.1000/182`, and given back as it was sent. Clients of a federated API do not see it; elsewhere it is `uri`.',
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
      description: '`10` in every DOI name: what stands before the first full stop.',
      resolve: ({ name }) => name.slice(0, name.indexOf('.')),
    }),
    registrantCode: t.string({
      description: '`1000` of `10.1000/456#789`; `1000.10` where it is subdivided.',
      resolve: ({ name }) => prefixOf(name).slice(name.indexOf('.') + 1),
    }),

    warnings: t.field({
      type: [DoiWarningType],
      description:
        'Warnings: parts of this name that are legal but likely to cause trouble. Empty for most names.',
      resolve: ofName((name) => doiWarnings(name, lookalikes)),
    }),

    registrationAgency: t.field({
      type: RegistrationAgencyType,
      ...DIRECTORY_FIELD,
      nullable: true,
      description:
        'The agency that registered the name. Null unless `whichRa.status` is FOUND, and on an error.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.whichRa(name), agencyOf),
    }),
    whichRa: t.field({
      type: WhichRaType,
      ...DIRECTORY_FIELD,
      nullable: true,
      description: 'The answer of the Which RA service for the name. Never null without an error.',
      resolve: ({ name }, _args, { loaders }) => loaders.whichRa(name),
    }),
    suggestions: t.field({
      type: [DoiType],
      nullable: true,
      ...priced({ field: MAX_CANDIDATES * LOOK_UP.field, multiplier: 5 }),
      directives: ASKS_DIRECTORY,
      description:
        'Names that exist and are close to this one, which was not found: as its `warnings` repair it, with ASCII hyphens; else the only one with two digits swapped or a doubled digit once. At most ten names are looked up. Empty for a name that is found; null only with an error.',
      resolve: async ({ name }, _args, { loaders }) => (await existingSuggestions(name, loaders)).map(doiOf),
    }),
  }),
});

builder.queryFields((t) => ({
  doi: t.field({
    type: DoiType,
    nullable: true,
    description:
      'One DOI from any of its forms: `doi(input: "https://doi.org/10.1000/456%23789")`. Null with the error INVALID_DOI when it cannot be read.',
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
      'Many DOIs at once; order and duplicates are kept. One that cannot be read is null, with an error at its own place, and costs the others nothing.',
    args: { inputs: t.arg.stringList(INPUTS_ARGUMENT), form: t.arg(FORM_OF_ALL_ARGUMENT) },
    ...priced(({ inputs }: { readonly inputs: readonly string[] }) => priceOfInputs(inputs)),
    // One by one, so that others get their turn: an error takes ten times as long as a name.
    *resolve(_root, args) {
      for (const input of args.inputs) yield doiOrError(parseDoi(input, args.form ?? null)) as Doi;
    },
  }),
}));
