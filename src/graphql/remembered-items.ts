// The JSON of objects that come again, kept while memory holds just what they were made from.

import type { RememberedExtensions } from '../schema/remembered.ts';
import type { Soon } from '../time.ts';
import type { Written } from './pieces.ts';
import type { PlannedFields } from './plan.ts';
import type { OperationUsage } from './write.ts';

/** What the fields of an operation get their data from, as far as the executor has to know to remember items. */
export interface ItemSources {
  /** Begins a note of all data that fields get. The returned function ends the note; null: the item cannot be kept. */
  note(): () => object | null;
  /** Whether the noted data is still what the fields would get. Then it counts as got once more, else nothing counts. */
  stillHolds(noted: object): boolean;
}

/** What of an execution is looked at: it counts the same as if nothing were remembered. */
interface Executing {
  readonly sources: ItemSources;
  readonly usage: OperationUsage;
  readonly errors: { readonly length: number };
  readonly variableReads: number;
}

export interface RememberedItems {
  /**
   * undefined if nothing is remembered, if its sources have changed, or if a limit does not allow all of it: the
   * execution then finds the field that exceeds the limit
   */
  recall(key: string, execution: Executing): string | undefined;
  /** What `write` gives; kept where all of it came from memory, and nothing of it is drawn, stale, in error or from a variable. */
  remember(key: string, execution: Executing, write: () => Soon<Written>): Soon<Written>;
}

export interface RememberedItem {
  readonly json: string;
  /** an estimate of the memory it takes */
  readonly bytes: number;
  /** whether it was recalled; the store may reset it */
  used: boolean;
  readonly writtenBytes: number;
  readonly cost: number;
  /** the data it was made from, as its sources noted it */
  readonly noted: object;
}

/** Where items are kept, bounded by their bytes. */
export interface ItemStore {
  get(key: string): RememberedItem | undefined;
  set(key: string, item: RememberedItem): void;
}

/** Of key, item, evidence and their places, measured. */
const BYTES_AN_ITEM = 500;
const MAX_ITEM_BYTES = 100_000;

function sizeOf(json: string, key: string): number {
  return BYTES_AN_ITEM + 2 * (json.length + key.length);
}

/** By what an object is known to these fields; null where it is one of a kind. */
export function itemKey({ type, number }: PlannedFields, source: unknown): string | null {
  const { rememberBy } = type.extensions as RememberedExtensions;
  const name = rememberBy ? rememberBy(source as never) : null;
  return name === null ? null : `${number} ${name}`;
}

export function createRememberedItems(items: ItemStore): RememberedItems {
  // What is inside a noted object is noted with it.
  let isNoting = false;

  return {
    recall(key, { sources, usage }) {
      const item = items.get(key);
      if (item === undefined || isNoting || !usage.allowsCost(item.cost)) return undefined;
      if (!sources.stillHolds(item.noted)) return undefined;
      item.used = true;
      usage.addBytes(item.writtenBytes);
      usage.addCost(item.cost);
      return item.json;
    },

    remember(key, execution, write) {
      if (isNoting) return write();
      const { usage, errors, variableReads, sources } = execution;
      const { writtenBytes, cost } = usage;
      const errorsBefore = errors.length;
      const endNote = sources.note();
      isNoting = true;
      let noted: object | null = null;
      let json: Soon<Written>;
      try {
        json = write();
      } finally {
        isNoting = false;
        noted = endNote();
      }
      const isKept =
        typeof json === 'string' &&
        sizeOf(json, key) <= MAX_ITEM_BYTES &&
        noted !== null &&
        errors.length === errorsBefore &&
        execution.variableReads === variableReads;
      if (isKept) {
        items.set(key, {
          // A copy in one piece: what was put together from parts would keep all of them.
          json: Buffer.from(json as string).toString(),
          bytes: sizeOf(json as string, key),
          used: false,
          writtenBytes: usage.writtenBytes - writtenBytes,
          cost: usage.cost - cost,
          noted: noted as object,
        });
      }
      return json;
    },
  };
}
