// Finds registered names that are close to a name that was not found.

import { lookalikes } from '../../doi/lookalikes.ts';
import type { DoiName } from '../../doi/name.ts';
import { digitTypos, repairsOf } from '../../doi/suggest.ts';
import type { Loaders } from '../../loaders/loaders.ts';

/** The largest number of candidates to look up for one name. */
export const MAX_CANDIDATES = 10;

/**
 * Candidates that exist. Empty if the name itself exists. A typo of digits is only a guess. So candidates of this kind
 * are looked up only if no repair exists, and returned only if exactly one exists. Rejects if the loader rejects.
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
