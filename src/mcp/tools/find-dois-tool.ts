import { z } from 'zod';
import { namesInText, shown } from './found-in-text.ts';
import { defineTool, LinkedDoi, TextInput } from './tool.ts';

/** In one answer, which a language model has to read. */
const MAX_MATCHES = 200;

const Match = LinkedDoi.extend({
  text: z.string().describe('What stands in the text; cut after 300 characters.'),
  start: z.int().describe('Where it begins, in UTF-16 units.'),
  end: z.int().describe('Where it ends.'),
  form: z.string().describe('NAME, URI, URL, URN, INFO_URI, HANDLE_URI or WEB_FORM.'),
  repaired: z
    .boolean()
    .describe('The name is more than what stands there, such as a line break healed: show it to a person.'),
});

export const findDois = defineTool({
  name: 'find_dois',
  title: 'Find DOIs in a text',
  description: `Finds the DOI names in a text, each with its place, without looking them up. Takes prose, reference lists, HTML, Markdown, TeX, BibTeX, RIS and CSV; punctuation and markup around a name are left out, broken lines are healed. Use check_references to know as well whether they exist.
Example: {"text": "Smith (2020), doi:10.1021/jacs.5c01100."} finds {"doi": "10.1021/jacs.5c01100", "start": 14, "end": 38}.`,
  input: z.object({ text: TextInput }),
  output: z.object({
    total: z.int().describe('How many there are in all.'),
    matches: z.array(Match).describe(`In the text's order, the first ${MAX_MATCHES} at most.`),
    continueAt: z
      .int()
      .nullable()
      .describe(
        'Where in the text the rest begins: call again with the text from there. Null: there is no rest.',
      ),
    tooLong: z.int().describe('Matches left out because no DOI is that long.'),
  }),
  async call({ text }, context) {
    const { names, tooLong } = await namesInText(text, context);
    const matches = names.slice(0, MAX_MATCHES).map(({ doi, text: written, start, end, form, repaired }) => ({
      doi: doi.name,
      url: doi.url,
      text: shown(written),
      start,
      end,
      form,
      repaired,
    }));
    const continueAt = names[MAX_MATCHES]?.start ?? null;
    const lines = matches.map(
      ({ doi, start, repaired }) => `${start}: ${doi}${repaired ? ' (repaired)' : ''}`,
    );
    if (continueAt !== null)
      lines.push(`${names.length - MAX_MATCHES} more from character ${continueAt} on.`);
    const structured = { total: names.length, matches, continueAt, tooLong };
    return { structured, text: [`${names.length} DOIs found.`, ...lines].join('\n') };
  },
});
