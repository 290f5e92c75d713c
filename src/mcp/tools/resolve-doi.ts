import { z } from 'zod';
import type { GraphqlError } from '../../ask/ask.ts';
import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import type { NameAnswer } from '../../references/name-query.ts';
import { outcomeOf, reasonOf } from '../../references/outcome.ts';
import { RESOLVE_DOI } from '../tool-documents.ts';
import { OutcomeFields, outcomeLine, toldOutcome } from './name-outcome.ts';
import { answerOf, DoiInput, defineTool, failureText, LinkedDoi, ToolError, toolError } from './tool.ts';

/** In a message. */
const MAX_MEANT = 5;

interface Answer {
  readonly doi:
    | (NameAnswer & {
        readonly registrationAgency: { readonly name: string; readonly title: string | null } | null;
      })
    | null;
}

export const resolveDoi = defineTool({
  name: 'resolve_doi',
  title: 'Look a DOI up',
  description: `Asks the DOI directory for one DOI: whether it is registered, where it leads, which agency registered it, whether it is an alias, and what was probably meant if it is absent. Nothing is fetched from where it leads. What is no DOI, and a directory that cannot be asked, are errors that say what to do; neither means that a DOI is absent.
Example: {"doi": "https://doi.org/10.1000/182"} gives {"doi": "10.1000/182", "status": "found", "target": "http://www.doi.org/hb.html"}.`,
  input: z.object({ doi: DoiInput }),
  output: LinkedDoi.extend({
    ...OutcomeFields,
    agency: z
      .object({ name: z.string(), title: z.string().nullable() })
      .nullable()
      .describe('Who registered it: {"name": "Crossref"}. Null where that is not known.'),
  }),
  async call({ doi: input }, { gateway, signal }) {
    const { data, errors } = await answerOf<Answer>(gateway.ask, RESOLVE_DOI, { input }, signal);
    if (data.doi === null) throw unreadable(errors);
    const own = errors.map((error) => ({ ...error, path: error.path?.slice(1) ?? [] }));
    const outcome = outcomeOf(data.doi, own, gateway.isSample);
    const { reason } = outcome;
    if (reason && reason.code !== 'NOT_IN_SAMPLE') throw new ToolError(failureText(reason));
    const told = toldOutcome(outcome);
    const agency = data.doi.registrationAgency;
    const failure = own.find(({ path }) => path[0] === 'registrationAgency');
    const notes = failure
      ? [...told.notes, { code: 'AGENCY_NOT_TOLD', message: reasonOf(failure).message }]
      : told.notes;
    const structured = { doi: outcome.name, url: data.doi.url, ...told, notes, agency };
    const by = agency === null ? [] : [`Registered by ${agency.title ?? agency.name}.`];
    return { structured, text: [outcomeLine(outcome.name, structured), ...by].join('\n') };
  },
});

function unreadable(errors: readonly GraphqlError[]): ToolError {
  const [error] = errors;
  if (error?.extensions.code !== 'INVALID_DOI') return toolError(error);
  const { position, meant } = error.extensions;
  const where = typeof position === 'number' ? ` (at character ${position})` : '';
  // Links, since a name with a percent sign would be read as an encoded one again.
  const links = Array.isArray(meant) ? meant.map((name: DoiName) => recommendedUrl(name)) : [];
  const what =
    links.length > 0
      ? `Call again with ${links.slice(0, MAX_MEANT).join(' or ')}.`
      : 'Call again with a DOI such as 10.1000/182; find_dois finds those in a text.';
  return new ToolError(`INVALID_DOI: ${error.message}${where} ${what}`);
}
