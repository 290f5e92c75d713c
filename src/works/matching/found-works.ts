// Reads the works that an agency's search found.

import type { DoiName } from 'doi-names';
import { type AgencyObject, agencyDoi, listOf, members } from '../agency-json.ts';
import { readCrossrefWork } from '../crossref-work.ts';
import { dataciteDoi, readDataciteWork } from '../datacite-work.ts';
import type { AgencyWork } from '../work.ts';

export interface FoundWork extends AgencyWork {
  readonly doi: DoiName;
}

/** The content of a search's answer. */
export interface FoundWorks extends AgencyObject {
  readonly works: readonly FoundWork[];
}

/**
 * @param found `{ items }`, in the form of the agency; an item without a DOI is left out
 * @param nextTurn resolves in a later turn of the event loop: to read a large work can take 60 ms
 */
export async function readFoundWorks(
  found: AgencyObject,
  isCrossref: boolean,
  nextTurn: () => Promise<void>,
): Promise<FoundWorks> {
  const works: FoundWork[] = [];
  for (const item of listOf(found['items'])) {
    const doi = isCrossref ? agencyDoi(members(item)['DOI']) : dataciteDoi(item);
    if (doi === null) continue;
    if (works.length > 0) await nextTurn();
    const work = isCrossref ? readCrossrefWork(item, doi) : readDataciteWork(item, doi);
    if (work !== null) works.push({ doi, ...work });
  }
  return Object.freeze({ works: Object.freeze(works) });
}
