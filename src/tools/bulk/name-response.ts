// The schema of the response for one name. `doi bulk` checks the response, because a gateway of another version can send it.

import { z } from 'zod';
import { UPDATE_KINDS, UPDATE_OUTCOMES } from '../../works/retractions-and-updates.ts';
import type { UpdatesFields } from '../gateway-client/update-outcome.ts';

const NamePart = z.object({ name: z.string() });

const UpdatesPart: z.ZodType<UpdatesFields> = z.object({
  outcome: z.enum(UPDATE_OUTCOMES),
  source: z.string(),
  notices: z.array(
    z.object({
      kind: z.enum(UPDATE_KINDS),
      date: z.object({ text: z.string() }).nullable(),
      doi: z.object({ url: z.string() }).nullable(),
      sources: z.array(z.string()),
    }),
  ),
});

/** The requested fields of a DOI. A field is also null if its look-up failed. */
const DoiResponse = z
  .object({
    canonicalName: z.string(),
    uri: z.string(),
    url: z.string(),
    urn: z.string(),
    display: z.string(),
    prefix: z.string(),
    suffix: z.string(),
    asciiLookalike: z.string().nullable(),
    warnings: z.array(z.object({ code: z.string(), repaired: NamePart.nullable() }).partial()),
    exists: z.boolean().nullable(),
    record: z.object({ status: z.string() }).nullable(),
    registrationAgency: z.object({ name: z.string() }).nullable(),
    redirect: z
      .object({
        url: z.string().nullable(),
        statusCode: z.int().nullable(),
        chosenBy: z.string(),
        via: z.array(z.string()),
      })
      .partial()
      .nullable(),
    alias: z.object({ handle: z.string() }).nullable(),
    suggestions: z.array(NamePart).nullable(),
    metadata: z
      .object({
        title: z.string().nullable(),
        creators: z.array(NamePart),
        issued: z.object({ year: z.int() }).nullable(),
        containerTitle: z.string().nullable(),
        kind: z.string(),
        abstract: z.string().nullable(),
        licenses: z.array(
          z.object({ spdx: z.string().nullable(), url: z.string().nullable(), name: z.string().nullable() }),
        ),
        funding: z.array(z.object({ funder: z.string() })),
        issn: z.array(z.string()),
        isbn: z.array(z.string()),
        subjects: z.array(z.string()),
        contributors: z.array(z.object({ affiliations: z.array(NamePart) })),
        citationCount: z.int().nullable(),
        referenceCount: z.int().nullable(),
      })
      .partial()
      .nullable(),
    citation: z.string().nullable(),
    bibtex: z.string().nullable(),
    updates: UpdatesPart.nullable(),
  })
  .partial()
  .extend(NamePart.shape);
export type DoiResponse = z.infer<typeof DoiResponse>;

/** The requested fields of a ParsedDOI. */
export const NameResponse = z.object({
  form: z.string().nullish(),
  problem: z
    .object({ code: z.string(), message: z.string().optional(), looksLike: z.string().nullish() })
    .nullable(),
  meant: z.array(z.object({ doi: NamePart })).optional(),
  doi: DoiResponse.nullable(),
});
export type NameResponse = z.infer<typeof NameResponse>;
