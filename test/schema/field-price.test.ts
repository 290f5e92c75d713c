// The price of an argument, which an operation can contain in many places.

import { expect, onTestFinished, test } from 'vitest';
import { priceOfInputs, sizeOf } from '../../src/schema/field-price.ts';
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

test.each<[string, (list: readonly string[]) => unknown, unknown]>([
  ['inputs', priceOfInputs, { field: 2_500, multiplier: 100 }],
  ['other arguments', sizeOf, 100],
  ['an object', (list) => sizeOf(objectWith(list)), 102],
])('a long list as %s is read once, and has the same price each time', (_, price, expected) => {
  const { list, reads } = createCountedList(100);
  expect([price(list), price(list), price(list)]).toEqual([expected, expected, expected]);
  expect(reads()).toBe(1);
});

const objects = new WeakMap<object, object>();

/** Returns the same object for the same list. */
function objectWith(list: readonly string[]): object {
  const object = objects.get(list) ?? { __typename: 'DOI', list };
  objects.set(list, object);
  return object;
}

test('representations in a variable have the same price in each place of an operation', async () => {
  const gateway = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(gateway.close);
  const representations = Array(20_000).fill({ __typename: 'DOI', name: '10.5555/1', other: 'x' });
  const priceIn = async (places: number) => {
    const fields = Array.from(
      { length: places },
      (_, at) => `a${at}: _entities(representations: $r) { __typename }`,
    );
    const { errors } = await gateway.query(`query ($r: [_Any!]!) { ${fields.join(' ')} }`, {
      r: representations,
    });
    return Number(/costs (\d+)/.exec(errors?.[0]?.message ?? '')?.[1]);
  };
  expect(await priceIn(10)).toBe(10 * (await priceIn(1)));
});
