import { z } from 'zod';
import { recommendedUrl } from '../../../doi/encoding-forms.ts';
import type { DoiName } from '../../../doi/name.ts';
import { longestWaitSeconds } from '../../gateway-client/batched-queries.ts';
import { type NameAnswer, NOT_IN_SAMPLE } from '../../gateway-client/look-up-names.ts';
import type { GraphqlError } from '../../gateway-client/send-operation.ts';
import { type UpdatesFields, workUpdates } from '../../gateway-client/update-outcome.ts';
import { RESOLVE_DOI } from '../tool-documents.ts';
import { type NameOutcome, nameOutcome, OutcomeFields, remarksOn } from './name-outcome.ts';
import {
  DoiInput,
  defineTool,
  LinkedDoi,
  nullIfEmpty,
  partialDataOf,
  ToolError,
  toolError,
  whenAgain,
} from './tool.ts';

const MAX_MEANT = 5;

/** A field is null if it has no value, or if its look-up failed. Then `errors` has an error with the path of the field. */
interface Doi {
  readonly name: DoiName;
  readonly url: string;
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly suggestions: readonly { readonly name: string }[] | null;
  readonly registrationAgency: { readonly name: string; readonly title: string | null } | null;
  readonly updates: UpdatesFields | null;
}

export const resolveDoiTool = defineTool({
  name: 'resolve_doi',
  title: 'Look a DOI up',
  description: `Looks up one DOI in any form: whether it is registered, where it leads, its agency, and notes such as RETRACTED. If it is absent, suggests DOIs that were probably meant. An error (no DOI, or a failed look-up) never means that the DOI is absent.
Example: {"doi": "https://doi.org/10.1000/182"} gives {"status": "found", "target": "http://www.doi.org/hb.html"}.`,
  input: z.strictObject({ doi: DoiInput }),
  output: LinkedDoi.extend({
    ...OutcomeFields,
    reason: z.string().optional().describe('Why the status is cannot_tell.'),
    target: z.string().optional(),
    agency: z.object({ name: z.string(), title: z.string().optional() }).optional(),
  }),
  async call({ doi: input }, context) {
    const { data, errors } = await partialDataOf<{ readonly doi: Doi | null }>(context, RESOLVE_DOI, {
      input,
    });
    const { doi } = data;
    if (doi === null) throw invalidDoiError(errors[0]);
    if (doi.exists === null) throw toolError(errors.find(({ path }) => path?.[1] === 'exists'));
    const answer = nameAnswer(doi, doi.exists, context.gateway.isSample);
    const { reason, target } = answer;
    const outcome = nameOutcome(doi.name, answer, doi.updates && workUpdates(doi.updates));
    // A name that does not exist has no agency and no updates.
    const failures = (doi.exists ? errors : []).map((error) => ({
      code: error.extensions.code,
      message: `${error.path?.[1]}: ${error.message}${againIn(error)}`,
    }));
    const { name, url, registrationAgency: agency } = doi;
    const notes = nullIfEmpty([...(outcome.notes ?? []), ...failures]);
    const structured = { doi: name, url, ...outcome, notes, reason, target, agency };
    const by = agency === null ? [] : [`Registered by ${agency.title ?? agency.name}.`];
    return { structured, text: [lineOf(name, { ...outcome, notes }, answer), ...by].join('\n') };
  },
});

/** Empty if the gateway stated no time. */
function againIn(error: GraphqlError): string {
  const seconds = longestWaitSeconds([error]);
  return seconds === null ? '' : ` Call again ${whenAgain(seconds)}.`;
}

function lineOf(doi: DoiName, outcome: NameOutcome, { target, reason }: NameAnswer): string {
  const lines: Record<NameOutcome['status'], string> = {
    found: `found${target === null ? '' : `, leads to ${target}`}`,
    absent: 'ABSENT: the directory has no such DOI',
    cannot_tell: `CANNOT TELL: ${reason ?? ''}`,
  };
  return `${doi}: ${[lines[outcome.status], ...remarksOn(outcome)].join('; ')}`;
}

function nameAnswer(doi: Doi, exists: boolean, isSample: boolean): NameAnswer {
  const isUnknown = isSample && !exists;
  return {
    outcome: exists ? 'found' : isUnknown ? 'unknown' : 'absent',
    reason: isUnknown ? NOT_IN_SAMPLE : null,
    meant: isUnknown ? [] : (doi.suggestions ?? []).map(({ name }) => name),
    alias: doi.alias?.handle ?? null,
    target: doi.redirect?.url ?? null,
  };
}

function invalidDoiError(error: GraphqlError | undefined): ToolError {
  if (error?.extensions.code !== 'INVALID_DOI') return toolError(error);
  const { position, meant } = error.extensions;
  const where = typeof position === 'number' ? ` (at character ${position})` : '';
  // Suggests links, because the gateway would decode a bare name with a percent sign.
  const links = Array.isArray(meant) ? meant.map((name: DoiName) => recommendedUrl(name)) : [];
  const advice =
    links.length > 0
      ? `Call again with ${links.slice(0, MAX_MEANT).join(' or ')}.`
      : 'Call again with a DOI such as 10.1000/182. To find DOIs in a text, call find_dois.';
  return new ToolError(`INVALID_DOI: ${error.message}${where} ${advice}`);
}
