// The handle record of a name.

import type { HandleRecord } from '../handle/record.ts';
import { selectValues } from '../handle/value.ts';
import { builder } from './builder.ts';
import { HandleValueType } from './handle-value.ts';

const HandleStatusEnum = builder.enumType('HandleStatus', {
  description: 'What a response code comes to.',
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
  description: 'What the directory answered for a name. It has no id: it belongs to its DOI.',
  fields: (t) => ({
    responseCode: t.exposeInt('responseCode', {
      description: "The handle protocol's response code: 1, 100, 200, …",
    }),
    status: t.expose('status', { type: HandleStatusEnum }),
    handle: t.exposeString('handle', { description: 'The name as it was asked for, case kept.' }),
    values: t.field({
      type: [HandleValueType],
      description:
        'The values in directory order, filtered like the proxy does: those with any of the types or indexes. A type ignores ASCII case; `URL.` takes subtypes such as `URL.PDF` as well. What is fetched, and `status`, stay the same.',
      args: { types: t.arg.stringList(), indexes: t.arg.intList() },
      resolve: (record, { types, indexes }) => [...selectValues(record.values, types ?? [], indexes ?? [])],
    }),
    message: t.exposeString('message', {
      nullable: true,
      description: "For people, in the gateway's words: why there is no answer, or nothing in it.",
    }),
    fetchedAt: t.field({ type: 'DateTime', resolve: ({ fetchedAt }) => toDateTime(fetchedAt) }),
    freshUntil: t.field({
      type: 'DateTime',
      description: 'When the shortest-lived value expires; a day after `fetchedAt` at the latest.',
      resolve: ({ freshUntil }) => toDateTime(freshUntil),
    }),
    stale: t.exposeBoolean('stale', {
      description: 'Served past `freshUntil`, because the directory could not be asked in time.',
    }),
  }),
});

function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
