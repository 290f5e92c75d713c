// Lists whose resolver returns a generator. The executor takes and writes their items in slices.

import { NO_ITEM_YET, type Soon } from '../time.ts';
import type { Execution } from './execution.ts';
import { appended, isWritten, type Written } from './pieces.ts';
import { type OperationUsage, ResponseEnded } from './write.ts';
import { nextSlice, type Writing, WrittenParts } from './written-parts.ts';

export function isGenerator(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/**
 * Yields the items. Pays for each item when it is found, so that no item is searched for that the operation cannot
 * afford. If `pay` throws, yields the error and ends. Throws a ResponseEnded, because then no item will be written.
 * @param pay pays for one item
 */
export function* pricedItems(found: Iterable<unknown>, pay: () => void): Generator<unknown, void> {
  for (const item of found) {
    try {
      if (item !== NO_ITEM_YET) pay();
    } catch (tooMuch) {
      if (tooMuch instanceof ResponseEnded) throw tooMuch;
      yield tooMuch;
      return;
    }
    yield item;
  }
}

type Finder = Pick<Execution, 'usage' | 'slices' | 'gate' | 'time'>;

export interface FoundWriter {
  write(item: unknown, index: number): Writing;
  /** writes an item that was found after the deadline */
  fail(reason: unknown, index: number): Writing;
  /** true: after the deadline each remaining item fails; false: the list ends with the first item that fails */
  readonly hasKnownLength: boolean;
}

/** Writes each item when it is found, so that memory never holds all of them. */
export function writeFound(found: Iterator<unknown>, writer: FoundWriter, finder: Finder): Writing {
  const { usage, slices } = finder;
  usage.addBytes(2);
  let list: Written = '[';
  for (let at = 0; ; ) {
    const { done, value } = found.next();
    if (done) return appended(list, ']');
    let item: Writing = '';
    if (value !== NO_ITEM_YET) {
      list = appended(list, separator(at, usage));
      item = writer.write(value, at);
      at += 1;
    }
    // After the item, so that each slice writes or searches for at least one.
    if (!isWritten(item) || slices.isOver(usage.writtenBytes)) {
      const parts = new WrittenParts(list, usage);
      parts.add(item);
      return writeRestOfFound(parts, found, at, writer, finder);
    }
    list = appended(list, item);
  }
}

function separator(at: number, usage: OperationUsage): string {
  if (at === 0) return '';
  usage.addBytes(1);
  return ',';
}

/** Writes the remaining items in later slices. */
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
    for (let at = from; ended === null || writer.hasKnownLength; ) {
      if (slices.isOver(usage.writtenBytes)) ended = (await nextSlice({ slices, time })) ?? ended;
      const { done, value } = found.next();
      if (done) break;
      if (value === NO_ITEM_YET && ended === null) continue;
      parts.add(separator(at, usage));
      parts.add(ended === null ? writer.write(value, at) : writer.fail(ended, at));
      at += 1;
    }
  } finally {
    gate.release();
  }
  parts.add(']');
  return parts.together();
}

interface Finding extends Pick<Execution, 'slices' | 'time'> {
  readonly usage: Pick<OperationUsage, 'writtenBytes' | 'keep'>;
}

/** Estimated memory of an item without look-ups that is kept until all items are found. */
const ITEM_BYTES = 500;

/**
 * All items; a promise only if a slice ended before the last item.
 * @param bytes memory that the fields of an item need
 */
export function allItems(
  found: Iterator<unknown>,
  bytes: number,
  finding: Finding,
): Soon<readonly unknown[]> {
  const items: unknown[] = [];
  const itemBytes = Math.max(bytes, ITEM_BYTES);
  return isAllFound(found, items, itemBytes, finding) ? items : otherItems(found, items, itemBytes, finding);
}

function isAllFound(
  found: Iterator<unknown>,
  items: unknown[],
  itemBytes: number,
  { slices, usage }: Finding,
): boolean {
  // Searches for at least one item in each slice.
  do {
    const { done, value } = found.next();
    if (done) return true;
    if (value === NO_ITEM_YET) continue;
    usage.keep(itemBytes);
    items.push(value);
  } while (!slices.isOver(usage.writtenBytes));
  return false;
}

async function otherItems(
  found: Iterator<unknown>,
  items: unknown[],
  itemBytes: number,
  finding: Finding,
): Promise<readonly unknown[]> {
  do {
    await finding.slices.next();
    finding.time.throwIfEnded();
  } while (!isAllFound(found, items, itemBytes, finding));
  return items;
}
