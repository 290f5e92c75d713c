import type { DoiMatch } from 'doi-names';
import { type FoundDoi, punctuatedNames, readingsIn } from 'doi-names/parts';
import { z } from 'zod';
import { Slices } from '../../../slices.ts';
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

/** A call returns at most this many matches, because a language model must read the response. */
const MAX_MATCHES = 200;

const MAX_TEXT_CHARACTERS = 300;

const Match = LinkedDoi.extend({
  text: z.string().optional().describe('As written, if it differs from the DOI.'),
  start: z.int(),
  end: z.int(),
  form: z.string(),
  repaired: z.boolean().optional().describe('If true, show the DOI to a person.'),
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
    const isWithinLimit = (): boolean => {
      found += 1;
      return found <= MAX_MATCHES;
    };
    const { places, continueAt, tooLong } = await placesInText(text, from, isWithinLimit, context);
    const matches = places.map(({ name, text: written, start, end, form, repaired }) => ({
      ...listedDoi(name),
      text: written === name ? null : shorten(written),
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

/** Markup inside a name can make a match long. */
function shorten(written: string): string {
  return written.length <= MAX_TEXT_CHARACTERS ? written : `${written.slice(0, MAX_TEXT_CHARACTERS)}…`;
}

/** A match, and what else its text might mean. */
export type FoundPlace = Omit<FoundDoi, 'reference'>;

export interface PlacesInText {
  readonly places: readonly FoundPlace[];
  /** the offset at which the next call must start; null if there are no more places */
  readonly continueAt: number | null;
  /** the number of places that the search left out, because no registered name is so long */
  readonly tooLong: number;
}

/**
 * Finds DOI names in a text. Lets other tasks run between slices. Rejects with the signal's reason.
 * @param from the offset in UTF-16 units at which the search starts
 * @param accepts called once for each place. If it returns false, the search ends before this place.
 */
export async function placesInText(
  text: string,
  from: number,
  accepts: (place: DoiMatch) => boolean,
  { turns, signal }: Pick<ToolContext, 'turns' | 'signal'>,
): Promise<PlacesInText> {
  const slices = new Slices(turns);
  const places: FoundPlace[] = [];
  let tooLong = 0;
  for (const { match, alternatives, next } of readingsIn(text, { at: from, floor: 0, context: null })) {
    if (match !== null && match.name.length > MAX_NAME_CHARACTERS) tooLong += 1;
    else if (match !== null) {
      if (!accepts(match)) return { places, continueAt: match.start, tooLong };
      places.push({ ...match, alternatives: [...punctuatedNames(text, match), ...alternatives] });
    }
    if (slices.isOver(next.at)) {
      await slices.next();
      signal.throwIfAborted();
    }
  }
  return { places, continueAt: null, tooLong };
}
