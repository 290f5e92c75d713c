// Restores the timers after each file, because a worker runs many files.

import { createRequire } from 'node:module';
import { afterAll, expect, vi } from 'vitest';

const { setTimeout: real } = globalThis;

/** undici keeps one timer for all its timeouts. If it was made while timers were fake, no later timeout would end. */
const undiciTimers: { reset(): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');

afterAll(() => {
  // A spy on a replaced timer brings the replacement back when it is restored.
  vi.restoreAllMocks();
  expect(globalThis.setTimeout, 'a test has left a replaced setTimeout behind').toBe(real);
  undiciTimers.reset();
});
