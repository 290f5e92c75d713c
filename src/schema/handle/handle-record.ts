// The type HandleRecord, and the filter of its values.

import type { HandleRecord } from '../../handle/record.ts';
import { type HandleValue, type ValueFilter, valueFilter } from '../../handle/value.ts';
import { builder, describedEnum, toDateTime } from '../builder.ts';
import { HandleValueType } from './handle-data.ts';

interface FilterArguments {
  readonly types?: readonly string[] | null | undefined;
  readonly indexes?: readonly number[] | null | undefined;
}

const filters = new WeakMap<FilterArguments, ValueFilter>();

/** The values that match the arguments. Records of one selection share the arguments object, so they share its filter. */
export function filteredValues(
  values: readonly HandleValue[],
  filterArguments: FilterArguments,
): readonly HandleValue[] {
  const { types, indexes } = filterArguments;
  if (!types?.length && !indexes?.length) return values;
  let filter = filters.get(filterArguments);
  if (filter === undefined) {
    filter = valueFilter(types ?? [], indexes ?? []) ?? (() => true);
    filters.set(filterArguments, filter);
  }
  return values.filter(filter);
}

const HandleStatusEnum = describedEnum('HandleStatus', 'The meaning of a response code.', {
  SUCCESS: 'Response code 1: the name exists and has values.',
  ERROR: 'The directory failed. It is unknown whether the name exists.',
  HANDLE_NOT_FOUND: 'Response code 100: there is no such name.',
  VALUES_NOT_FOUND: 'Response code 200: the name exists but has no values.',
});

export const HandleRecordType = builder.objectRef<HandleRecord>('HandleRecord').implement({
  description: 'The response of the directory for a name: `record { status values { type text } }`.',
  fields: (t) => ({
    responseCode: t.exposeInt('responseCode', {
      description: "The handle protocol's response code: 1, 100, 200, …",
    }),
    status: t.expose('status', {
      type: HandleStatusEnum,
      description: 'The meaning of `responseCode`: SUCCESS, or the reason why there are no values.',
    }),
    handle: t.exposeString('handle', {
      description: 'The name in the spelling of the client.',
    }),
    values: t.field({
      type: [HandleValueType],
      description:
        'The values in the order of the directory: `values(types: ["URL"]) { text }`. As at the DOI proxy, a value is returned if its type is in `types` or its index is in `indexes`. Default: all values. The case of ASCII letters in a type makes no difference. `URL.` also matches subtypes such as `URL.PDF`. The filter changes neither the look-up nor `status`.',
      args: {
        types: t.arg.stringList({
          description:
            'Keep values of these types: `["URL", "HS_ADMIN"]`. Default or empty: only `indexes` decides.',
        }),
        indexes: t.arg.intList({
          description: 'Keep values with these indexes: `[1, 100]`. Default or empty: only `types` decides.',
        }),
      },
      resolve: ({ values }, filterArguments) => filteredValues(values, filterArguments),
    }),
    message: t.exposeString('message', {
      nullable: true,
      description:
        'For people: the reason why there is no record or why it is empty. Otherwise null. The gateway writes this text.',
    }),
    fetchedAt: t.field({
      type: 'DateTime',
      description: 'When the directory sent this record. A record from the cache is older than your request.',
      resolve: ({ fetchedAt }) => toDateTime(fetchedAt),
    }),
    freshUntil: t.field({
      type: 'DateTime',
      description: 'When the first of the values expires, at most one day after `fetchedAt`.',
      resolve: ({ freshUntil }) => toDateTime(freshUntil),
    }),
    stale: t.exposeBoolean('stale', {
      description:
        'Whether the gateway served this record after its `freshUntil`, because the directory did not respond in time.',
    }),
  }),
});
