// The updates and relations of a work. Only an agency's own API reports them; content negotiation does not.

import type { Relation } from './relations.ts';
import type { Updates } from './updates.ts';

/** Frozen, and plain JSON. */
export interface WorkHistory {
  readonly updates: Updates;
  readonly relations: readonly Relation[];
  /** who reports the history. Default: the source of the metadata */
  readonly source?: string | undefined;
}
