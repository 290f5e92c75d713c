import { z } from 'zod';
import type { GraphqlError } from '../../ask/ask.ts';
import { type NameAnswer, NOT_IN_SAMPLE } from '../../ask/look-up-names.ts';
import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import { RESOLVE_DOI } from '../tool-documents.ts';
import { OutcomeFields, outcomeLine, toldOutcome } from './name-outcome.ts';
import { answerOf, DoiInput, defineTool, LinkedDoi, ToolError, toolError } from './tool.ts';

/** In a message. */
const MAX_MEANT = 5;

/** Null is what there is none of, or what could not be told: that has an error at its path. */
interface Doi {
  readonly name: DoiName;
  readonly url: string;
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly suggestions: readonly { readonly name: string }[] | null;
  readonly registrationAgency: { readonly name: string; readonly title: string | null } | null;
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
    const { data, errors } = await answerOf<{ readonly doi: Doi | null }>(
      gateway.ask,
      RESOLVE_DOI,
      { input },
      signal,
    );
    const { doi } = data;
    if (doi === null) throw unreadable(errors[0]);
    if (doi.exists === null) throw toolError(errors.find(({ path }) => path?.[1] === 'exists'));
    const told = toldOutcome(doi.name, nameAnswer(doi, doi.exists, gateway.isSample));
    const untold = errors.map(({ path, message, extensions: { code } }) => ({
      code,
      message: `${path?.[1]}: ${message}`,
    }));
    const { name, url, registrationAgency: agency } = doi;
    const structured = { doi: name, url, ...told, notes: [...told.notes, ...untold], agency };
    const by = agency === null ? [] : [`Registered by ${agency.title ?? agency.name}.`];
    return { structured, text: [outcomeLine(name, structured), ...by].join('\n') };
  },
});

function nameAnswer(doi: Doi, exists: boolean, isSample: boolean): NameAnswer {
  const isMissed = isSample && !exists;
  return {
    outcome: exists ? 'found' : isMissed ? 'unknown' : 'absent',
    reason: isMissed ? NOT_IN_SAMPLE : null,
    meant: isMissed ? [] : (doi.suggestions ?? []).map(({ name }) => name),
    alias: doi.alias?.handle ?? null,
    target: doi.redirect?.url ?? null,
  };
}

function unreadable(error: GraphqlError | undefined): ToolError {
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
