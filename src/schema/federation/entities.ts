// The query _entities for federated gateways: finds the objects that other subgraphs refer to by their keys.

import type { DoiForm, DoiProblem, DoiProblemCode } from 'doi-names';
import { literalHandle, parseDoi, quoted } from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { type DoiPrefix, DoiPrefixType, doiPrefixOf } from '../agency/doi-prefix.ts';
import {
  agencyOfLabel,
  type RegistrationAgencySource,
  RegistrationAgencyType,
} from '../agency/registration-agency.ts';
import { builder } from '../builder.ts';
import { type Doi, DoiType } from '../doi/doi.ts';
import {
  CHARACTERS_PER_UNIT,
  type FieldPrice,
  oncePerList,
  priced,
  priceOfInputs,
  sizeOf,
} from '../field-price.ts';
import { type Handle, HandleType, handleOf } from '../handle/handle.ts';

type Entity = Doi | DoiPrefix | Handle | RegistrationAgencySource;

builder.scalarType('_Any', {
  description:
    'A reference to an entity: its `__typename` and one of its keys, as in `{__typename: "DOI", name: "10.1000/182"}`.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

const EntityType = builder.unionType('_Entity', {
  description: 'An object to which other subgraphs can refer.',
  types: [DoiType, DoiPrefixType, HandleType, RegistrationAgencyType],
  resolveType(entity) {
    if ('ref' in entity) return DoiType;
    if ('suffix' in entity) return HandleType;
    return 'prefix' in entity ? DoiPrefixType : RegistrationAgencyType;
  },
});

/** The keys of DOI, each with the form of its value; null: any form. If a reference has several keys, the first is used. */
const DOI_KEYS: readonly (readonly [key: string, form: DoiForm | null])[] = [
  ['id', 'URI'],
  ['name', 'NAME'],
  ['canonicalName', 'NAME'],
  ['ref', null],
];

const DOI_KEY_NAMES: ReadonlySet<string> = new Set(DOI_KEYS.map(([key]) => key));

builder.queryFields((t) => ({
  _entities: t.field({
    type: [EntityType],
    nullable: { list: false, items: true },
    description:
      'For federated gateways: the entities to which other subgraphs refer. Order and duplicates are kept. A bad reference is null, with the error BAD_REPRESENTATION at its own position.',
    args: {
      representations: t.arg({
        type: ['_Any'],
        required: true,
        description:
          'References: `{__typename: "DOI", ref: "doi:10.1000/182"}`. A reference to a DOI has the key `id`, `name`, `canonicalName` or `ref`. If a reference has several of these keys, the gateway uses the first in this order. A reference to a handle, prefix or registration agency has the key `name`.',
      }),
    },
    ...priced(({ representations }: { readonly representations: readonly unknown[] }) =>
      priceOfRepresentations(representations),
    ),
    resolve: (_root, { representations }) => representations.map(entityOrError) as Entity[],
  }),
}));

const READERS = new Map<unknown, (representation: unknown) => Entity | GatewayError>([
  ['DOI', doiOrError],
  ['DOIPrefix', prefixOrError],
  ['Handle', handleOrError],
  ['RegistrationAgency', agencyOrError],
]);

function entityOrError(representation: unknown): Entity | GatewayError {
  const read = READERS.get(member(representation, '__typename'));
  if (read) return read(representation);
  return fault('needs a "__typename" of "DOI", "DOIPrefix", "Handle" or "RegistrationAgency"');
}

function doiOrError(representation: unknown): Doi | GatewayError {
  const found = DOI_KEYS.find(([key]) => member(representation, key) !== undefined);
  if (!found) return fault('of a DOI needs one of the keys "id", "name", "canonicalName" and "ref"');
  const [key, form] = found;
  const value = member(representation, key);
  if (typeof value !== 'string') return fault(`of a DOI needs a string as its "${key}"`);
  const { name, problem } = parseDoi(value, form);
  if (problem) {
    const details = { reason: problem.code, position: problem.position };
    return fault(`of a DOI has an unusable "${key}": ${problemText(problem, value)}`, details);
  }
  const ref = member(representation, 'ref');
  return { name, ref: typeof ref === 'string' ? ref : null };
}

/** Replaces messages that mention the argument `form`, because a representation has no such argument. */
const ADVICE: Partial<Record<DoiProblemCode, string>> = {
  NOT_IN_FORM:
    'is not a DOI Name URI. Use the key "ref" for a DOI in another form, or the key "name" for a bare name',
  INVALID_PERCENT_ENCODING:
    'has a percent sign without two hexadecimal digits. Write "%25" for a literal "%", or use the key "name" for a bare name',
  INVALID_UTF8:
    'has percent triplets that are not UTF-8. Write "%25" for a literal "%", or use the key "name" for a bare name',
};

function problemText({ code, message }: DoiProblem, value: string): string {
  const advice = ADVICE[code];
  return advice ? `${quoted(value)} ${advice}` : message;
}

function prefixOrError(representation: unknown): DoiPrefix | GatewayError {
  const name = member(representation, 'name');
  const prefix = typeof name === 'string' ? doiPrefixOf(name) : null;
  return prefix ?? fault('of a DOIPrefix needs a prefix of DOI names as its "name", such as "10.1000"');
}

function handleOrError(representation: unknown): Handle | GatewayError {
  const name = member(representation, 'name');
  if (typeof name !== 'string') return fault('of a Handle needs a string as its "name"');
  const { name: handle, problem } = literalHandle(name);
  return handle === null ? fault(`of a Handle has an unusable "name": ${problem}`) : handleOf(handle);
}

function agencyOrError(representation: unknown): RegistrationAgencySource | GatewayError {
  const name = member(representation, 'name');
  return typeof name === 'string' && name !== ''
    ? agencyOfLabel(name)
    : fault('of a RegistrationAgency needs its label as "name"');
}

/** The number of members in every representation: `__typename` and one key. */
const NEEDED_MEMBERS = 2;

/** The longest key of each representation is priced as an input. The size of all other members is added. */
const priceOfRepresentations = oncePerList((representations: readonly unknown[]): FieldPrice => {
  const keys = representations.map(longestKeyValue);
  const { field, multiplier } = priceOfInputs(keys);
  let otherMembers = 0;
  for (const [index, representation] of representations.entries()) {
    const sizeOfKey = Math.floor((keys[index] ?? '').length / CHARACTERS_PER_UNIT);
    otherMembers += Math.max(0, sizeOf(representation) - NEEDED_MEMBERS - sizeOfKey);
  }
  return { field: field + otherMembers, multiplier };
});

function longestKeyValue(representation: unknown): string {
  let longest = '';
  if (typeof representation !== 'object' || representation === null) return longest;
  for (const key in representation) {
    const value = DOI_KEY_NAMES.has(key) && (representation as Record<string, unknown>)[key];
    if (typeof value === 'string' && value.length > longest.length) longest = value;
  }
  return longest;
}

/** A member of a representation. Undefined if the member is missing or null: subgraphs send null for a missing value. */
function member(representation: unknown, key: string): unknown {
  if (typeof representation !== 'object' || representation === null) return undefined;
  return Object.hasOwn(representation, key)
    ? ((representation as Record<string, unknown>)[key] ?? undefined)
    : undefined;
}

function fault(what: string, details: Readonly<Record<string, unknown>> = {}): GatewayError {
  return new GatewayError('BAD_REPRESENTATION', {
    message: `The representation ${what}.`.replace(/\.\.$/, '.'),
    details,
  });
}
