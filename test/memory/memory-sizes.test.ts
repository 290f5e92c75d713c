import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheSizes, memorySizes } from '../../src/memory/memory-sizes.ts';

const MIB = 2 ** 20;
const sum = (sizes: object): number => Object.values(sizes).reduce((all, bytes) => all + bytes, 0);

test('all caches together have CACHE_MAX_BYTES in a usual heap', () => {
  const bytes = sum(cacheSizes(256 * MIB, 4_000 * MIB));
  expect(bytes).toBeLessThanOrEqual(256 * MIB);
  expect(bytes).toBeGreaterThan(255 * MIB);
});

test('caches leave running requests 256 MiB, or half of a small heap', () => {
  expect(sum(cacheSizes(8_192 * MIB, 8_448 * MIB))).toBeGreaterThan(8_190 * MIB);
  expect(sum(cacheSizes(256 * MIB, 400 * MIB))).toBeLessThanOrEqual(200 * MIB);
});

test('caches and running requests never need more than the heap', () => {
  const bytes = fc.integer({ min: MIB, max: 16_000 * MIB });
  fc.assert(
    fc.property(bytes, bytes, (cacheMaxBytes, freeHeapBytes) => {
      const caches = cacheSizes(cacheMaxBytes, freeHeapBytes);
      const { heapBytes } = memorySizes(freeHeapBytes, caches, MIB);
      expect(heapBytes).toBeGreaterThanOrEqual(0.34 * Math.min(freeHeapBytes, 512 * MIB));
      expect(sum(caches) + heapBytes).toBeLessThanOrEqual(0.9 * freeHeapBytes + cacheMaxBytes * 0.2);
    }),
  );
});
