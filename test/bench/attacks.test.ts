// The table of attacks: each has a name of its own, and its requests can be made.

import { expect, test } from 'vitest';
import { cold, coldDoiRa } from '../../bench/attack/attack.ts';
import { ATTACKS } from '../../bench/attack/attacks/index.ts';

const sums = ATTACKS.filter(({ name }) => name.startsWith('sum: '));

test('no two attacks have the same name', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('sums are small requests: each is one that the gateway reads', () => {
  const tooLarge = sums.filter(({ gateway, bytes }) => gateway !== 'jobs' && bytes(0, 0).length > 1_049_500);
  expect(tooLarge.map(({ name }) => name)).toEqual([]);
  expect(sums.length).toBeGreaterThan(250);
});

test('cold names are in no other request', () => {
  expect(new Set([...cold(50), ...cold(50), ...cold(50, 'slow')]).size).toBe(150);
  expect(coldDoiRa(1_000)).not.toBe(coldDoiRa(1_000));
  expect(coldDoiRa(1_000).length).toBeLessThan(15_900);
});
