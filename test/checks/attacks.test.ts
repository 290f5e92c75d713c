// The table of attacks: each attack has a unique name, and its requests can be built.

import { expect, test } from 'vitest';
import { uncachedDoiRa, uncachedNames } from '../../checks/attack/attack.ts';
import { ATTACKS } from '../../checks/attack/attacks/index.ts';

const parallelAttacks = ATTACKS.filter(({ name }) => name.startsWith('sum: '));

test('no two attacks have the same name', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('the requests of parallel attacks are so small that the gateway reads them', () => {
  const tooLarge = parallelAttacks.filter(
    ({ gateway, bytes }) => gateway !== 'jobs' && bytes(0, 0).length > 1_049_500,
  );
  expect(tooLarge.map(({ name }) => name)).toEqual([]);
  expect(parallelAttacks.length).toBeGreaterThan(250);
});

test('each call for uncached names returns new names', () => {
  expect(new Set([...uncachedNames(50), ...uncachedNames(50), ...uncachedNames(50, 'slow')]).size).toBe(150);
  expect(uncachedDoiRa(1_000)).not.toBe(uncachedDoiRa(1_000));
  expect(uncachedDoiRa(1_000).length).toBeLessThan(15_900);
});
