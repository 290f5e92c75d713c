import type { DoiName } from 'doi-names';
import { z } from 'zod';
import type { LicensesField } from '../../gateway-client/look-up-cards.ts';
import type { NameAnswer } from '../../gateway-client/look-up-names.ts';
import { updatedWork } from '../../gateway-client/look-up-works.ts';
import type { PublishedVersionFields } from '../../gateway-client/published-version.ts';
import type { GraphqlError } from '../../gateway-client/send-operation.ts';
import type { UpdatesFields } from '../../gateway-client/update-outcome.ts';
import { RESOLVE_DOI } from '../tool-documents.ts';
import {
  type DoiFields,
  failureNotes,
  invalidDoiWords,
  licencesOf,
  nameAnswer,
  statedKind,
} from './doi-fields.ts';
import { type NameOutcome, nameOutcome, OutcomeFields, remarksOn } from './name-outcome.ts';
import { DoiInput, defineTool, LinkedDoi, nullIfEmpty, partialDataOf, ToolError, toolError } from './tool.ts';

interface Doi extends DoiFields, Pick<PublishedVersionFields, 'published'> {
  readonly url: string;
  readonly registrationAgency: { readonly name: string; readonly title: string | null } | null;
  readonly metadata: (LicensesField & { readonly kind: string }) | null;
  readonly updates: UpdatesFields | null;
}

export const resolveDoiTool = defineTool({
  name: 'resolve_doi',
  title: 'Look a DOI up',
  description: `Looks up one DOI in any form: whether it is registered, where it leads, its agency, kind and licence, and notes such as RETRACTED. If it is absent, suggests DOIs that were probably meant. An error (no DOI, or a failed look-up) never means that the DOI is absent.
Example: {"doi": "https://doi.org/10.1000/182"} gives {"status": "found", "target": "http://www.doi.org/hb.html"}.`,
  input: z.strictObject({ doi: DoiInput }),
  output: LinkedDoi.extend({
    ...OutcomeFields,
    reason: z.string().optional().describe('Why the status is cannot_tell.'),
    target: z.string().optional(),
    agency: z.object({ name: z.string(), title: z.string().optional() }).optional(),
    kind: z.string().optional(),
    licences: z.array(z.string()).optional(),
  }),
  async call({ doi: input }, context) {
    const { data, errors } = await partialDataOf<{ readonly doi: Doi | null }>(context, RESOLVE_DOI, {
      input,
    });
    const { doi } = data;
    if (doi === null) throw invalidDoiError(errors);
    if (doi.exists === null) throw toolError(errors.find(({ path }) => path?.[1] === 'exists'));
    const answer = nameAnswer(doi, doi.exists, context.gateway.isSample);
    const { reason, target } = answer;
    const outcome = nameOutcome(doi.name, answer, doi.updates && updatedWork(doi));
    // A name that does not exist has no agency and no metadata.
    const failures = failureNotes(doi.exists ? errors : [], 1);
    const { name, url, registrationAgency: agency, metadata } = doi;
    const notes = nullIfEmpty([...(outcome.notes ?? []), ...failures]);
    const kind = metadata === null ? null : statedKind(metadata);
    const licences = metadata === null ? [] : licencesOf(metadata);
    const structured = {
      doi: name,
      url,
      ...outcome,
      notes,
      reason,
      target,
      agency,
      kind,
      licences: nullIfEmpty(licences),
    };
    const lines = [lineOf(name, { ...outcome, notes }, answer)];
    if (agency !== null) lines.push(`Registered by ${agency.title ?? agency.name}.`);
    if (kind !== null)
      lines.push(`Kind: ${kind}.${licences.length > 0 ? ` Licence: ${licences.join(', ')}.` : ''}`);
    return { structured, text: lines.join('\n') };
  },
});

function lineOf(doi: DoiName, outcome: NameOutcome, { target, reason }: NameAnswer): string {
  const lines: Record<NameOutcome['status'], string> = {
    found: `found${target === null ? '' : `, leads to ${target}`}`,
    absent: 'ABSENT: the directory has no such DOI',
    cannot_tell: `CANNOT TELL: ${reason ?? ''}`,
  };
  return `${doi}: ${[lines[outcome.status], ...remarksOn(outcome)].join('; ')}`;
}

function invalidDoiError([error]: readonly GraphqlError[]): ToolError {
  return error?.extensions.code === 'INVALID_DOI' ? new ToolError(invalidDoiWords(error)) : toolError(error);
}
