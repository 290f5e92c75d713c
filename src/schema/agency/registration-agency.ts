// The types RegistrationAgency and WhichRA. The key of an agency is its label in the Which RA service.

import type { WhichRaAnswer, WhichRaStatus } from '../../directory/directory.ts';
import {
  findRegistrationAgency,
  REGISTRATION_AGENCIES,
  type RegistrationAgency,
} from '../../directory/registration-agencies.ts';
import { builder, describedEnum } from '../builder.ts';
import { keys } from '../federation/federation-directives.ts';

/** An agency that is not in the list of registration agencies has only its name. */
export type RegistrationAgencySource = Pick<RegistrationAgency, 'name'> & Partial<RegistrationAgency>;

export const RegistrationAgencyType = builder
  .objectRef<RegistrationAgencySource>('RegistrationAgency')
  .implement({
    directives: keys('name'),
    description: 'An organization that registers DOI names. Its name is the label in Which RA.',
    fields: (t) => ({
      name: t.exposeString('name', {
        description: 'The label: `Crossref`, `DataCite`, … New labels can appear.',
      }),
      title: t.exposeString('title', {
        nullable: true,
        description: 'The full name: `Japan Link Center` for `JaLC`. Null if `documented` is false.',
      }),
      homepageUrl: t.exposeString('homepageUrl', {
        nullable: true,
        description: 'The website of the agency: `https://datacite.org/`. Null if `documented` is false.',
      }),
      registers: t.exposeString('registers', {
        nullable: true,
        description:
          'For people: a sentence about the works that the agency registers. Null if `documented` is false.',
      }),
      metadataApiUrl: t.exposeString('metadataApiUrl', {
        nullable: true,
        description:
          'The address of its metadata API: `https://api.crossref.org/works/`. Append a percent-encoded DOI name. Null if no API is known.',
      }),
      contentNegotiationUrl: t.exposeString('contentNegotiationUrl', {
        nullable: true,
        description:
          'The address to which a DOI link redirects a client that requests data with its `Accept` header: `https://data.crossref.org/`. Null if unknown.',
      }),
      knownAsOf: t.exposeString('knownAsOf', {
        nullable: true,
        description:
          'The date of this information: `2024-02-14`. The list of agencies changes. Null if `documented` is false.',
      }),
      source: t.exposeString('source', {
        nullable: true,
        description:
          "The source of this information: the address of the DOI Foundation's list. Null if `documented` is false.",
      }),
      documented: t.boolean({
        description: 'Whether this gateway knows more about the agency than its label.',
        resolve: ({ title }) => title !== undefined,
      }),
    }),
  });

/** The agency of a Which RA answer. Null if the service found no agency. */
export function agencyOf({ agency }: WhichRaAnswer): RegistrationAgencySource | null {
  return agency === null ? null : agencyOfLabel(agency);
}

export function agencyOfLabel(label: string): RegistrationAgencySource {
  return findRegistrationAgency(label) ?? { name: label };
}

const WhichRaStatusEnum = describedEnum<WhichRaStatus>(
  'WhichRAStatus',
  'The outcome of the Which RA service. There is an agency only if the outcome is FOUND.',
  {
    FOUND: 'The name is registered, and its agency is known.',
    INVALID_DOI: 'The service says that the name is not a valid DOI.',
    DOES_NOT_EXIST: 'The name is not registered.',
    UNKNOWN: 'The name exists, but the service does not know its agency.',
  },
);

const MESSAGES: Record<WhichRaStatus, string | null> = {
  FOUND: null,
  INVALID_DOI: 'For the Which RA service, this name is not a valid DOI.',
  DOES_NOT_EXIST: 'The Which RA service says that this DOI does not exist.',
  UNKNOWN: 'The DOI exists, but the Which RA service does not know its registration agency.',
};

const EMBEDDED =
  'The answer comes from the embedded directory. Start the gateway with DOI_DIRECTORY_URL=https://doi.org for the live system.';

export const WhichRaType = builder.objectRef<WhichRaAnswer>('WhichRA').implement({
  description: 'The response of the Which RA service for a name.',
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

builder.queryFields((t) => ({
  registrationAgency: t.field({
    type: RegistrationAgencyType,
    nullable: true,
    description:
      'A documented agency by its label: `registrationAgency(name: "Crossref")`. Null if no documented agency has this label.',
    args: {
      name: t.arg.string({
        required: true,
        description: 'The label, in any letter case: `Crossref`, `mEDRA`.',
      }),
    },
    resolve: (_root, { name }) => findRegistrationAgency(name),
  }),
  registrationAgencies: t.field({
    type: [RegistrationAgencyType],
    nullable: true,
    description: "All documented agencies from the DOI Foundation's list, sorted by label.",
    resolve: () => REGISTRATION_AGENCIES,
  }),
}));
