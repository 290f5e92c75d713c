// The type Handle, for handles of every kind, and the fields of the handle record that Handle and DOI share.

import type { HandleName } from 'doi-names';
import { handleUri, handleUrl, parseDoi, readHandle, withoutEdges } from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { aliasOf, isRegistered } from '../../handle/record.ts';
import { readLocations } from '../../handle/record-locations.ts';
import { mapSoon } from '../../time.ts';
import { builder, remembered } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { keys } from '../federation/federation-directives.ts';
import { LOOK_UP_FIELD, PRICED_BY_NAME } from '../field-price.ts';
import { LocationType, RedirectInput, RedirectType, redirectOf } from './doi-redirect.ts';
import { HandleRecordType } from './handle-record.ts';

export interface Handle {
  readonly name: HandleName;
  readonly prefix: string;
  readonly suffix: string;
}

/** Splits the name at its first slash. The name must have a slash. */
export function handleOf(name: HandleName): Handle {
  const slash = name.indexOf('/');
  return { name, prefix: name.slice(0, slash), suffix: name.slice(slash + 1) };
}

export const HandleType = builder.objectRef<Handle>('Handle').implement({
  ...remembered<Handle>(({ name }) => name),
  directives: keys('name'),
  description:
    'A handle of any kind: of a repository (DSpace), a data set (ePIC), a FAIR digital object, a prefix, a shortDOI or a DOI. The case of letters makes no difference in the prefix. In the suffix it makes a difference, unless the prefix is `10` or begins with `10.`.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The handle itself, not encoded and in unchanged case: `20.500.12345/a#1`.',
    }),
    prefix: t.exposeString('prefix', { description: '`20.500.12345` of `20.500.12345/a#1`.' }),
    suffix: t.exposeString('suffix', { description: '`a#1` of `20.500.12345/a#1`.' }),
    uri: t.string({
      description: 'The handle as a URI: `hdl:20.500.12345/a%231`.',
      resolve: ({ name }) => handleUri(name),
    }),
    url: t.string({
      description:
        'The link of the handle: `https://hdl.handle.net/20.500.12345/a%231`. It does not depend on the directory of this gateway.',
      resolve: ({ name }) => handleUrl(name),
    }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The DOI with this name, for example for the handle `10.1000/182`. Null if the handle is not a DOI name.',
      resolve: ({ name }) => doiOrNull(parseDoi(name, 'NAME').name),
    }),
  }),
});

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
      ...LOOK_UP_FIELD,
      description:
        'The handle record: `record { status values { type text } }`. Null only with an error: if a name is not found, its record has the status HANDLE_NOT_FOUND.',
      args: {
        auth: t.arg.boolean({
          defaultValue: false,
          description: 'Look the name up at an authoritative server, without any cache.',
        }),
        cert: t.arg.boolean({
          defaultValue: false,
          description: 'Request that the directory authenticates the response.',
        }),
      },
      resolve: ({ name }, { auth, cert }, { loaders }) =>
        loaders.record(name, { auth: auth ?? false, cert: cert ?? false }),
    }),
    exists: t.boolean({
      ...LOOK_UP_FIELD,
      description:
        'Whether the directory knows the name. Null only with an error. In the embedded directory, false means only that this directory does not have the name: `record { message }` says so.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.answeredRecord(name), isRegistered),
    }),
    redirect: t.field({
      type: RedirectType,
      ...LOOK_UP_FIELD,
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
      ...LOOK_UP_FIELD,
      description:
        'The places in the location list of the record: `locations { href country }`. For an alias, the list comes from the record of its target. Empty if the record has no list. Null only with an error.',
      resolve: ({ name }, _args, { loaders, followAliases }) =>
        mapSoon(
          followAliases(name, loaders),
          ({ record }) => readLocations(record.values, record.handle).list.locations,
        ),
    }),
    alias: t.field({
      type: HandleAliasType,
      ...LOOK_UP_FIELD,
      description:
        'The target of this name if the name is an alias: `alias { handle }`. Null with an error, or if the name is not an alias.',
      resolve: ({ name }, _args, { loaders }) => mapSoon(loaders.answeredRecord(name), aliasOf),
    }),
  }));
}

builder.queryField('handle', (t) =>
  t.field({
    type: HandleType,
    nullable: true,
    description:
      'A handle of any kind: `handle(name: "20.500.12345/1")`. Null only with the error BAD_USER_INPUT, if the name is not a handle.',
    args: {
      name: t.arg.string({
        required: true,
        description:
          'A handle without a label, which the gateway does not decode: `20.500.12345/1`. Or a handle with a label, in which the gateway decodes percent triplets: `hdl:10.1000/1`, `https://hdl.handle.net/10.1000/1`.',
      }),
    },
    ...PRICED_BY_NAME,
    resolve: (_root, args) => {
      const { name, problem } = readHandle(withoutEdges(args.name).text);
      if (name !== null) return handleOf(name);
      throw new GatewayError('BAD_USER_INPUT', { message: problem });
    },
  }),
);
