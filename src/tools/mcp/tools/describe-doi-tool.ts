import { z } from 'zod';
import { DESCRIBE_DOIS } from '../tool-documents.ts';
import { type DescribedFields, workEntry } from './described-work.ts';
import { DoiInput, defineTool, partialDataOf } from './tool.ts';
import { descriptionsWithin, stepsFor } from './work-descriptions.ts';

const MAX_DOIS = 50;
/** A longer list has citations and BibTeX only if the agent requests them, and no suggestions for absent names. */
const MAX_DOIS_IN_FULL = 10;

const NOT_REQUESTED = `For citations or BibTeX of more than ${MAX_DOIS_IN_FULL} DOIs, set \`citation\` or \`bibtex\`.`;

const DEFAULT_STYLE = 'apa';
const MAX_STYLE_CHARACTERS = 100;

export const describeDoiTool = defineTool({
  name: 'describe_doi',
  title: 'Describe works',
  description: `Describes works: title, people, year, container, kind, licence, updates such as RETRACTED, citation, BibTeX. A note with a failed look-up says nothing about the work. "leftOut" counts works with parts that had no room.
Example: {"dois": ["10.1000/182"]} gives {"works": [{"status": "found", "title": "DOI Handbook"}]}.`,
  input: z.strictObject({
    dois: z.array(DoiInput).min(1).max(MAX_DOIS),
    citation: z
      .string()
      .max(MAX_STYLE_CHARACTERS)
      .optional()
      .describe(`CSL style. Default for up to ${MAX_DOIS_IN_FULL} DOIs: ${DEFAULT_STYLE}.`),
    bibtex: z.boolean().optional().describe('Prefer BibTeX to other parts.'),
  }),
  output: z.object({
    works: z.array(z.record(z.string(), z.unknown())),
    leftOut: z.record(z.string(), z.int()).optional(),
  }),
  async call({ dois, citation, bibtex }, context) {
    const { gateway, signal, turns } = context;
    const isFew = dois.length <= MAX_DOIS_IN_FULL;
    const { data, errors } = await partialDataOf<{ readonly dois: readonly (DescribedFields | null)[] }>(
      context,
      DESCRIBE_DOIS,
      {
        dois,
        suggestions: isFew,
        citation: isFew || citation !== undefined,
        style: citation ?? DEFAULT_STYLE,
        bibtex: bibtex ?? isFew,
      },
    );
    // Many calls can end at the same deadline. So other tasks run between their answers.
    await turns.next(null);
    signal.throwIfAborted();
    const works = dois.map((input, at) => {
      const errorsOfWork = errors.filter(({ path }) => path?.[1] === at);
      return workEntry(input, data.dois[at] ?? null, errorsOfWork, gateway.isSample);
    });
    const { structured, text } = descriptionsWithin(works, stepsFor(bibtex ?? false));
    const isRequested = isFew || citation !== undefined || bibtex !== undefined;
    return { structured, text: isRequested ? text : `${text}\n${NOT_REQUESTED}` };
  },
});
