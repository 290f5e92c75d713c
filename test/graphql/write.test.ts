// JSON as it is written is counted in bytes, escapes included, and ends where the allowance does.

import fc from 'fast-check';
import { GraphQLBoolean, GraphQLFloat, GraphQLInt, GraphQLString } from 'graphql';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { Allowance, AnswerTooLarge, writeLeaf, writeText } from '../../src/graphql/write.ts';

const unlimited = () => new Allowance(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('a text', () => {
  test('is written as JSON.stringify writes it, and counted as it is sent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const allowance = unlimited();
        const json = writeText(text, allowance);
        expect(json).toBe(JSON.stringify(text));
        expect(allowance.writtenBytes).toBe(Buffer.byteLength(json));
      }),
    );
  });

  test.each([
    ['quotation marks', '"'.repeat(100), 202],
    ['controls', '\u0001'.repeat(100), 602],
    ['unpaired surrogates', '\uD800'.repeat(100), 602],
    ['three-byte characters', '€'.repeat(100), 302],
  ])('of %s counts what it becomes', (_what, text, bytes) => {
    expect(() => writeText(text, new Allowance(bytes - 1, 1_000))).toThrow(AnswerTooLarge);
    expect(Buffer.byteLength(writeText(text, new Allowance(bytes, 1_000)))).toBe(bytes);
  });

  test('is paid for, one for each 64 characters', () => {
    const allowance = unlimited();
    writeText('x'.repeat(640), allowance);
    writeText('x'.repeat(63), allowance);
    expect(allowance.paidCost).toBe(10);
  });
});

test.each([
  [GraphQLInt, -1, '-1'],
  [GraphQLFloat, 0.5, '0.5'],
  [GraphQLBoolean, false, 'false'],
  [GraphQLString, 'é', '"é"'],
  [GraphQLString, 5, '"5"'],
])('a %s is written as its type has it', (type, value, json) => {
  const allowance = unlimited();
  expect(writeLeaf(type, value, allowance)).toBe(json);
  expect(allowance.writtenBytes).toBe(Buffer.byteLength(json));
});

describe('an allowance', () => {
  test('that is used up stays so', () => {
    const allowance = new Allowance(10, 10);
    expect(() => allowance.bytes(11)).toThrow(AnswerTooLarge);
    expect(() => allowance.bytes(1)).toThrow(AnswerTooLarge);
  });

  test('counts no cost that it refuses: what is smaller still fits', () => {
    const allowance = new Allowance(10, 10);
    expect(() => allowance.pay(11)).toThrow(GatewayError);
    allowance.pay(10);
    expect(() => allowance.pay(1)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });
});
