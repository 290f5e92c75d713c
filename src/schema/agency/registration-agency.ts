// Registration agencies, by the labels that Which RA gives.

import type { WhichRaAnswer } from '../../directory/directory.ts';
import {
  findRegistrationAgency,
  REGISTRATION_AGENCIES,
  type RegistrationAgency,
} from '../../directory/registration-agencies.ts';
import { builder } from '../builder.ts';
import { keys } from '../federation/federation-directives.ts';

/** An agency with a label that is not documented here has its name alone. */
export type RegistrationAgencySource = Pick<RegistrationAgency, 'name'> & Partial<RegistrationAgency>;

export const RegistrationAgencyType = builder
  .objectRef<RegistrationAgencySource>('RegistrationAgency')
  .implement({
    directives: keys('name'),
    description: 'An organization that registers DOI names, known by the label that Which RA gives.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The label: `Crossref`, `DataCite`, … An open set.' }),
      title: t.string({
        nullable: true,
        description:
          'The full name: `Japan Link Center` for `JaLC`. Null when the agency is not documented here.',
        resolve: ({ title }) => title ?? null,
      }),
      homepageUrl: t.string({
        nullable: true,
        description:
          'Where the agency is on the web: `https://datacite.org/`. Null when it is not documented here.',
        resolve: ({ homepageUrl }) => homepageUrl ?? null,
      }),
      registers: t.string({
        nullable: true,
        description:
          'For people: a sentence about the works that it registers. Null if the agency is not documented here.',
        resolve: ({ registers }) => registers ?? null,
      }),
      metadataApiUrl: t.string({
        nullable: true,
        description:
          'Its API for metadata, where an encoded name is appended: `https://api.crossref.org/works/`. Null where none is known.',
        resolve: ({ metadataApiUrl }) => metadataApiUrl ?? null,
      }),
      contentNegotiationUrl: t.string({
        nullable: true,
        description:
          'Where a DOI link leads a client that requests data with `Accept`: `https://data.crossref.org/`. Null if unknown.',
        resolve: ({ contentNegotiationUrl }) => contentNegotiationUrl ?? null,
      }),
      knownAsOf: t.string({
        nullable: true,
        description:
          'The day for which this is known: `2024-02-14`. Agencies come and go. Null when it is not documented here.',
        resolve: ({ knownAsOf }) => knownAsOf ?? null,
      }),
      source: t.string({
        nullable: true,
        description:
          "Where it is from: the address of the DOI Foundation's list. Null when it is not documented here.",
        resolve: ({ source }) => source ?? null,
      }),
      documented: t.boolean({
        description: 'Whether this gateway knows more of the agency than its label.',
        resolve: ({ title }) => title !== undefined,
      }),
    }),
  });

/** The agency of a Which RA answer; null unless one was found. */
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
      'A documented agency by its label, as in `registrationAgency(name: "Crossref")`; null if there is none.',
    args: {
      name: t.arg.string({ required: true, description: 'The label, in its own case: `Crossref`, `mEDRA`.' }),
    },
    resolve: (_root, { name }) => findRegistrationAgency(name),
  }),
  registrationAgencies: t.field({
    type: [RegistrationAgencyType],
    description: "All documented agencies, by label, from the DOI Foundation's list.",
    resolve: () => [...REGISTRATION_AGENCIES],
  }),
}));
