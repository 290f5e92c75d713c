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

/** In one response, which a language model has to read. */
const MAX_MATCHES = 200;

const MAX_SHOWN = 300;

const Match = LinkedDoi.extend({
  text: z.string().optional().describe('As it stands there, if other than the DOI.'),
  start: z.int(),
  end: z.int(),
  form: z.string(),
  repaired: z.boolean().optional().describe('Show it to a person.'),
});

export const findDoisTool = defineTool({
  name: 'find_dois',
  title: 'Find DOIs in a text',
  description: `Finds the DOIs in a text (prose, HTML, Markdown, TeX, BibTeX, RIS, CSV) and their places, without a look-up: use check_references to know whether they exist.
Example: {"text": "Smith, doi:10.1000/182."} gives {"matches": [{"doi": "10.1000/182", "start": 7, "end": 22}]}.`,
  input: z.strictObject({ text: TextInput, from: FromInput }),
  output: z.object({
    matches: z.array(Match).describe(`The first ${MAX_MATCHES} at most.`),
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

/** Markup can make the text long. */
function shown(written: string): string {
  return written.length <= MAX_SHOWN ? written : `${written.slice(0, MAX_SHOWN)}…`;
}

interface PlacesInText {
  readonly places: readonly DoiMatch[];
  /** the start of the first place for the next call; null: there are no more places */
  readonly continueAt: number | null;
  /** places left out, because no registered name is so long */
  readonly tooLong: number;
}

/**
 * Finds DOI names in slices of work. Rejects with the signal's reason.
 * @param from in UTF-16 units; places before it are left out
 * @param takes gets each place once; returns false to end the search
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
