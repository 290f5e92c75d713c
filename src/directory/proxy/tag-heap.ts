// What has a tag, the least on top: a binary heap out of which anything can be taken.

/** The heap keeps place and number; the tag must not change while the item is inside. */
export interface Tagged {
  tag: number;
  heapIndex: number;
  heapNumber: number;
}

export interface TagHeap<Item extends Tagged> {
  readonly size: number;
  /** of items with the least tag the one that came first */
  first(): Item | undefined;
  add(item: Item): void;
  /** Nothing happens where it is not inside. */
  remove(item: Item): void;
}

export function createTagHeap<Item extends Tagged>(): TagHeap<Item> {
  const items: Item[] = [];
  let added = 0;

  function put(item: Item, index: number): void {
    items[index] = item;
    item.heapIndex = index;
  }

  function rise(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const parent = items[(index - 1) >> 1];
      if (index === 0 || parent === undefined || isBefore(parent, item)) break;
      put(parent, index);
      index = (index - 1) >> 1;
    }
    put(item, index);
  }

  function sink(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const left = items[2 * index + 1];
      const right = items[2 * index + 2];
      const least = left && right && isBefore(right, left) ? right : left;
      if (least === undefined || isBefore(item, least)) break;
      const next = least.heapIndex;
      put(least, index);
      index = next;
    }
    put(item, index);
  }

  return {
    get size() {
      return items.length;
    },
    first: () => items[0],
    add(item) {
      item.heapNumber = added;
      added += 1;
      rise(item, items.length);
    },
    remove(item) {
      const { heapIndex } = item;
      if (items[heapIndex] !== item) return;
      const last = items.pop();
      if (last === undefined || last === item) return;
      rise(last, heapIndex);
      sink(last, last.heapIndex);
    },
  };
}

function isBefore(one: Tagged, other: Tagged): boolean {
  return one.tag < other.tag || (one.tag === other.tag && one.heapNumber < other.heapNumber);
}
