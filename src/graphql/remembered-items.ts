// The JSON of objects that come again, kept while memory holds just what they were made from.

import { type BoundedEntry, createSecondChanceMap } from '../cache/second-chance-map.ts';
import type { Evidence } from '../loaders/evidence.ts';
import type { Loaders } from '../loaders/loaders.ts';
import type { RememberedExtensions } from '../schema/remembered.ts';

import type { Written } from './pieces.ts';
import type { PlannedFields } from './plan.ts';
import type { Allowance } from './write.ts';

/** What of an execution is looked at: it counts the same as if nothing were remembered. */
interface Executing {
  readonly context: { readonly loaders: Pick<Loaders, 'note' | 'stillHolds'> };
  readonly allowance: Allowance;
  readonly errors: { readonly length: number };
  readonly variableReads: number;
}

export interface RememberedItems {
  /**
   * undefined where nothing is remembered, what it was made from has changed, or a limit does not let all of it
   * through: which field is one too many is told by making it anew.
   */
  recall(key: string, execution: Executing): string | undefined;
  /** What `write` gives; kept where all of it came from memory, and nothing of it is drawn, stale, in error or from a variable. */
  remember(
    key: string,
    execution: Executing,
    write: () => Written | Promise<Written>,
  ): Written | Promise<Written>;
}

interface Item extends BoundedEntry {
  readonly json: string;
  readonly writtenBytes: number;
  readonly cost: number;
  readonly evidence: Evidence;
}

/** Of key, item, evidence and their places, measured. */
const BYTES_AN_ITEM = 500;
const MAX_ITEM_BYTES = 100_000;

function sizeOf(json: string, key: string): number {
  return BYTES_AN_ITEM + 2 * (json.length + key.length);
}

/** By what an object is known to these fields; null where it is one of a kind. */
export function keyOf({ type, number }: PlannedFields, source: unknown): string | null {
  const { rememberBy } = type.extensions as RememberedExtensions;
  const name = rememberBy ? rememberBy(source as never) : null;
  return name === null ? null : `${number} ${name}`;
}

export function createRememberedItems(maxBytes: number): RememberedItems {
  const items = createSecondChanceMap<Item>(maxBytes);
  // What is inside a noted object is noted with it.
  let isNoting = false;

  return {
    recall(key, { context, allowance }) {
      const item = items.get(key);
      if (item === undefined || isNoting || !allowance.canPay(item.cost)) return undefined;
      if (!context.loaders.stillHolds(item.evidence)) return undefined;
      item.used = true;
      allowance.bytes(item.writtenBytes);
      allowance.pay(item.cost);
      return item.json;
    },

    remember(key, execution, write) {
      if (isNoting) return write();
      const { allowance, errors, variableReads, context } = execution;
      const { writtenBytes, paidCost } = allowance;
      const errorsBefore = errors.length;
      const endNote = context.loaders.note();
      isNoting = true;
      let evidence: Evidence | null = null;
      let json: Written | Promise<Written>;
      try {
        json = write();
      } finally {
        isNoting = false;
        evidence = endNote();
      }
      const isKept =
        typeof json === 'string' &&
        sizeOf(json, key) <= MAX_ITEM_BYTES &&
        evidence !== null &&
        errors.length === errorsBefore &&
        execution.variableReads === variableReads;
      if (isKept) {
        items.set(key, {
          // A copy in one piece: what was put together from parts would keep all of them.
          json: Buffer.from(json as string).toString(),
          bytes: sizeOf(json as string, key),
          used: false,
          writtenBytes: allowance.writtenBytes - writtenBytes,
          cost: allowance.paidCost - paidCost,
          evidence: evidence as Evidence,
        });
      }
      return json;
    },
  };
}
