// What a probe asks for: names that exist, and not those of one client alone.

import { expect, test } from 'vitest';
import { createProbeNames } from '../../src/upstream/record-look-up.ts';
import { handleName } from './proxy-under-test.ts';

const ALWAYS = handleName('10.1000/1');

test('the one that is given, before any was found', () => {
  expect(createProbeNames(ALWAYS).pick()).toEqual([ALWAYS]);
});

test('that one, and one of those that were found lately, in turns', () => {
  const known = createProbeNames(ALWAYS);
  for (const name of ['10.1/a', '10.2/b', ALWAYS]) known.found(handleName(name));
  const picked = [1, 2, 3, 4].map(() => known.pick());
  expect(picked.map(([first]) => first)).toEqual([ALWAYS, ALWAYS, ALWAYS, ALWAYS]);
  expect(new Set(picked.map(([, second]) => second))).toEqual(new Set(['10.1/a', '10.2/b']));
});

test('one of each prefix, the last; so that the names of one server are one of them', () => {
  const known = createProbeNames(ALWAYS);
  known.found(handleName('10.2/b'));
  for (let index = 0; index < 1_000; index += 1) known.found(handleName(`10.1/${index}`));
  const picked = Array.from({ length: 20 }, () => known.pick()[1]);
  expect(new Set(picked)).toEqual(new Set(['10.2/b', '10.1/999']));
});

test('of no more prefixes than 16', () => {
  const known = createProbeNames(ALWAYS);
  for (let index = 0; index < 100; index += 1) known.found(handleName(`10.${index}/x`));
  const picked = new Set(Array.from({ length: 64 }, () => known.pick()[1]));
  expect(picked.size).toBe(16);
  expect(picked).toContain('10.99/x');
});
