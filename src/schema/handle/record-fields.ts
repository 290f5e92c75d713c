// The fields that come from the handle record of a name. DOIs and all other handles have the same fields.

import type { HandleName } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { aliasOf } from '../../handle/record.ts';
import { readLocations } from '../../handle/record-locations.ts';
import { mapSoon } from '../../time.ts';
import { builder } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { LOOK_UP_PRICE, priced } from '../field-price.ts';
import { LocationType, RedirectInput, RedirectType, redirectOf } from './doi-redirect.ts';
import { HandleType } from './handle.ts';
import { HandleRecordType } from './handle-record.ts';

const DIRECTORY_FIELD = { ...priced(LOOK_UP_PRICE), directives: ASKS_DIRECTORY };

const HandleAliasType = builder.objectRef<HandleName>('HandleAlias').implement({
  description:
    'The handle that an alias points to. If this handle is also an alias, the gateway does not follow it.',
  fields: (t) => ({
    handle: t.string({ description: 'The target of the alias: `10.1000/182`.', resolve: (handle) => handle }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description: 'The target as a DOI. Null if the target is not a DOI, for example a shortDOI.',
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
        'The handle record: `record { status values { type text } }`. Null only with an error: if a name is not found, its record has the status HANDLE_NOT_FOUND.',
      args: {
        auth: t.arg.boolean({
          defaultValue: false,
          description: 'Look the name up at an authoritative server, without any cache.',
        }),
        cert: t.arg.boolean({
          defaultValue: false,
          description: 'Request that the directory authenticates the answer.',
        }),
      },
      resolve: ({ name }, { auth, cert }, { loaders }) =>
        loaders.record(name, { auth: auth ?? false, cert: cert ?? false }),
    }),
    exists: t.boolean({
      ...DIRECTORY_FIELD,
      nullable: true,
      description:
        'Whether the directory knows the name. Null only with an error. In the embedded sample, false means only that the sample does not have the name: `record { message }` says so.',
      resolve: ({ name }, _args, { loaders }) =>
        mapSoon(loaders.answeredRecord(name), ({ status }) => status !== 'HANDLE_NOT_FOUND'),
    }),
    redirect: t.field({
      type: RedirectType,
      nullable: true,
      ...DIRECTORY_FIELD,
      description:
        'Where the DOI proxy would redirect a person: `redirect { url chosenBy }`. Null only with an error: if there is nothing to redirect to, `chosenBy` is NONE.',
      args: {
        parameters: t.arg({
          type: RedirectInput,
          description:
            'The parameters of the reader: `{country: "gb", locatt: ["id:1"]}`. Default: no parameters.',
        }),
      },
      resolve: ({ name }, { parameters }, context) => redirectOf(name, parameters ?? {}, context),
    }),
    locations: t.field({
      type: [LocationType],
      nullable: true,
      ...DIRECTORY_FIELD,
      description:
        'The places in the location list of the record: `locations { href country }`. For an alias, the list comes from the record of its target. Empty if the record has no list. Null only with an error.',
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
        'The target of this name if the name is an alias: `alias { handle }`. Null with an error, or if the name is not an alias.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.answeredRecord(name), aliasOf),
    }),
  }));
}
