// What the handle record of a name says: the same fields for DOIs and for all other handles.

import type { HandleName } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { aliasOf } from '../../handle/record.ts';
import { readLocations } from '../../handle/record-locations.ts';
import { mapSoon } from '../../time.ts';
import { builder } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { LOOK_UP, priced } from '../field-price.ts';
import { DoiLocationType, DoiRedirectType, RedirectInput, redirectOf } from './doi-redirect.ts';
import { HandleType } from './handle.ts';
import { HandleRecordType } from './handle-record.ts';

const DIRECTORY_FIELD = { ...priced(LOOK_UP), directives: ASKS_DIRECTORY };

const HandleAliasType = builder.objectRef<HandleName>('HandleAlias').implement({
  description: 'The handle that a name is an alias of, one step on.',
  fields: (t) => ({
    handle: t.string({ description: 'The handle that stands for the name.', resolve: (handle) => handle }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description: 'The same as a DOI; null when the handle is none, such as a shortDOI.',
      resolve: (handle) => doiOrNull(parseDoi(handle, 'NAME').name),
    }),
  }),
});

for (const type of [DoiType, HandleType]) {
  builder.objectFields(type, (t) => ({
    record: t.field({
      type: HandleRecordType,
      ...DIRECTORY_FIELD,
      nullable: true,
      description:
        'The handle record: `record { status values { type text } }`. Never null without an error: a name that is not found has a record that says so.',
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
      resolve: ({ name }, { auth, cert }, { loaders }) =>
        loaders.record(name, { auth: auth ?? false, cert: cert ?? false }),
    }),
    exists: t.boolean({
      ...DIRECTORY_FIELD,
      nullable: true,
      description:
        'Whether the directory knows the name. Never null without an error. In the bundled sample, false does not mean that the name is unregistered: `record { message }` says so.',
      resolve: ({ name }, _args, { loaders }) =>
        mapSoon(loaders.answeredRecord(name), ({ status }) => status !== 'HANDLE_NOT_FOUND'),
    }),
    redirect: t.field({
      type: DoiRedirectType,
      nullable: true,
      ...DIRECTORY_FIELD,
      description:
        'Where the name leads, as the DOI proxy would decide for a person: `redirect { url chosenBy }`. Never null without an error: with nothing to redirect to, `chosenBy` is NONE.',
      args: {
        parameters: t.arg({
          type: RedirectInput,
          description:
            'The parameters of the reader: `{country: "gb", locatt: ["id:1"]}`. Left out: no parameters.',
        }),
      },
      resolve: ({ name }, { parameters }, context) => redirectOf(name, parameters ?? {}, context),
    }),
    locations: t.field({
      type: [DoiLocationType],
      nullable: true,
      ...DIRECTORY_FIELD,
      description:
        'All places the name may lead to, where its record, or the one its alias leads to, names several: `locations { href country }`. Empty when it names none; null only with an error.',
      resolve: ({ name }, _args, { loaders }) =>
        mapSoon(loaders.aliasChain(name), ({ record }) => [
          ...readLocations(record.values, record.handle).list.locations,
        ]),
    }),
    alias: t.field({
      type: HandleAliasType,
      nullable: true,
      ...DIRECTORY_FIELD,
      description:
        'The handle that stands for this name, one step on: `alias { handle }`. Null when it is no alias, and on an error.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.answeredRecord(name), aliasOf),
    }),
  }));
}
