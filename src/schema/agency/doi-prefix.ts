// The type DOIPrefix: the agency and the handle record of a prefix.

import type { HandleName } from 'doi-names';
import { isPrefix, literalHandle, quoted } from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { mapSoon } from '../../time.ts';
import { builder, remembered } from '../builder.ts';
import { keys } from '../federation/federation-directives.ts';
import { LOOK_UP_FIELD, PRICED_BY_NAME } from '../field-price.ts';
import { HandleRecordType } from '../handle/handle-record.ts';
import { agencyOf, RegistrationAgencyType } from './registration-agency.ts';

export interface DoiPrefix {
  readonly prefix: HandleName;
}

/** Null if the text is not a prefix. */
export function doiPrefixOf(name: string): DoiPrefix | null {
  return isPrefix(name) ? { prefix: name } : null;
}

/** Says what a prefix is. For what can be a prefix of other handles, says where to look it up. */
function problemOf(name: string): string {
  const isOtherPrefix =
    !name.includes('/') && !/^10(?:\.|$)/.test(name) && literalHandle(`${name}/1`).name !== null;
  return isOtherPrefix
    ? `is not a prefix of DOI names, because these begin with "10.". For the record of a prefix of other handles, use handle(name: ${quoted(`0.NA/${name}`)}).`
    : 'is not a prefix of DOI names. A prefix has "10.", then digits and single full stops, as in "10.1000".';
}

export const DoiPrefixType = builder.objectRef<DoiPrefix>('DOIPrefix').implement({
  ...remembered<DoiPrefix>(({ prefix }) => prefix),
  directives: keys('name'),
  description:
    'The part of a DOI name before its first slash: `10.1000`. An agency assigns a prefix to a registrant.',
  fields: (t) => ({
    name: t.string({ description: 'The prefix itself: `10.1000`.', resolve: ({ prefix }) => prefix }),
    registrationAgency: t.field({
      type: RegistrationAgencyType,
      ...LOOK_UP_FIELD,
      description:
        'The agency of the prefix, from the Which RA service. Null with an error, or if the service names no agency. Some DOI names of the prefix can have another agency, because names can move.',
      resolve: ({ prefix }, _args, { loaders }) => mapSoon(loaders.whichRa(prefix), agencyOf),
    }),
    record: t.field({
      type: HandleRecordType,
      ...LOOK_UP_FIELD,
      description:
        'The record of the handle of the prefix, `0.NA/10.1000`. It says which servers have the names of the prefix, and who administers them. Null only with an error.',
      resolve: ({ prefix }, _args, { loaders }) => loaders.record(`0.NA/${prefix}` as HandleName),
    }),
  }),
});

builder.queryField('doiPrefix', (t) =>
  t.field({
    type: DoiPrefixType,
    nullable: true,
    description:
      'A prefix of DOI names: `doiPrefix(name: "10.1000")`. Null only with the error BAD_USER_INPUT, if the name is not a prefix.',
    args: {
      name: t.arg.string({ required: true, description: 'The prefix, without a slash: `10.1000`.' }),
    },
    ...PRICED_BY_NAME,
    resolve: (_root, { name }) => {
      const prefix = doiPrefixOf(name);
      if (prefix !== null) return prefix;
      throw new GatewayError('BAD_USER_INPUT', { message: `${quoted(name)} ${problemOf(name)}` });
    },
  }),
);
