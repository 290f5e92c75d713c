// A spy on a replaced timer brings the replacement back when it is restored, for all files that the worker runs next.

import { afterAll, expect, vi } from 'vitest';

const { setTimeout: real } = globalThis;

afterAll(() => {
  vi.restoreAllMocks();
  expect(globalThis.setTimeout, 'a test has left a replaced setTimeout behind').toBe(real);
});
