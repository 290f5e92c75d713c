// Turns problems of the parser into errors at a field's path.

import { meantBy } from '../../doi/find/reference-around.ts';
import type { DoiName } from '../../doi/name.ts';
import type { ParsedDoi } from '../../doi/parse.ts';
import { quoted } from '../../doi/problems.ts';
import { digitTypos, repairsOf } from '../../doi/suggest.ts';
import { GatewayError } from '../../errors.ts';
import type { Loaders } from '../../loaders/loaders.ts';

/** The most candidates to look up for a name that was not found. */
export const MAX_CANDIDATES = 10;

/**
 * Likely names that the directory says exist; none for a name that exists itself. A digit's typo is a guess: it is
 * looked for where no repair is found, and given where it is the only one. Rejects as the loader does.
 */
export async function existingSuggestions(name: DoiName, loaders: Loaders): Promise<DoiName[]> {
  const { status } = await loaders.answeredRecord(name);
  if (status !== 'HANDLE_NOT_FOUND') return [];
  const repairs = repairsOf(name);
  const repaired = await existing(repairs, loaders);
  if (repaired.length > 0) return repaired;
  const guessed = await existing(digitTypos(name, MAX_CANDIDATES - repairs.length), loaders);
  return guessed.length === 1 ? guessed : [];
}

async function existing(names: readonly DoiName[], loaders: Loaders): Promise<DoiName[]> {
  const records = await Promise.all(names.map(async (name) => loaders.answeredRecord(name)));
  return names.filter((_, position) => records[position]?.status !== 'HANDLE_NOT_FOUND');
}

/** An error is not to be longer than what caused it. */
const MOST_MEANT = 5;
const LONGEST_MEANT = 500;

/**
 * The name, or an INVALID_DOI error with the problem's code as `reason`, its position in the input, and in `meant`
 * the names that stand in the input.
 */
export function nameOrError(parsed: ParsedDoi): DoiName | GatewayError {
  if (parsed.name !== null) return parsed.name;
  const { code, message, position } = parsed.problem;
  const meant = meantBy(parsed, MOST_MEANT)
    .map(({ name }) => name)
    .filter((name) => name.length <= LONGEST_MEANT);
  const [first] = meant;
  return new GatewayError('INVALID_DOI', {
    message: first === undefined ? message : `${message} Probably meant: ${quoted(first)}.`,
    details: { reason: code, position, meant },
  });
}
