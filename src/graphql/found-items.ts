// Lists whose resolver returns a generator. The executor takes and writes their items in slices.

import { NO_ITEM_YET } from '../slices.ts';
import type { Soon } from '../time.ts';
import type { Execution } from './execution.ts';
import { append, isWritten, type WrittenJson } from './pieces.ts';
import { type OperationUsage, ResponseEnded } from './write.ts';
import { nextSlice, type SoonWritten, WrittenParts } from './written-parts.ts';

export function isGenerator(value: unknown): value is Generator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/**
 * Yields the items. Charges each item when it is found, so that the search ends when the cost reaches its limit. If
 * `charge` throws, yields the error as the last item. But rethrows a ResponseEnded, because it ends the whole response.
 */
export function* chargedItems(found: Iterable<unknown>, charge: () => void): Generator<unknown, void> {
  for (const item of found) {
    try {
      if (item !== NO_ITEM_YET) charge();
    } catch (error) {
      if (error instanceof ResponseEnded) throw error;
      yield error;
      return;
    }
    yield item;
  }
}

type WritingExecution = Pick<Execution, 'usage' | 'slices' | 'gate' | 'time'>;

export interface FoundWriter {
  write(item: unknown, index: number): SoonWritten;
  /** writes an item that was found after the deadline */
  fail(reason: unknown, index: number): SoonWritten;
  /** true: after the deadline each remaining item fails; false: the list ends with the first item that fails */
  readonly hasKnownLength: boolean;
}

/** Writes each item when it is found, so that memory never holds all of them. */
export function writeFound(
  found: Iterator<unknown>,
  writer: FoundWriter,
  execution: WritingExecution,
): SoonWritten {
  const { usage, slices } = execution;
  usage.addBytes(2);
  let list: WrittenJson = '[';
  for (let at = 0; ; ) {
    const { done, value } = found.next();
    if (done) return append(list, ']');
    let item: SoonWritten = '';
    if (value !== NO_ITEM_YET) {
      list = append(list, separator(at, usage));
      item = writer.write(value, at);
      at += 1;
    }
    // Checks the slice after the item, so that each slice makes at least one step.
    if (!isWritten(item) || slices.isOver(usage.writtenBytes)) {
      const parts = new WrittenParts(list, usage);
      parts.add(item);
      return writeRemainingFound(parts, found, at, writer, execution);
    }
    list = append(list, item);
  }
}

function separator(at: number, usage: OperationUsage): string {
  if (at === 0) return '';
  usage.addBytes(1);
  return ',';
}

async function writeRemainingFound(
  parts: WrittenParts,
  found: Iterator<unknown>,
  from: number,
  writer: FoundWriter,
  { usage, slices, gate, time }: WritingExecution,
): Promise<WrittenJson> {
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
  return parts.join();
}

interface CollectingExecution extends Pick<Execution, 'slices' | 'time'> {
  readonly usage: Pick<OperationUsage, 'writtenBytes' | 'addHeapBytes'>;
}

/**
 * Returns all items; a promise only if a slice ended before the last item. Until then, all items stay in memory.
 * @param itemBytes the memory of an item and its fields
 */
export function allItems(
  found: Iterator<unknown>,
  itemBytes: number,
  { slices, usage, time }: CollectingExecution,
): Soon<readonly unknown[]> {
  const items: unknown[] = [];

  /** Adds items until the slice ends, but at least one step of the search. Returns true after the last item. */
  function collectInSlice(): boolean {
    do {
      const { done, value } = found.next();
      if (done) return true;
      if (value === NO_ITEM_YET) continue;
      usage.addHeapBytes(itemBytes);
      items.push(value);
    } while (!slices.isOver(usage.writtenBytes));
    return false;
  }

  async function collectInLaterSlices(): Promise<readonly unknown[]> {
    do {
      await slices.next();
      time.throwIfEnded();
    } while (!collectInSlice());
    return items;
  }

  return collectInSlice() ? items : collectInLaterSlices();
}
