import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryTier, decodedBytes, type KeptEntry, SmallValues } from '../../src/cache/memory-tier.ts';

const key = fc.string({ maxLength: 30 });
const longText = fc
  .tuple(fc.constantFrom('a', 'é', 'ж', '𝒳'), fc.nat(3_000))
  .map(([unit, length]) => unit.repeat(length));

test('the memory tier never exceeds its maximum, and keeps the newest text', () => {
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

test('the entry that was not read for the longest time is dropped first', () => {
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

test('a too large text is not kept, and the older text of its key is dropped', () => {
  const memory = createMemoryTier(2_000);
  memory.set('other', 'x');
  memory.set('key', 'small');
  memory.set('key', 'x'.repeat(2_000));
  expect(memory.get('key')).toBeUndefined();
  expect(memory.get('other')).toBe('x');
  expect(memory.entries).toBe(1);
});

test('one character beyond Latin-1 does not double the bytes of a text', () => {
  const [latin, mixed] = [createMemoryTier(9_000), createMemoryTier(9_000)];
  latin.set('', 'x'.repeat(1_000));
  mixed.set('', `${'x'.repeat(999)}ж`);
  expect(mixed.bytes - latin.bytes).toBe(2);
});

test('any text is returned unchanged', () => {
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

test('a deleted entry uses no bytes', () => {
  const memory = createMemoryTier(9_000);
  memory.set('a', 'text');
  memory.delete('a');
  memory.delete('b');
  expect([memory.get('a'), memory.entries, memory.bytes]).toEqual([undefined, 0, 0]);
});

describe('a decoded entry', () => {
  /** A tier that can keep three decoded entries of 1,000 bytes, and the keys of the dropped entries. */
  function start() {
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

  test('is dropped when its text is replaced, deleted or dropped', () => {
    const { memory, dropped, keep } = start();
    for (const name of ['a', 'b', 'c']) keep(name);
    memory.set('a', 'y');
    memory.delete('b');
    expect(dropped).toEqual(['a', 'b']);
    for (let i = 0; i < 40; i += 1) memory.set(`more ${i}`, 'x'.repeat(500));
    expect(dropped).toEqual(['a', 'b', 'c']);
    expect(memory.bytes).toBeLessThanOrEqual(12_000);
  });

  test('is dropped in the order of arrival, but a used entry is skipped once', () => {
    const { memory, dropped, keep } = start();
    const [a] = ['a', 'b', 'c', 'd'].map((name) => keep(name));
    memory.use(a ?? expect.unreachable());
    keep('e');
    expect(dropped).toEqual(['b']);
    for (const name of ['b', 'f', 'g', 'h', 'i']) keep(name);
    expect(dropped).toContain('a');
  });

  test('is not kept if it is too large', () => {
    const { dropped, keep } = start();
    keep('a');
    keep('b', 1_001);
    expect(dropped).toEqual(['b']);
  });

  test('never exceeds the maximum, even if all entries are in use', () => {
    const size = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), size, fc.boolean()), { maxLength: 200 }), (steps) => {
        const { memory, keep } = start();
        for (const [name, bytes, isUsed] of steps) {
          const decoded = keep(`${name}`, bytes);
          if (isUsed) memory.use(decoded);
          expect(memory.bytes).toBeLessThanOrEqual(16_000);
        }
      }),
    );
  });

  test('keeps its text in memory while callers use the entry', () => {
    const { memory, keep } = start();
    const a = keep('a');
    for (let i = 0; i < 40; i += 1) {
      memory.set(`more ${i}`, 'x'.repeat(500));
      memory.use(a);
    }
    expect([memory.get('a'), memory.get('b')]).toEqual(['x', undefined]);
  });
});

test('the bytes of small values include their keys', () => {
  const values = new SmallValues<number>(10_000);
  for (let i = 0; i < 100; i += 1) values.set(`${i}`.padEnd(4_000, '.'), i);
  const kept = Array.from({ length: 100 }, (_, i) => values.get(`${i}`.padEnd(4_000, '.')));
  expect(kept.filter((value) => value !== undefined)).toEqual([98, 99]);
});

test('the bytes of a decoded answer grow with its text and its name', () => {
  const [name, longName] = ['10.1000/a', `10.1000/${'a'.repeat(100)}`];
  expect(decodedBytes('[1]', longName)).toBeGreaterThan(decodedBytes('[1]', name));
  expect(decodedBytes('[111]', name)).toBeGreaterThan(decodedBytes('[1]', name));
  expect(decodedBytes('[[]]', name)).toBeGreaterThan(decodedBytes('"12"', name));
});
