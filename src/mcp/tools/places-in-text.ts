// The places where DOI names stand in a text: found in slices of work, and no more of them than a tool returns.

import { type DoiMatch, readingsIn } from '../../doi/find/find-dois.ts';
import { Slices } from '../../graphql/turns.ts';
import { MAX_NAME_CHARACTERS, type ToolContext } from './tool.ts';

export interface PlacesInText {
  readonly places: readonly DoiMatch[];
  /** where the first place begins that the tool leaves to the next call; null: the tool takes all places */
  readonly continueAt: number | null;
  /** places left out, because no registered name is so long */
  readonly tooLong: number;
}

/**
 * Rejects with the signal's reason when the caller has gone.
 * @param from in UTF-16 units; places before it are left out
 * @param takes gets each place once; the search ends where it returns false
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
