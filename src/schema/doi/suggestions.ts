// What a name that was not found may have been meant to be.

import type { DoiName } from '../../doi/name.ts';
import { likelyNames } from '../../doi/suggest.ts';
import type { Loaders } from '../../loaders/loaders.ts';

/** Likely names that the directory says exist; none for a name that exists itself. Rejects as the loader does. */
export async function existingSuggestions(name: DoiName, loaders: Loaders): Promise<DoiName[]> {
  const { status } = await loaders.answeredRecord(name);
  if (status !== 'HANDLE_NOT_FOUND') return [];
  const candidates = likelyNames(name);
  const records = await Promise.all(candidates.map(async (name) => loaders.answeredRecord(name)));
  return candidates.filter((_, position) => records[position]?.status !== 'HANDLE_NOT_FOUND');
}
