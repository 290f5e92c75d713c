// The handle record of a name.

import type { HandleRecord } from '../../handle/record.ts';
import { type HandleValue, type ValueFilter, valueFilter } from '../../handle/value.ts';
import { builder } from '../builder.ts';
import { HandleValueType } from './handle-data.ts';

interface FilterArguments {
  readonly types?: readonly string[] | null | undefined;
  readonly indexes?: readonly number[] | null | undefined;
}

const filters = new WeakMap<FilterArguments, ValueFilter>();

/** The values that the arguments leave. An operation reads its arguments once, and so the filter is made once. */
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

const HandleStatusEnum = builder.enumType('HandleStatus', {
  description: 'The meaning of a response code.',
  values: {
    SUCCESS: { description: 'Response code 1: the name exists and has values.' },
    ERROR: {
      description: 'The directory failed: its own answer, from which nothing follows about the name.',
    },
    HANDLE_NOT_FOUND: { description: 'Response code 100: there is no such name.' },
    VALUES_NOT_FOUND: { description: 'Response code 200: the name exists but has no values.' },
  } as const,
});

export const HandleRecordType = builder.objectRef<HandleRecord>('HandleRecord').implement({
  description: 'The answer of the directory for a name. It has no id: it belongs to its name.',
  fields: (t) => ({
    responseCode: t.exposeInt('responseCode', {
      description: "The handle protocol's response code: 1, 100, 200, …",
    }),
    status: t.expose('status', {
      type: HandleStatusEnum,
      description: 'What `responseCode` comes to: SUCCESS, or why there are no values.',
    }),
    handle: t.exposeString('handle', {
      description: 'The name as the client sent it, in its upper and lower case.',
    }),
    values: t.field({
      type: [HandleValueType],
      description:
        'The values in directory order, filtered as the proxy does: values with any of the types or indexes, or all values if neither is given. A type ignores ASCII case; `URL.` also matches subtypes such as `URL.PDF`. The filter changes neither the look-up nor `status`.',
      args: {
        types: t.arg.stringList({
          description:
            'Keep values of these types: `["URL", "HS_ADMIN"]`. Left out or empty: `indexes` alone decides.',
        }),
        indexes: t.arg.intList({
          description:
            'Keep values with these indexes: `[1, 100]`. Left out or empty: `types` alone decides.',
        }),
      },
      resolve: ({ values }, filterArguments) => [...filteredValues(values, filterArguments)],
    }),
    message: t.exposeString('message', {
      nullable: true,
      description:
        "For people, in the gateway's words: why there is no answer, or nothing in it. Null when there is nothing to say.",
    }),
    fetchedAt: t.field({
      type: 'DateTime',
      description: 'When the directory gave this answer. In the past where it comes from the cache.',
      resolve: ({ fetchedAt }) => toDateTime(fetchedAt),
    }),
    freshUntil: t.field({
      type: 'DateTime',
      description: 'When the shortest-lived value expires; a day after `fetchedAt` at the latest.',
      resolve: ({ freshUntil }) => toDateTime(freshUntil),
    }),
    stale: t.exposeBoolean('stale', {
      description: 'Served past `freshUntil`, because the directory did not answer in time.',
    }),
  }),
});

function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
