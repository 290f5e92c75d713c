// Finds registered names that are close to a name that was not found.

import { lookalikes } from '../../doi/lookalikes.ts';
import type { DoiName } from '../../doi/name.ts';
import { digitTypos, repairsOf } from '../../doi/suggest.ts';
import type { Loaders } from '../../loaders/loaders.ts';

/** The most candidates that are looked up for one name. */
export const MAX_CANDIDATES = 10;

/**
 * Returns the repaired names that exist. Empty if the name itself exists. If no repaired name exists, looks up names with
 * a typing error of digits corrected: it returns such a name only if exactly one exists, because it is only a guess.
 * Rejects if a loader rejects.
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
