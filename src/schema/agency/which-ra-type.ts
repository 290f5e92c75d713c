// The type WhichRA.

import type { WhichRaAnswer, WhichRaStatus } from '../../directory/directory.ts';
import { builder } from '../builder.ts';
import { agencyOf, RegistrationAgencyType } from './registration-agency.ts';

const WhichRaStatusEnum = builder.enumType('WhichRAStatus', {
  description: 'The outcome of the Which RA service. There is an agency only if it is FOUND.',
  values: {
    FOUND: { description: 'The name is registered, and its agency is known.' },
    INVALID_DOI: { description: 'The service says that the name is not a valid DOI.' },
    DOES_NOT_EXIST: { description: 'The name is not registered.' },
    UNKNOWN: { description: 'The name exists, but the service does not know its agency.' },
  } as const satisfies Record<WhichRaStatus, { description: string }>,
});

const MESSAGES: Record<WhichRaStatus, string | null> = {
  FOUND: null,
  INVALID_DOI: 'For the Which RA service, this name is not a valid DOI.',
  DOES_NOT_EXIST: 'The Which RA service says that this DOI does not exist.',
  UNKNOWN: 'The DOI exists, but the Which RA service does not know its registration agency.',
};

const EMBEDDED =
  'The answer comes from the embedded directory. Start the gateway with DOI_DIRECTORY_URL=https://doi.org for the live system.';

export const WhichRaType = builder.objectRef<WhichRaAnswer>('WhichRA').implement({
  description: 'The answer of the Which RA service for a name.',
  fields: (t) => ({
    status: t.expose('status', {
      type: WhichRaStatusEnum,
      description: 'FOUND, or the reason why there is no agency: DOES_NOT_EXIST, …',
    }),
    agency: t.field({
      type: RegistrationAgencyType,
      nullable: true,
      description: 'The agency that registered the name. Null unless `status` is FOUND.',
      resolve: agencyOf,
    }),
    message: t.string({
      nullable: true,
      description: 'For people: why there is no agency. Null if `status` is FOUND.',
      resolve: ({ status }, _args, { directory }) => {
        const message = MESSAGES[status];
        return message && directory.kind === 'EMBEDDED' ? `${message} ${EMBEDDED}` : message;
      },
    }),
  }),
});
