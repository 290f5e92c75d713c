// Lists whose items are found one by one, by a resolver that gives a generator: found in slices, as all work is.

import type { Slices } from './turns.ts';

interface Finding {
  readonly allowance: { readonly writtenBytes: number };
  readonly slices: Pick<Slices, keyof Slices>;
  readonly time: { throwIfEnded(): void };
  /** for one item; throws where that is too much */
  readonly pay: () => void;
}

export function isGenerator(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/**
 * All items, or those that could be paid and then an error; a promise only where a slice was over before the last one.
 * Paid when it is found: of many such lists at once none finds what the operation cannot afford.
 */
export function foundItems(
  found: Generator<unknown>,
  finding: Finding,
): readonly unknown[] | Promise<readonly unknown[]> {
  const items: unknown[] = [];
  return isAllFound(found, items, finding) ? items : otherItems(found, items, finding);
}

function isAllFound(
  found: Generator<unknown>,
  items: unknown[],
  { slices, allowance, pay }: Finding,
): boolean {
  // One at least, however short the slices are.
  do {
    const { done, value } = found.next();
    if (done) return true;
    try {
      pay();
    } catch (tooMuch) {
      items.push(tooMuch);
      return true;
    }
    items.push(value);
  } while (!slices.isOver(allowance.writtenBytes));
  return false;
}

async function otherItems(
  found: Generator<unknown>,
  items: unknown[],
  finding: Finding,
): Promise<readonly unknown[]> {
  do {
    await finding.slices.next();
    finding.time.throwIfEnded();
  } while (!isAllFound(found, items, finding));
  return items;
}
