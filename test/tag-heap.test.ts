import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Tagged, TagHeap } from '../src/tag-heap.ts';

test('the item with the smallest tag is always first while items are added and removed', () => {
  const tags = fc.array(fc.nat(20), { minLength: 1, maxLength: 40 });
  const removals = fc.array(fc.nat(1_000), { maxLength: 40 });
  fc.assert(
    fc.property(tags, removals, (added, removed) => {
      const heap = new TagHeap<Tagged>();
      const items: Tagged[] = [];
      const expectRightOrder = (): void => {
        expect(heap.size).toBe(items.length);
        const smallest = items.length === 0 ? undefined : Math.min(...items.map(({ tag }) => tag));
        expect(heap.first()?.tag).toBe(smallest);
      };
      const remove = (at: number): void => {
        for (const item of items.splice(at, 1)) heap.remove(item);
        expectRightOrder();
      };
      for (const tag of added) {
        const item = { tag, heapIndex: -1, heapNumber: -1 };
        items.push(item);
        heap.add(item);
        expectRightOrder();
      }
      for (const number of removed) remove(number % Math.max(1, items.length));
      for (let first = heap.first(); first; first = heap.first()) remove(items.indexOf(first));
      expect(items).toEqual([]);
    }),
  );
});
