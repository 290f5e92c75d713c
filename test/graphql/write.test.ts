// Written JSON counts its bytes, with escapes, and ends at the limit.

import fc from 'fast-check';
import { GraphQLBoolean, GraphQLFloat, GraphQLInt, GraphQLString } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import type { Pieces } from '../../src/graphql/pieces.ts';
import { OperationUsage, ResponseTooLarge, writeLeaf, writeText } from '../../src/graphql/write.ts';
import { BytesAsText } from '../../src/schema/handle/bytes-as-text.ts';
import { textOf } from './execute-planned.ts';

const unlimited = () => new OperationUsage(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('a text', () => {
  test('has the JSON of JSON.stringify, and counts its bytes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const usage = unlimited();
        const json = textOf(writeText(text, usage));
        expect(json).toBe(JSON.stringify(text));
        expect(usage.writtenBytes).toBe(Buffer.byteLength(json));
      }),
    );
  });

  test.each([
    ['quotation marks', '"'.repeat(100), 202],
    ['controls', '\u0001'.repeat(100), 602],
    ['unpaired surrogates', '\uD800'.repeat(100), 602],
    ['three-byte characters', '€'.repeat(100), 302],
  ])('of %s counts its escaped bytes', (_, text, bytes) => {
    expect(() => writeText(text, new OperationUsage(bytes - 1, 1_000))).toThrow(ResponseTooLarge);
    expect(Buffer.byteLength(textOf(writeText(text, new OperationUsage(bytes, 1_000))))).toBe(bytes);
  });

  const longText = fc
    .tuple(fc.constantFrom('a', '"', '\u0001', '€', '😀', 'a😀', '\uD83D', '\uDE00\uD83D'), fc.nat(8_001))
    .map(([text, more]) => `${'x'.repeat(more)}${text.repeat(64_000)}`);

  test('that is long has pieces that end between characters', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const usage = unlimited();
        const pieces = writeText(text, usage) as Pieces;
        const bytes = Buffer.concat(pieces.buffers());
        expect(bytes.equals(Buffer.from(JSON.stringify(text)))).toBe(true);
        expect(usage.writtenBytes).toBe(bytes.length);
        expect(Math.max(...pieces.buffers().map(({ length }) => length))).toBeLessThan(100_000);
      }),
      { numRuns: 30 },
    );
  });

  test('costs one for each 64 characters', () => {
    const usage = unlimited();
    writeText('x'.repeat(640), usage);
    writeText('x'.repeat(63), usage);
    expect(usage.cost).toBe(10);
  });
});

test.each([
  [GraphQLInt, -1, '-1'],
  [GraphQLFloat, 0.5, '0.5'],
  [GraphQLBoolean, false, 'false'],
  [GraphQLString, 'é', '"é"'],
  [GraphQLString, 5, '"5"'],
])('as the type %s, the value %j has the JSON %s', (type, value, json) => {
  const usage = unlimited();
  expect(writeLeaf(type, value, usage)).toBe(json);
  expect(usage.writtenBytes).toBe(Buffer.byteLength(json));
});

describe.each(['hex', 'base64', 'utf8'] as const)('bytes as %s', (coding) => {
  const bytes = Buffer.from('a€😀'.repeat(12_500));

  test.each([0, 1, 2])('have the same text in several pieces as in one piece: cut %s', (cut) => {
    const part = bytes.subarray(0, bytes.length - 8 * cut);
    const text = new BytesAsText(part, coding);
    const written = textOf(writeLeaf(GraphQLString, text, unlimited()));
    expect(written).toBe(JSON.stringify(part.toString(coding)));
    expect(GraphQLString.serialize(text)).toBe(part.toString(coding));
  });

  test('are charged before their text is made, so that the text of refused bytes is never made', () => {
    const made = vi.spyOn(bytes, 'toString');
    const text = new BytesAsText(bytes, coding);
    const cost = Math.floor(text.length / 64);
    expect(() => writeLeaf(GraphQLString, text, new OperationUsage(1e9, cost - 1))).toThrow(GatewayError);
    expect(made).not.toHaveBeenCalled();
    writeLeaf(GraphQLString, text, new OperationUsage(1e9, cost));
    expect(made).toHaveBeenCalled();
  });
});

describe('the usage of an operation', () => {
  test('refuses all bytes after the first refusal', () => {
    const usage = new OperationUsage(10, 10);
    expect(() => usage.addBytes(11)).toThrow(ResponseTooLarge);
    expect(() => usage.addBytes(1)).toThrow(ResponseTooLarge);
  });

  test('does not count a refused cost', () => {
    const usage = new OperationUsage(10, 10);
    expect(() => usage.addCost(11)).toThrow(GatewayError);
    usage.addCost(10);
    expect(() => usage.addCost(1)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });
});
