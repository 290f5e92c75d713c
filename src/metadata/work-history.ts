// What an agency's own API says about a work beside its CSL. Content negotiation says none of it.

import type { Relation } from './relations.ts';
import type { Updates } from './updates.ts';

/** Frozen, and plain JSON. */
export interface WorkHistory {
  readonly updates: Updates;
  readonly relations: readonly Relation[];
  /** who reports it; left out: the source of the metadata */
  readonly source?: string | undefined;
}
