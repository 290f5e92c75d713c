// The heap limit of each worker.

import { describe, expect, test } from 'vitest';
import { heapOfWorker } from '../../src/cluster/heap-limit.ts';
import { isHeapSet, parseConfig } from '../../src/config.ts';

const heap = (workers: number, memoryMiB: number, env = {}) =>
  heapOfWorker({ config: parseConfig(env), workers, memoryMiB });

describe('the heap of a worker', () => {
  test('is the memory of the worker minus its memory outside the heap', () => {
    expect(heap(2, 4_096)).toEqual({ heapMiB: 2_048 - 192 - 192 - 64, warning: null });
  });

  test('leaves memory for two bodies of the largest size', () => {
    const large = { MAX_BODY_BYTES: String(50 * 2 ** 20) };
    expect(heap(2, 4_096, large).heapMiB).toBe(2_048 - 192 - 192 - 100);
  });

  test('is at most the default limit of Node, unless the cache needs more', () => {
    expect(heap(2, 100_000).heapMiB).toBe(4_096);
    expect(heap(2, 100_000, { CACHE_MAX_BYTES: String(8_192 * 2 ** 20) }).heapMiB).toBe(8_192 + 256);
  });

  test('is the minimum if the memory is too small, and a warning reports it', () => {
    expect(heap(2, 1_024)).toEqual({
      heapMiB: 512,
      warning:
        'With 1024 MiB of memory, each of 2 workers can have a heap of 64 MiB, but a worker needs 512 MiB (CACHE_MAX_BYTES and 256 MiB). The system may kill workers. Lower WORKERS or CACHE_MAX_BYTES.',
    });
    expect(heap(8, 1_024).warning).toContain('a heap of 0 MiB');
  });
});

test.each([
  ['nothing', {}, [], false],
  ['NODE_OPTIONS', { NODE_OPTIONS: '--inspect --max-old-space-size=300' }, [], true],
  ['NODE_OPTIONS, as V8 writes it', { NODE_OPTIONS: '--max_old_space_size=300' }, [], true],
  ['a share of the memory', { NODE_OPTIONS: '--max-old-space-size-percentage=50' }, [], true],
  ['an option of Node', {}, ['--max-heap-size=300'], true],
  ['other options', { NODE_OPTIONS: '--enable-source-maps' }, ['--import', 'tsx'], false],
])('reports whether the start of the process sets the heap limit: %s', (_, environment, options, isSet) => {
  expect(isHeapSet(environment, options)).toBe(isSet);
});
