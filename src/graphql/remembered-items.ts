// Remembers the JSON of objects that many requests select. The JSON of an object is used while the object's data is current.

import type { RememberedExtensions } from '../schema/builder.ts';
import type { Soon } from '../time.ts';
import type { WrittenJson } from './pieces.ts';
import type { PlannedFields } from './plan.ts';
import type { OperationUsage } from './write.ts';

/** Tracks the data that the fields of an item use. The executor knows nothing else about the data. */
export interface ItemSources {
  /** Starts tracking. The returned function ends the tracking and returns the data; null: the item cannot be remembered. */
  track(): () => object | null;
  /** Returns whether the tracked data is still current. If so, counts the look-ups of the data again. */
  stillHolds(tracked: object): boolean;
}

/** The part of an Execution that is used here. A recalled item changes `usage` as if the item were written again. */
interface Executing {
  readonly sources: ItemSources;
  readonly usage: OperationUsage;
  readonly errors: { readonly length: number };
  readonly variableReads: number;
}

export interface RememberedItem {
  readonly json: string;
  /** estimated memory */
  readonly bytes: number;
  /** set by `recall`; the store can clear it */
  isUsed: boolean;
  readonly writtenBytes: number;
  readonly cost: number;
  /** the data that the item was made from */
  readonly tracked: object;
}

/** Keeps items, up to a limit in bytes. */
interface ItemStore {
  get(key: string): RememberedItem | undefined;
  set(key: string, item: RememberedItem): void;
}

/** The memory of an item without its two strings (measured). */
const BYTES_PER_ITEM = 500;
const MAX_ITEM_BYTES = 100_000;

/** The key of an object with these fields. Null if objects of its type are not remembered. */
export function itemKey({ type, number }: PlannedFields, source: unknown): string | null {
  const { rememberBy } = type.extensions as RememberedExtensions;
  const name = rememberBy ? rememberBy(source as never) : null;
  return name === null ? null : `${number} ${name}`;
}

export type RememberedItems = ReturnType<typeof createRememberedItems>;

export function createRememberedItems(items: ItemStore) {
  // While one object is tracked, the objects inside it are neither tracked nor recalled.
  let isTracking = false;

  return {
    /**
     * The JSON of an item. Undefined if the item is not remembered, if its data is no longer current, or if the item costs
     * too much. In the last case, the executor writes the item again and finds the field that exceeds the limit.
     */
    recall(key: string, { sources, usage }: Executing): string | undefined {
      const item = items.get(key);
      if (item === undefined || isTracking || !usage.allowsCost(item.cost)) return undefined;
      if (!sources.stillHolds(item.tracked)) return undefined;
      item.isUsed = true;
      usage.addBytes(item.writtenBytes);
      usage.addCost(item.cost);
      return item.json;
    },

    /**
     * Returns the result of `write`. Remembers the result if all its data came from memory. A result with random or stale
     * data, with an error, or with the value of a variable is not remembered.
     */
    remember(key: string, execution: Executing, write: () => Soon<WrittenJson>): Soon<WrittenJson> {
      if (isTracking) return write();
      const { usage, errors, variableReads, sources } = execution;
      const { writtenBytes, cost } = usage;
      const errorsBefore = errors.length;
      const endTracking = sources.track();
      isTracking = true;
      let tracked: object | null = null;
      let json: Soon<WrittenJson>;
      try {
        json = write();
      } finally {
        isTracking = false;
        tracked = endTracking();
      }
      if (tracked === null || typeof json !== 'string') return json;
      const bytes = BYTES_PER_ITEM + 2 * (json.length + key.length);
      const isKept = bytes <= MAX_ITEM_BYTES && errors.length === errorsBefore;
      if (isKept && execution.variableReads === variableReads) {
        items.set(key, {
          // A copy: a string that was joined from parts keeps all parts in memory.
          json: Buffer.from(json).toString(),
          bytes,
          isUsed: false,
          writtenBytes: usage.writtenBytes - writtenBytes,
          cost: usage.cost - cost,
          tracked,
        });
      }
      return json;
    },
  };
}
