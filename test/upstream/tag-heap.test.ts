// The item with the least tag is on top, whichever are added and taken out.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Tagged, TagHeap } from '../../src/tag-heap.ts';

const leastOf = (clients: readonly Tagged[]) => Math.min(...clients.map(({ tag }) => tag));

test('the least is on top, also when others have been taken out of the middle', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(1_000), { maxLength: 40 }),
      (tags, takenOut) => {
        const heap = new TagHeap<Tagged>();
        const inside: Tagged[] = [];
        const isRight = (): void => {
          expect(heap.size).toBe(inside.length);
          if (inside.length > 0) expect(heap.first()?.tag).toBe(leastOf(inside));
          else expect(heap.first()).toBeUndefined();
        };
        for (const tag of tags) {
          const client = { tag, heapIndex: -1, heapNumber: -1 };
          inside.push(client);
          heap.add(client);
          isRight();
        }
        const takeOut = (client: Tagged | undefined): void => {
          if (client) heap.remove(client);
          isRight();
        };
        for (const number of takenOut) takeOut(inside.splice(number % Math.max(1, inside.length), 1)[0]);
        for (let first = heap.first(); first; first = heap.first()) {
          inside.splice(inside.indexOf(first), 1);
          takeOut(first);
        }
        expect(inside).toEqual([]);
      },
    ),
  );
});
