import { z } from 'zod';
import { createLookUpNames, type NameAnswer } from '../../ask/look-up-names.ts';
import { type FoundName, namesInText, shown } from './found-in-text.ts';
import { OutcomeFields, outcomeLine, toldOutcome } from './name-outcome.ts';
import { fitTold, NO_TITLE, TitleFields, titlesOf } from './reference-titles.ts';
import { defineTool, LinkedDoi, TextInput } from './tool.ts';

/** Different names in one call: each is looked up, and a language model has to read the answer. */
const MAX_CHECKED = 200;

const Reference = LinkedDoi.extend({
  ...OutcomeFields,
  text: z.string().describe('What stands in the text where it is first; cut after 300 characters.'),
  start: z.int().describe('Where that begins, in UTF-16 units.'),
  end: z.int().describe('Where that ends.'),
  times: z.int().describe('How often it stands in the part of the text that was checked.'),
  ...TitleFields,
  repaired: z.boolean().describe('The name is more than what stands there, such as a line break healed.'),
});

const count = (of: string) => z.int().describe(of);

export const checkReferences = defineTool({
  name: 'check_references',
  title: 'Check the DOIs of references',
  description: `Finds all DOIs in a text and asks the DOI directory whether each is registered. Use it on every reference list that you write or are given, before you rely on it: an invented or mistyped DOI is "absent", with the registered one that was probably meant where there is one. "cannot_tell" means that nothing is known: never report it as absent. A found DOI can still be a work other than the one cited: with "titles": true its "fit" is "does_not_fit", and "title" is the real one. References without a DOI are not seen.
Example: {"text": "[1] Smith, J. https://doi.org/10.1000/182. [2] Doe, doi:10.1000/18l"} gives one reference with status "found" and one with status "absent".`,
  input: z.object({
    text: TextInput,
    titles: z
      .boolean()
      .default(false)
      .describe('Also ask the agencies for titles, and compare each with the words around its DOI.'),
  }),
  output: z.object({
    counts: z.object({
      found: count('Registered.'),
      absent: count('Not registered.'),
      cannotTell: count('Nothing is known.'),
      notChecked: count('Different DOIs behind `continueAt`, not looked up in this call.'),
      tooLong: count('Left out because no DOI is that long.'),
    }),
    references: z
      .array(Reference)
      .describe(`Each different DOI once, in the text's order, the first ${MAX_CHECKED} at most.`),
    continueAt: z
      .int()
      .nullable()
      .describe(
        'Where in the text the rest begins: call again with the text from there. Null: all are checked.',
      ),
  }),
  async call({ text, titles }, context) {
    const { gateway, signal } = context;
    const { names, tooLong } = await namesInText(text, context);
    const all = [...byName(names).values()];
    const checked = all.slice(0, MAX_CHECKED);
    // Nothing is waited for: whoever calls may call again.
    const lookUp = createLookUpNames({ ...gateway, signal, wait: null });
    const answers = await lookUp(checked.map(([first]) => first.doi.name));
    const fits = titles ? await titlesOf(text, checked, answers, context) : null;
    const continueAt = all[MAX_CHECKED]?.[0].start ?? null;
    const references = checked.map((places, position) => {
      const [{ doi, text: written, start, end, repaired }] = places;
      const times = places.filter((place) => continueAt === null || place.start < continueAt).length;
      const outcome = toldOutcome(doi.name, answers[position] as NameAnswer);
      const place = { text: shown(written), start, end, times, ...(fits?.[position] ?? NO_TITLE), repaired };
      return { doi: doi.name, url: doi.url, ...outcome, ...place };
    });
    const number = (status: string) => references.filter((one) => one.status === status).length;
    const counts = {
      found: number('found'),
      absent: number('absent'),
      cannotTell: number('cannot_tell'),
      notChecked: all.length - checked.length,
      tooLong,
    };
    const lines = references.map((one) => outcomeLine(one.doi, one) + fitTold(one));
    if (continueAt !== null) lines.push(`${counts.notChecked} more from character ${continueAt} on.`);
    return {
      structured: { counts, references, continueAt },
      text: [
        `${counts.found} found, ${counts.absent} absent, ${counts.cannotTell} cannot be told.`,
        ...lines,
      ].join('\n'),
    };
  },
});

/** The places of each different name, in the order of the first. */
function byName(names: readonly FoundName[]): Map<string, [FoundName, ...FoundName[]]> {
  const places = new Map<string, [FoundName, ...FoundName[]]>();
  for (const found of names) {
    const known = places.get(found.doi.name);
    if (known) known.push(found);
    else places.set(found.doi.name, [found]);
  }
  return places;
}
