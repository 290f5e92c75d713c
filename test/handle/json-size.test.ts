// JSON that is larger than any handle record is rejected before it is parsed.

import { describe, expect, test } from 'vitest';
import {
  excessOf,
  MAX_DIFFERENT_MEMBERS,
  parseFileJson,
  parseHandleJson,
  RECORD_LIMITS,
} from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { wireResponse, wireValue } from './wire.ts';

const list = (items: number, item: (n: number) => string): string =>
  `[${Array.from({ length: items }, (_, n) => item(n)).join()}]`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const object = (members: number, from = 0): string =>
  `{${Array.from({ length: members }, (_, n) => `"k${from + n}":0`).join()}}`;

const { maxDepth, maxParts } = RECORD_LIMITS;
const TOO_DEEP = `more than ${maxDepth} levels`;
const TOO_MANY_PARTS = `more than ${maxParts} parts`;
const TOO_MANY_MEMBERS = `more than ${MAX_DIFFERENT_MEMBERS} different members`;

test('a record of 20,000 complete values is accepted', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => wireValue({ index, type: `T${index}` }));
  const text = JSON.stringify(wireResponse({ values }));
  expect(excessOf(text)).toBeNull();
  expect(parseHandleJson(text)).toHaveProperty('values.length', 20_000);
});

testTable<[what: string, make: (count: number) => string, max: number, excess: string]>([
  ['levels', nested, maxDepth, TOO_DEEP],
  ['items of a list', (n) => list(n, () => '1'), maxParts, TOO_MANY_PARTS],
  ['lists', (n) => '[]'.repeat(n), maxParts, TOO_MANY_PARTS],
  ['objects', (n) => '{}'.repeat(n), maxParts, TOO_MANY_PARTS],
  ['members', object, MAX_DIFFERENT_MEMBERS, TOO_MANY_MEMBERS],
  ['objects of one member', (n) => list(n, (at) => object(1, at)), MAX_DIFFERENT_MEMBERS, TOO_MANY_MEMBERS],
  ['equal members', (n) => `{${'"a":0,'.repeat(n - 1)}"a":0}`, MAX_DIFFERENT_MEMBERS, TOO_MANY_MEMBERS],
])('each limit accepts the maximum number and rejects a larger number', (_, make, max, excess) => {
  expect(excessOf(make(max))).toBeNull();
  expect(excessOf(make(max + 1))).toBe(excess);
});

describe('the members of objects count as different', () => {
  const half = MAX_DIFFERENT_MEMBERS / 2;

  test('only once for objects with the same members in the same order', () => {
    expect(excessOf(list(40, () => object(half)))).toBeNull();
    expect(excessOf(list(half, (n) => `{"a":0,"b":{"c":[{"d":${n}}]}}`))).toBeNull();
  });

  test('if the order of the members is different', () => {
    const orders = list(MAX_DIFFERENT_MEMBERS, (n) => `{"k${n % 71}":0,"k${n % 73}":0,"k${n % 79}":0}`);
    expect(excessOf(orders)).toBe(TOO_MANY_MEMBERS);
  });

  test('but the texts in lists and in values do not count', () => {
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
  ])('with brackets, quotes and backslashes is one part', (_, inner) => {
    expect(excessOf(`["${inner}"]`)).toBeNull();
    expect(excessOf(`{"${inner}":0}`)).toBeNull();
    expect(excessOf(`["${inner}",${nested(maxDepth)}]`)).toBe(TOO_DEEP);
    expect(excessOf(`{"${inner}":${nested(maxDepth)}}`)).toBe(TOO_DEEP);
  });

  test('without an end is left to the parser', () => {
    expect(excessOf('["')).toBeNull();
    expect(excessOf(`["${'[,\\"'.repeat(maxParts)}`)).toBeNull();
    expect(excessOf('{"a\\')).toBeNull();
  });
});

test('surplus closing brackets are left to the parser', () => {
  expect(excessOf(']}'.repeat(100))).toBeNull();
  expect(() => parseHandleJson(']}')).toThrow('not JSON');
});

test('a file may be larger than a record, but it may not have deeper nesting', () => {
  const wide = object(MAX_DIFFERENT_MEMBERS + 1);
  expect(() => parseHandleJson(wide)).toThrow(TOO_MANY_MEMBERS);
  expect(parseFileJson(wide)).toEqual(JSON.parse(wide));
  expect(() => parseFileJson(nested(maxDepth + 2))).toThrow(TOO_DEEP);
});
