// What is remembered of a thing: what was read from it, even if that is nothing.

import { expect, test } from 'vitest';
import { remember } from '../../src/handle/json.ts';

test('each thing is read once, whatever comes out', () => {
  const reads: object[] = [];
  const things = [{ says: 1 }, { says: null }, { says: undefined }];
  const read = remember((thing: { readonly says: unknown }) => {
    reads.push(thing);
    return thing.says;
  });
  for (const _ of [1, 2]) expect(things.map(read)).toEqual([1, null, undefined]);
  expect(reads).toEqual(things);
});

test('equal things are not the same thing', () => {
  const read = remember((thing: { value: number }) => thing.value);
  expect([{ value: 1 }, { value: 2 }].map(read)).toEqual([1, 2]);
});

test('what could not be read is tried again', () => {
  let tries = 0;
  const read = remember(() => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  });
  const thing = {};
  expect(() => read(thing)).toThrow('not yet');
  expect(read(thing)).toBe(2);
});
