// A long argument is measured once, even if it is in many places of an operation.

import { expect, test } from 'vitest';
import { oncePerList, priceOfInputs, sizeOf } from '../../src/schema/field-price.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

/** A list that counts how often it is read from its beginning. */
function createCountedList(length: number) {
  let reads = 0;
  const list = new Proxy(Array<string>(length).fill('x'), {
    get(target, key, receiver) {
      if (key === '0') reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, reads: () => reads };
}

test.each([
  ['inputs', priceOfInputs, { field: 2_500, multiplier: 100 }],
  ['other arguments', sizeOf, 100],
] as const)('a list of %s is read once, and its price is the same each time', (_, price, expected) => {
  const { list, reads } = createCountedList(100);
  expect([price(list), price(list), price(list)]).toEqual([expected, expected, expected]);
  expect(reads()).toBe(1);
});

test('a large object is read once', () => {
  const { list, reads } = createCountedList(100);
  const entity = { __typename: 'DOI', list };
  expect([sizeOf(entity), sizeOf(entity)]).toEqual([102, 102]);
  expect(reads()).toBe(1);
});

test('two lists have a result each', () => {
  const lengthOf = oncePerList((list: readonly number[]) => list.length);
  expect([lengthOf(Array(100).fill(1)), lengthOf(Array(101).fill(1))]).toEqual([100, 101]);
});

test('representations in a variable cost the same at every place of an operation', async () => {
  const gateway = await createTestGateway({ directory: createFakeDirectory() });
  const representations = Array(20_000).fill({ __typename: 'DOI', name: '10.5555/1', other: 'x' });
  const priced = async (places: number) => {
    const fields = Array.from(
      { length: places },
      (_, at) => `a${at}: _entities(representations: $r) { __typename }`,
    );
    const { errors } = await gateway.query(`query ($r: [_Any!]!) { ${fields.join(' ')} }`, {
      r: representations,
    });
    return Number(/costs (\d+)/.exec(errors?.[0]?.message ?? '')?.[1]);
  };
  expect(await priced(10)).toBe(10 * (await priced(1)));
  await gateway.close();
});
