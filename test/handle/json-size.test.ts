// What is more than any handle record is refused before it is parsed; what may be a record is not.

import { describe, expect, test } from 'vitest';
import {
  excessOf,
  MAX_DIFFERENT_MEMBERS,
  parseFileJson,
  parseHandleJson,
  RECORD_LIMITS,
} from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { wireAnswer, wireValue } from './wire.ts';

const list = (items: number, item: (n: number) => string): string =>
  `[${Array.from({ length: items }, (_, n) => item(n)).join()}]`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const object = (members: number, from = 0): string =>
  `{${Array.from({ length: members }, (_, n) => `"k${from + n}":0`).join()}}`;

const { maxDepth, maxParts } = RECORD_LIMITS;
const TOO_DEEP = `more than ${maxDepth} levels`;
const TOO_MANY_PARTS = `more than ${maxParts} parts`;
const TOO_MANY_MEMBERS = `more than ${MAX_DIFFERENT_MEMBERS} different members`;

test('20,000 values with all their members are a record', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => wireValue({ index, type: `T${index}` }));
  const text = JSON.stringify(wireAnswer({ values }));
  expect(excessOf(text)).toBeNull();
  expect(parseHandleJson(text)).toHaveProperty('values.length', 20_000);
});

describe.each([
  ['levels', nested, maxDepth, TOO_DEEP],
  ['items of a list', (n: number) => list(n, () => '1'), maxParts, TOO_MANY_PARTS],
  ['lists', (n: number) => `${'[]'.repeat(n)}`, maxParts, TOO_MANY_PARTS],
  ['objects', (n: number) => `${'{}'.repeat(n)}`, maxParts, TOO_MANY_PARTS],
  ['members of one object', (n: number) => object(n), MAX_DIFFERENT_MEMBERS, TOO_MANY_MEMBERS],
  [
    'objects of a member each',
    (n: number) => list(n, (at) => object(1, at)),
    MAX_DIFFERENT_MEMBERS,
    TOO_MANY_MEMBERS,
  ],
  [
    'members with one name in one object',
    (n: number) => `{${'"a":0,'.repeat(n - 1)}"a":0}`,
    MAX_DIFFERENT_MEMBERS,
    TOO_MANY_MEMBERS,
  ],
])('%s', (_, make, most, excess) => {
  test('as many as allowed', () => expect(excessOf(make(most))).toBeNull());
  test('one more', () => expect(excessOf(make(most + 1))).toBe(excess));
});

describe('members are different', () => {
  const half = MAX_DIFFERENT_MEMBERS / 2;

  test('not in objects that begin alike', () => {
    expect(excessOf(list(40, () => object(half)))).toBeNull();
    expect(excessOf(list(half, (n) => `{"a":0,"b":{"c":[{"d":${n}}]}}`))).toBeNull();
  });

  test('in another order', () => {
    const orders = list(MAX_DIFFERENT_MEMBERS, (n) => `{"k${n % 71}":0,"k${n % 73}":0,"k${n % 79}":0}`);
    expect(excessOf(orders)).toBe(TOO_MANY_MEMBERS);
  });

  test('behind the object that stands between them', () => {
    expect(excessOf(`{"a":${object(half)},"b":${object(half)}}`)).toBeNull();
    expect(excessOf(`{"a":${object(half)},"b":${object(half, half)}}`)).toBe(TOO_MANY_MEMBERS);
  });

  test('not as items of a list, nor as what a member holds', () => {
    expect(excessOf(list(MAX_DIFFERENT_MEMBERS * 2, (n) => `"k${n}"`))).toBeNull();
    expect(excessOf(list(MAX_DIFFERENT_MEMBERS * 2, (n) => `{"a":"k${n}"}`))).toBeNull();
  });
});

describe('a text', () => {
  testTable([
    ['brackets and commas', '[{,'.repeat(maxParts)],
    ['quotes', '\\"[{,'.repeat(maxParts)],
    ['backslashes', '\\\\'.repeat(maxParts)],
    ['a backslash before its end', `${'[,'.repeat(maxParts)}\\\\`],
  ])('of %s is one part', (_, inner) => {
    expect(excessOf(`["${inner}"]`)).toBeNull();
    expect(excessOf(`{"${inner}":0}`)).toBeNull();
    expect(excessOf(`["${inner}",${nested(maxDepth)}]`)).toBe(TOO_DEEP);
    expect(excessOf(`{"${inner}":${nested(maxDepth)}}`)).toBe(TOO_DEEP);
  });

  test('that does not end is left to the parser', () => {
    expect(excessOf('["')).toBeNull();
    expect(excessOf(`["${'[,\\"'.repeat(maxParts)}`)).toBeNull();
    expect(excessOf('{"a\\')).toBeNull();
  });
});

test('what closes more than was opened is left to the parser', () => {
  expect(excessOf(']}'.repeat(100))).toBeNull();
  expect(() => parseHandleJson(']}')).toThrow('not JSON');
});

test('a file may hold more, and be no deeper', () => {
  const wide = object(MAX_DIFFERENT_MEMBERS + 1);
  expect(() => parseHandleJson(wide)).toThrow(TOO_MANY_MEMBERS);
  expect(parseFileJson(wide)).toEqual(JSON.parse(wide));
  expect(() => parseFileJson(nested(maxDepth + 2))).toThrow(TOO_DEEP);
});
