// How long an entry is kept.

import { expect, test } from 'vitest';
import { createEntry, keptMs } from '../../src/cache/cached-entry.ts';
import { NOW } from '../support/fake-directory.ts';

test.each([
  [0, 1],
  [0.5, 0.95],
  [1, 0.9],
])('never longer than it may be served, and up to a tenth less: %d', (random, share) => {
  const entry = createEntry('x', { fetchedAt: NOW, freshUntil: NOW + 60_000 }, false);
  const leftMs = entry.servedUntil - NOW;
  expect(keptMs(entry, NOW, () => random)).toBe(Math.floor(leftMs * share));
});

test('at least a millisecond: Redis takes no less', () => {
  const entry = createEntry('x', { fetchedAt: NOW, freshUntil: NOW }, true);
  expect(keptMs(entry, entry.servedUntil, () => 0)).toBe(1);
});
