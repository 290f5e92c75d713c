import { z } from 'zod';
import { type DoiMatch, readingsIn } from '../../../doi/find/find-dois.ts';
import { Slices } from '../../../time.ts';
import {
  ContinueAt,
  defineTool,
  FromInput,
  LinkedDoi,
  listedDoi,
  MAX_NAME_CHARACTERS,
  TextInput,
  type ToolContext,
} from './tool.ts';

/** The limit of one response, because a language model has to read it. */
const MAX_MATCHES = 200;

const MAX_SHOWN = 300;

const Match = LinkedDoi.extend({
  text: z.string().optional().describe('As written, if it differs from the DOI.'),
  start: z.int(),
  end: z.int(),
  form: z.string(),
  repaired: z.boolean().optional().describe('Show it to a person.'),
});

export const findDoisTool = defineTool({
  name: 'find_dois',
  title: 'Find DOIs in a text',
  description: `Finds the DOIs in a text (prose, HTML, Markdown, TeX, BibTeX, RIS, CSV) and their positions. Makes no look-up: use check_references to know whether they exist.
Example: {"text": "Smith, doi:10.1000/182."} gives {"matches": [{"doi": "10.1000/182", "start": 7, "end": 22}]}.`,
  input: z.strictObject({ text: TextInput, from: FromInput }),
  output: z.object({
    matches: z.array(Match).describe(`At most ${MAX_MATCHES}.`),
    continueAt: ContinueAt,
    tooLong: z.int().optional(),
  }),
  async call({ text, from = 0 }, context) {
    let found = 0;
    const isTaken = (): boolean => {
      found += 1;
      return found <= MAX_MATCHES;
    };
    const { places, continueAt, tooLong } = await placesInText(text, from, isTaken, context);
    const matches = places.map(({ name, text: written, start, end, form, repaired }) => ({
      ...listedDoi(name),
      text: written === name ? null : shown(written),
      start,
      end,
      form,
      repaired: repaired || null,
    }));
    const lines = matches.map(
      ({ doi, start, repaired }) => `${start}: ${doi}${repaired ? ' (repaired)' : ''}`,
    );
    if (continueAt !== null) lines.push(`There are more: call again with "from": ${continueAt}.`);
    return {
      structured: { matches, continueAt, tooLong: tooLong || null },
      text: [`${matches.length} ${matches.length === 1 ? 'DOI' : 'DOIs'} found.`, ...lines].join('\n'),
    };
  },
});

/** Cuts a long text: markup can make a match long. */
function shown(written: string): string {
  return written.length <= MAX_SHOWN ? written : `${written.slice(0, MAX_SHOWN)}…`;
}

interface PlacesInText {
  readonly places: readonly DoiMatch[];
  /** the start of the first place for the next call; null if there are no more places */
  readonly continueAt: number | null;
  /** the number of places that are left out, because no registered name is so long */
  readonly tooLong: number;
}

/**
 * Finds DOI names in slices of work. Rejects with the signal's reason.
 * @param from the offset in UTF-16 units at which the search starts
 * @param takes called once for each place; returns false to end the search before this place
 */
export async function placesInText(
  text: string,
  from: number,
  takes: (place: DoiMatch) => boolean,
  { turns, signal }: Pick<ToolContext, 'turns' | 'signal'>,
): Promise<PlacesInText> {
  const slices = new Slices(turns);
  const places: DoiMatch[] = [];
  let tooLong = 0;
  for (const { match, next } of readingsIn(text, { at: from, floor: 0, context: null })) {
    if (match !== null && match.name.length > MAX_NAME_CHARACTERS) tooLong += 1;
    else if (match !== null) {
      if (!takes(match)) return { places, continueAt: match.start, tooLong };
      places.push(match);
    }
    if (slices.isOver(next.at)) {
      await slices.next();
      signal.throwIfAborted();
    }
  }
  return { places, continueAt: null, tooLong };
}
