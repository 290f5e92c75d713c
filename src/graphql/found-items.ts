// Lists whose items are found one by one, by a resolver that gives a generator: found in slices, as all work is.

import type { Slices, Soon } from '../time.ts';
import type { Execution } from './execution.ts';
import { appended, isWritten, type Written } from './pieces.ts';
import type { OperationUsage } from './write.ts';
import { endedBefore, type Writing, WrittenParts } from './written-parts.ts';

export function isGenerator(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/**
 * The items that could be paid, then an error if one could not. Each is paid when it is found: of many such lists
 * none finds what the operation cannot afford.
 * @param pay for one item; throws where that is too much
 */
export function* pricedItems(found: Iterable<unknown>, pay: () => void): Generator<unknown, void> {
  for (const item of found) {
    try {
      pay();
    } catch (tooMuch) {
      yield tooMuch;
      return;
    }
    yield item;
  }
}

type Finder = Pick<Execution, 'usage' | 'slices' | 'gate' | 'time'>;

export interface FoundWriter {
  write(item: unknown, index: number): Writing;
  /** for an item that is found when the time of the operation is over */
  fail(reason: unknown, index: number): Writing;
  /** As many items as an argument has: each has its place. Else the list ends with the first that fails so. */
  readonly isCounted: boolean;
}

/** Writes each item when it is found, so that memory never holds all of them. */
export function writeFound(found: Iterator<unknown>, writer: FoundWriter, finder: Finder): Writing {
  const { usage, slices } = finder;
  usage.addBytes(2);
  let list: Written = '[';
  for (let at = 0; ; at += 1) {
    const { done, value } = found.next();
    if (done) return appended(list, ']');
    if (at > 0) {
      usage.addBytes(1);
      list = appended(list, ',');
    }
    const item = writer.write(value, at);
    // One at least, however short the slices are.
    if (!isWritten(item) || slices.isOver(usage.writtenBytes)) {
      const parts = new WrittenParts(list, usage);
      parts.add(item);
      return writeRestOfFound(parts, found, at + 1, writer, finder);
    }
    list = appended(list, item);
  }
}

/** In later slices. */
async function writeRestOfFound(
  parts: WrittenParts,
  found: Iterator<unknown>,
  from: number,
  writer: FoundWriter,
  { usage, slices, gate, time }: Finder,
): Promise<Written> {
  let ended: unknown = null;
  gate.hold();
  try {
    for (let at = from; ended === null || writer.isCounted; at += 1) {
      if (slices.isOver(usage.writtenBytes)) ended = (await endedBefore({ slices, time })) ?? ended;
      const { done, value } = found.next();
      if (done) break;
      usage.addBytes(1);
      parts.add(',');
      parts.add(ended === null ? writer.write(value, at) : writer.fail(ended, at));
    }
  } finally {
    gate.release();
  }
  parts.add(']');
  return parts.together();
}

interface Finding {
  readonly usage: Pick<OperationUsage, 'writtenBytes' | 'keep'>;
  readonly slices: Pick<Slices, keyof Slices>;
  readonly time: { throwIfEnded(): void };
}

/** Of an item that is kept until all are found. */
const ITEM_BYTES = 500;

/** All items; a promise only where a slice was over before the last one. */
export function allItems(found: Iterator<unknown>, finding: Finding): Soon<readonly unknown[]> {
  const items: unknown[] = [];
  return isAllFound(found, items, finding) ? items : otherItems(found, items, finding);
}

function isAllFound(found: Iterator<unknown>, items: unknown[], { slices, usage }: Finding): boolean {
  // One at least, however short the slices are.
  do {
    const { done, value } = found.next();
    if (done) return true;
    usage.keep(ITEM_BYTES);
    items.push(value);
  } while (!slices.isOver(usage.writtenBytes));
  return false;
}

async function otherItems(
  found: Iterator<unknown>,
  items: unknown[],
  finding: Finding,
): Promise<readonly unknown[]> {
  do {
    await finding.slices.next();
    finding.time.throwIfEnded();
  } while (!isAllFound(found, items, finding));
  return items;
}
