// Names close to one that was not found: the candidates that exist.

import { lookalikes } from '../../doi/lookalikes.ts';
import type { DoiName } from '../../doi/name.ts';
import { digitTypos, repairsOf } from '../../doi/suggest.ts';
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
  const repairs = repairsOf(name, lookalikes);
  const repaired = await existing(repairs, loaders);
  if (repaired.length > 0) return repaired;
  const guessed = await existing(digitTypos(name, MAX_CANDIDATES - repairs.length), loaders);
  return guessed.length === 1 ? guessed : [];
}

async function existing(names: readonly DoiName[], loaders: Loaders): Promise<DoiName[]> {
  const records = await Promise.all(names.map(async (name) => loaders.answeredRecord(name)));
  return names.filter((_, position) => records[position]?.status !== 'HANDLE_NOT_FOUND');
}
