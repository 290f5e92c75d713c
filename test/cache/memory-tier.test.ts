// The tier in memory keeps to its bytes, whatever comes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryTier, decodedBytes, type KeptEntry, SmallValues } from '../../src/cache/memory-tier.ts';

const key = fc.string({ maxLength: 30 });
const longText = fc
  .tuple(fc.constantFrom('a', 'é', 'ж', '𝒳'), fc.nat(3_000))
  .map(([unit, length]) => unit.repeat(length));

test('never takes more than its bytes, and holds what came last', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, longText), { minLength: 1, maxLength: 60 }), (entries) => {
      const memory = createMemoryTier(8_000);
      for (const [name, text] of entries) {
        memory.set(name, text);
        expect(memory.bytes).toBeLessThanOrEqual(8_000);
        const fits = Buffer.byteLength(text) + name.length * 2 < 5_000;
        if (fits) expect(memory.get(name)).toBe(text);
      }
    }),
  );
});

test('the entry that was not read for longest goes first', () => {
  const memory = createMemoryTier(4_700);
  for (const name of ['a', 'b', 'c']) memory.set(name, 'x'.repeat(1_000));
  memory.get('a');
  memory.set('d', 'x'.repeat(1_000));
  expect(['a', 'b', 'c', 'd'].map((name) => memory.get(name)?.length)).toEqual([
    1_000,
    undefined,
    1_000,
    1_000,
  ]);
  expect(memory.entries).toBe(3);
});

test('a value larger than all of it is not kept, and an older one of its key goes', () => {
  const memory = createMemoryTier(2_000);
  memory.set('other', 'x');
  memory.set('key', 'small');
  memory.set('key', 'x'.repeat(2_000));
  expect(memory.get('key')).toBeUndefined();
  expect(memory.get('other')).toBe('x');
  expect(memory.entries).toBe(1);
});

test('one character beyond Latin-1 does not double what a text takes', () => {
  const [latin, mixed] = [createMemoryTier(9_000), createMemoryTier(9_000)];
  latin.set('', 'x'.repeat(1_000));
  mixed.set('', `${'x'.repeat(999)}ж`);
  expect(mixed.bytes - latin.bytes).toBe(2);
});

test('any text comes back as it was', () => {
  const memory = createMemoryTier(1_000_000);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const sent of [text, `\u0000${text}`]) {
        memory.set('key', sent);
        expect(memory.get('key')).toBe(sent);
      }
    }),
  );
});

test('what is deleted takes nothing', () => {
  const memory = createMemoryTier(9_000);
  memory.set('a', 'text');
  memory.delete('a');
  memory.delete('b');
  expect([memory.get('a'), memory.entries, memory.bytes]).toEqual([undefined, 0, 0]);
});

describe('what is decoded', () => {
  /** A tier with room for three decoded entries of 1,000 bytes, and the keys of those that were dropped. */
  function setUp() {
    const memory = createMemoryTier(16_000);
    const dropped: string[] = [];
    const keep = (key: string, bytes = 1_000): KeptEntry => {
      const decoded = { key, bytes, isUsed: false, usedInPeriod: -1, onDrop: () => void dropped.push(key) };
      memory.keep(decoded);
      return decoded;
    };
    for (const name of ['a', 'b', 'c', 'd', 'e']) memory.set(name, 'x');
    return { memory, dropped, keep };
  }

  test('goes with its text: when that is replaced, deleted or has to go', () => {
    const { memory, dropped, keep } = setUp();
    for (const name of ['a', 'b', 'c']) keep(name);
    memory.set('a', 'y');
    memory.delete('b');
    expect(dropped).toEqual(['a', 'b']);
    for (let i = 0; i < 40; i += 1) memory.set(`more ${i}`, 'x'.repeat(500));
    expect(dropped).toEqual(['a', 'b', 'c']);
    expect(memory.bytes).toBeLessThanOrEqual(12_000);
  });

  test('goes in the order in which it came, but what was used is passed over once', () => {
    const { memory, dropped, keep } = setUp();
    const [a] = ['a', 'b', 'c', 'd'].map((name) => keep(name));
    memory.use(a ?? expect.unreachable());
    keep('e');
    expect(dropped).toEqual(['b']);
    for (const name of ['b', 'f', 'g', 'h', 'i']) keep(name);
    expect(dropped).toContain('a');
  });

  test('is not kept where it would take the room of too many others', () => {
    const { dropped, keep } = setUp();
    keep('a');
    keep('b', 1_001);
    expect(dropped).toEqual(['b']);
  });

  test('never takes more than the bound, and room is made even where all of it is in use', () => {
    const size = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), size, fc.boolean()), { maxLength: 200 }), (steps) => {
        const { memory, keep } = setUp();
        for (const [name, bytes, isUsed] of steps) {
          const decoded = keep(`${name}`, bytes);
          if (isUsed) memory.use(decoded);
          expect(memory.bytes).toBeLessThanOrEqual(16_000);
        }
      }),
    );
  });

  test('keeps its text from going as if nobody read it', () => {
    const { memory, keep } = setUp();
    const a = keep('a');
    for (let i = 0; i < 40; i += 1) {
      memory.set(`more ${i}`, 'x'.repeat(500));
      memory.use(a);
    }
    expect([memory.get('a'), memory.get('b')]).toEqual(['x', undefined]);
  });
});

test('small values are bounded by their keys', () => {
  const values = new SmallValues<number>(10_000);
  for (let i = 0; i < 100; i += 1) values.set(`${i}`.padEnd(4_000, '.'), i);
  const kept = Array.from({ length: 100 }, (_, i) => values.get(`${i}`.padEnd(4_000, '.')));
  expect(kept.filter((value) => value !== undefined)).toEqual([98, 99]);
});

test('a decoded answer takes more the longer its text and its name are', () => {
  const [name, longName] = ['10.1000/a', `10.1000/${'a'.repeat(100)}`];
  expect(decodedBytes('[1]', longName)).toBeGreaterThan(decodedBytes('[1]', name));
  expect(decodedBytes('[111]', name)).toBeGreaterThan(decodedBytes('[1]', name));
  expect(decodedBytes('[[]]', name)).toBeGreaterThan(decodedBytes('"12"', name));
});
