// A map from names to numbers needs little memory.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DistinctNames, nameKey } from '../../../src/tools/bulk/distinct-names.ts';

test('the map of names has the same entries as a Map', () => {
  const steps = fc.array(
    fc.tuple(
      fc.nat(200),
      fc.maxSafeNat().map((number) => Math.max(0, number - 2)),
    ),
    {
      maxLength: 1_000,
    },
  );
  fc.assert(
    fc.property(steps, (sets) => {
      const names = new DistinctNames();
      const map = new Map<number, number>();
      for (const [name, number] of sets) {
        names.set(nameKey(`10.1000/${name}`), number);
        map.set(name, number);
      }
      for (let name = 0; name <= 201; name += 1)
        expect(names.get(nameKey(`10.1000/${name}`))).toBe(map.get(name));
      expect(names.size).toBe(map.size);
    }),
    { numRuns: 20 },
  );
});

test('the map of names needs at most 40 bytes for each name, even just after it grows', () => {
  const names = new DistinctNames();
  let most = 0;
  for (let count = 1; count <= 200_000; count += 1) {
    names.set(nameKey(`10.1000/${count}`), count);
    if (count >= 20_000 && count % 1_000 === 0) most = Math.max(most, names.bytes / count);
  }
  expect(names.size).toBe(200_000);
  expect(most).toBeLessThanOrEqual(40);
});
