// The type RegistrationAgency. Its key is the label of the agency in the Which RA service.

import type { WhichRaAnswer } from '../../directory/directory.ts';
import {
  findRegistrationAgency,
  REGISTRATION_AGENCIES,
  type RegistrationAgency,
} from '../../directory/registration-agencies.ts';
import { builder } from '../builder.ts';
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
      title: t.string({
        nullable: true,
        description: 'The full name: `Japan Link Center` for `JaLC`. Null if `documented` is false.',
        resolve: ({ title }) => title ?? null,
      }),
      homepageUrl: t.string({
        nullable: true,
        description: 'The website of the agency: `https://datacite.org/`. Null if `documented` is false.',
        resolve: ({ homepageUrl }) => homepageUrl ?? null,
      }),
      registers: t.string({
        nullable: true,
        description:
          'For people: a sentence about the works that the agency registers. Null if `documented` is false.',
        resolve: ({ registers }) => registers ?? null,
      }),
      metadataApiUrl: t.string({
        nullable: true,
        description:
          'The address of its metadata API: `https://api.crossref.org/works/`. Append an encoded name. Null if no API is known.',
        resolve: ({ metadataApiUrl }) => metadataApiUrl ?? null,
      }),
      contentNegotiationUrl: t.string({
        nullable: true,
        description:
          'The address to which a DOI link redirects a client that requests data with its `Accept` header: `https://data.crossref.org/`. Null if unknown.',
        resolve: ({ contentNegotiationUrl }) => contentNegotiationUrl ?? null,
      }),
      knownAsOf: t.string({
        nullable: true,
        description:
          'The date of this information: `2024-02-14`. The list of agencies changes. Null if `documented` is false.',
        resolve: ({ knownAsOf }) => knownAsOf ?? null,
      }),
      source: t.string({
        nullable: true,
        description:
          "The source of this information: the address of the DOI Foundation's list. Null if `documented` is false.",
        resolve: ({ source }) => source ?? null,
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
    description: "All documented agencies from the DOI Foundation's list, sorted by label.",
    resolve: () => [...REGISTRATION_AGENCIES],
  }),
}));
