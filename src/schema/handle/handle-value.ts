// One typed value of a handle record.

import type { HandleReference } from '../../handle/data.ts';
import { expiresAtOf, type HandleValue, timestampOf } from '../../handle/value.ts';
import { builder } from '../builder.ts';
import { textToWrite } from './bytes-as-text.ts';
import { HandleDataInterface, HandleReferenceType } from './handle-data.ts';

export const HandleValueType = builder.objectRef<HandleValue>('HandleValue').implement({
  description: 'One typed value of a handle record. Its type never tells the format of its data.',
  fields: (t) => ({
    index: t.exposeInt('index', {
      description: 'Unique in the record. The order of values is not by index.',
    }),
    type: t.exposeString('type', {
      description: 'Any string: `URL`, `HS_ADMIN`, `10320/loc`, `#HS_SITE#rackspace`.',
    }),
    data: t.field({
      type: HandleDataInterface,
      description:
        'The data in its format: `... on HandleAdminData { handle index }`. Where text will do, ask for `text`.',
      resolve: ({ data }) => data,
    }),
    text: t.string({
      nullable: true,
      description:
        'The data as text: of the string format, or bytes that are UTF-8. Null for everything else.',
      resolve: ({ data }) => textToWrite(data),
    }),
    ttl: t.exposeInt('ttl', {
      nullable: true,
      description:
        'Seconds for which the value may be cached: 86400. Null when it expires at a fixed time, or the directory does not say.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the value expires, if that is a fixed time; else null.',
      resolve: expiresAtOf,
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the value was last changed. Null where the directory does not say.',
      resolve: timestampOf,
    }),
    permissions: t.exposeString('permissions', {
      nullable: true,
      description:
        'Who may read and write the value, as four bits: administrators read, write, everybody reads, writes; `1110`. Null where the directory does not say.',
    }),
    references: t.field({
      type: [HandleReferenceType],
      description: 'Other values this one refers to. Mostly empty.',
      resolve: ({ references }): HandleReference[] => [...references],
    }),
  }),
});
