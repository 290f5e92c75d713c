import { expect, test } from 'vitest';
import { createProbeNames } from '../../src/upstream/record-look-up.ts';
import { handleName } from './proxy-under-test.ts';

const FIXED = handleName('10.1000/1');

test('a probe looks up only the fixed name before any name was found', () => {
  expect(createProbeNames(FIXED).pick()).toEqual([FIXED]);
});

test('a probe looks up the fixed name and one of the found names in turn', () => {
  const names = createProbeNames(FIXED);
  for (const name of ['10.1/a', '10.2/b', FIXED]) names.found(handleName(name));
  const picked = [1, 2, 3, 4].map(() => names.pick());
  expect(picked.map(([first]) => first)).toEqual([FIXED, FIXED, FIXED, FIXED]);
  expect(new Set(picked.map(([, second]) => second))).toEqual(new Set(['10.1/a', '10.2/b']));
});

test('probes use only the last found name of each prefix', () => {
  const names = createProbeNames(FIXED);
  names.found(handleName('10.2/b'));
  for (let index = 0; index < 1_000; index += 1) names.found(handleName(`10.1/${index}`));
  const picked = Array.from({ length: 20 }, () => names.pick()[1]);
  expect(new Set(picked)).toEqual(new Set(['10.2/b', '10.1/999']));
});

test('probes use the names of at most 16 prefixes', () => {
  const names = createProbeNames(FIXED);
  for (let index = 0; index < 100; index += 1) names.found(handleName(`10.${index}/x`));
  const picked = new Set(Array.from({ length: 64 }, () => names.pick()[1]));
  expect(picked.size).toBe(16);
  expect(picked).toContain('10.99/x');
});
