// A heap of items that are ordered by a number, their tag.

/** An item of a heap. Its tag must not change while the item is in a heap. The heap sets `heapIndex` and `heapNumber`. */
export interface Tagged {
  tag: number;
  heapIndex: number;
  heapNumber: number;
}

/** A binary heap with the smallest tag on top. Any item can be removed. */
export class TagHeap<Item extends Tagged> {
  readonly #items: Item[] = [];
  #added = 0;

  get size(): number {
    return this.#items.length;
  }

  /** The item with the smallest tag. If several items have this tag, the item that was added first. */
  first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    item.heapNumber = this.#added;
    this.#added += 1;
    this.#rise(item, this.#items.length);
  }

  /** Does nothing if the item is not in the heap. */
  remove(item: Item): void {
    const { heapIndex } = item;
    if (this.#items[heapIndex] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, heapIndex);
    this.#sink(last, last.heapIndex);
  }

  #put(item: Item, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #rise(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const parent = this.#items[(index - 1) >> 1];
      if (index === 0 || parent === undefined || isBefore(parent, item)) break;
      this.#put(parent, index);
      index = (index - 1) >> 1;
    }
    this.#put(item, index);
  }

  #sink(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const left = this.#items[2 * index + 1];
      const right = this.#items[2 * index + 2];
      const least = left && right && isBefore(right, left) ? right : left;
      if (least === undefined || isBefore(item, least)) break;
      const next = least.heapIndex;
      this.#put(least, index);
      index = next;
    }
    this.#put(item, index);
  }
}

function isBefore(one: Tagged, other: Tagged): boolean {
  return one.tag < other.tag || (one.tag === other.tag && one.heapNumber < other.heapNumber);
}
