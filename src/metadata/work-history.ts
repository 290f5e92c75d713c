// The updates and relations of a work. An agency's API reports them. Content negotiation does not.

import type { Relation } from './relations.ts';
import type { Updates } from './retractions-and-updates.ts';

/** Frozen, and plain JSON. */
export interface WorkHistory {
  readonly updates: Updates;
  readonly relations: readonly Relation[];
  /** the agency that reports the history. Default: the source of the metadata */
  readonly source?: string | undefined;
}
