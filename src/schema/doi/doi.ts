// The type DOI: the parts of the name, its agency and similar names. Other files add fields: encoding-fields.ts adds the
// forms of the name, and handle/handle.ts adds the content of its handle record.

import { canonicalName, type DoiName, type ParsedDoi } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import {
  digitTypos,
  meantBy,
  nameWarnings,
  parseDoi,
  prefixOf,
  probableNames,
  quoted,
  suffixOf,
  uriForm,
} from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { isRegistered } from '../../handle/record.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import { mapSoon } from '../../time.ts';
import { agencyOf, RegistrationAgencyType, WhichRaType } from '../agency/registration-agency.ts';
import { builder, remembered } from '../builder.ts';
import { keys, SHAREABLE } from '../federation/federation-directives.ts';
import { LOOK_UP_COST, LOOK_UP_FIELD, lookUpField, priced } from '../field-price.ts';
import { MANY_INPUTS, ONE_INPUT } from './doi-form.ts';
import { DoiWarningType } from './doi-warning.ts';

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

// These limits keep an error short.
const MAX_MEANT = 5;
const MAX_MEANT_CHARACTERS = 500;

/** The error has the code and position of the problem, and the DOI names that were probably meant. */
function doiOrError(parsed: ParsedDoi): Doi | GatewayError {
  if (parsed.name !== null) return doiOf(parsed.name);
  const { code, message, position } = parsed.problem;
  const meant = meantBy(parsed, MAX_MEANT)
    .map(({ name }) => name)
    .filter((name) => name.length <= MAX_MEANT_CHARACTERS);
  const [first] = meant;
  return new GatewayError('INVALID_DOI', {
    message: first === undefined ? message : `${message} Probably meant: ${quoted(first)}.`,
    details: { reason: code, position, meant },
  });
}

/** Makes the resolver of a field that depends only on the name. */
export function ofName<Value>(compute: (name: DoiName) => Value): (doi: Doi) => Value {
  return ({ name }) => compute(name);
}

/** At most this many similar names are looked up for one name. */
const MAX_CANDIDATES = 10;

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
      resolve: ofName((name) => nameWarnings(name, lookalikes)),
    }),

    registrationAgency: t.field({
      type: RegistrationAgencyType,
      ...LOOK_UP_FIELD,
      description:
        'The agency that registered the name. Null with an error, or if `whichRa.status` is not FOUND.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.whichRa(name), agencyOf),
    }),
    whichRa: t.field({
      type: WhichRaType,
      ...LOOK_UP_FIELD,
      description: 'The response of the Which RA service for the name. Null only with an error.',
      resolve: ({ name }, _args, { loaders }) => loaders.whichRa(name),
    }),
    suggestions: t.field({
      type: [DoiType],
      ...lookUpField(MAX_CANDIDATES * LOOK_UP_COST, 5),
      description:
        'If this name is not found: registered names that are similar. First the gateway tries the repairs of `warnings`, and the names that `findDois` reads in this name. If none of these names exists, the gateway swaps two digits or removes a doubled digit, and suggests the result if only one result exists. The gateway looks up at most ten names. Empty if this name is found. Null only with an error.',
      resolve: async ({ name }, _args, { loaders }) => (await existingSuggestions(name, loaders)).map(doiOf),
    }),
  }),
});

/**
 * Returns the repaired names that exist. Empty if the name itself exists. If no repaired name exists, looks up names with
 * corrected digits. A corrected name is only a guess, so it is returned only if no other corrected name exists. Rejects if
 * a loader rejects.
 */
async function existingSuggestions(name: DoiName, loaders: Loaders): Promise<DoiName[]> {
  if (isRegistered(await loaders.answeredRecord(name))) return [];
  const repairs = probableNames(name, lookalikes);
  const repaired = await existingOf(repairs, loaders);
  if (repaired.length > 0) return repaired;
  const guessed = await existingOf(digitTypos(name, MAX_CANDIDATES - repairs.length), loaders);
  return guessed.length === 1 ? guessed : [];
}

async function existingOf(names: readonly DoiName[], loaders: Loaders): Promise<DoiName[]> {
  const areRegistered = await Promise.all(
    names.map(async (name) => isRegistered(await loaders.answeredRecord(name))),
  );
  return names.filter((_, position) => areRegistered[position]);
}

/**
 * The price assumes five warnings in each list, but a name can have ten warnings with a repaired name. A multiplier of 2
 * makes the price high enough. A low price would be a risk, because each repaired name can have warnings again.
 */
const REPAIRED_NAME_PRICE = { field: 1, multiplier: 2 };

builder.objectField(DoiWarningType, 'repaired', (t) =>
  t.field({
    type: DoiType,
    nullable: true,
    ...priced(REPAIRED_NAME_PRICE),
    description:
      'The name without the problem: `10.1000/182` for `10.1000/182).` The gateway never uses the repaired name instead of the name. Select `exists` to find out whether the repaired name exists. Null if no repair is known, or if the repaired text is not a DOI name.',
    resolve: ({ repaired }) => doiOrNull(repaired),
  }),
);

builder.queryFields((t) => ({
  doi: t.field({
    type: DoiType,
    nullable: true,
    description:
      'One DOI from any of its forms: `doi(input: "https://doi.org/10.1000/456%23789")`. If the input is not a DOI, null with the error INVALID_DOI.',
    ...ONE_INPUT,
    resolve: (_root, args) => {
      const doi = doiOrError(parseDoi(args.input, args.form ?? null));
      if (doi instanceof GatewayError) throw doi;
      return doi;
    },
  }),
  dois: t.field({
    type: [DoiType],
    nullable: { list: true, items: true },
    description:
      'Many DOIs at once: `dois(inputs: ["10.1000/182", "doi:10.1000/1"])`. Order and duplicates are kept. An input that is not a DOI is null, with an error at its own position. The other inputs are not affected.',
    ...MANY_INPUTS,
    // A generator, so that the executor can pause between two items: an error takes ten times as long as a name.
    *resolve(_root, args) {
      for (const input of args.inputs) yield doiOrError(parseDoi(input, args.form ?? null)) as Doi;
    },
  }),
}));
