// A repeated warning has at most one line per second, with a count. Every warning counts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Log } from '../src/log.ts';
import { steadyClock } from '../src/time.ts';
import { createTroubleLog } from '../src/trouble-log.ts';

interface Line {
  readonly at: number;
  readonly count: number;
  readonly name: string;
  readonly message: string;
}

function startTroubleLog() {
  let now = 0;
  let timers: { readonly at: number; readonly task: () => void }[] = [];
  const lines: Line[] = [];
  const warn = (fields: { count: number; name: string }, message: string) =>
    lines.push({ at: now, ...fields, message });
  const troubles = createTroubleLog({ warn: warn as unknown as Log['warn'] }, (ms, task) => {
    const timer = { at: now + ms, task };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  });
  return {
    troubles,
    lines,
    timers: () => timers.length,
    advance(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end);
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.task();
      }
      now = end;
    },
  };
}

describe('a warning', () => {
  test('is written at once, and its repetitions become one line after a second', () => {
    const { troubles, lines, advance } = startTroubleLog();
    for (const name of ['a', 'b', 'c']) troubles.warn('TIMEOUT', { name }, 'slow');
    expect(lines).toEqual([{ at: 0, count: 1, name: 'a', message: 'slow' }]);
    advance(1_000);
    expect(lines.slice(1)).toEqual([{ at: 1_000, count: 2, name: 'b', message: 'slow' }]);
  });

  test('of another kind has a separate line', () => {
    const { troubles, lines } = startTroubleLog();
    troubles.warn('TIMEOUT', { name: 'a' }, 'slow');
    troubles.warn('REFUSED', { name: 'b' }, 'down');
    expect(lines.map(({ message }) => message)).toEqual(['slow', 'down']);
  });

  test('is written at once if it comes again after a pause, and needs no timer in the pause', () => {
    const { troubles, lines, advance, timers } = startTroubleLog();
    troubles.warn('TIMEOUT', { name: 'a' }, 'slow');
    troubles.warn('TIMEOUT', { name: 'b' }, 'slow');
    advance(2_000);
    expect(timers()).toBe(0);
    advance(500);
    troubles.warn('TIMEOUT', { name: 'c' }, 'slow');
    expect(lines.map(({ at, count, name }) => [at, count, name])).toEqual([
      [0, 1, 'a'],
      [1_000, 1, 'b'],
      [2_500, 1, 'c'],
    ]);
  });

  test('is written when the log is closed, and no timer stays', () => {
    const { troubles, lines, timers } = startTroubleLog();
    for (const name of ['a', 'b', 'c']) troubles.warn('TIMEOUT', { name }, 'slow');
    troubles.close();
    expect(lines.map(({ count }) => count)).toEqual([1, 2]);
    expect(timers()).toBe(0);
  });
});

test('each kind of warning has at most one line per second, and all warnings are counted', () => {
  const events = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 700 }), kind: fc.constantFrom('a', 'b') }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(events, (warnings) => {
      const { troubles, lines, advance } = startTroubleLog();
      for (const { afterMs, kind } of warnings) {
        advance(afterMs);
        troubles.warn(kind, {}, kind);
      }
      troubles.close();
      for (const kind of ['a', 'b']) {
        const ofKind = lines.filter(({ message }) => message === kind);
        const counted = ofKind.reduce((sum, { count }) => sum + count, 0);
        expect(counted).toBe(warnings.filter((event) => event.kind === kind).length);
        // The last line, which `close` writes, can come earlier.
        for (const [index, { at }] of ofKind.slice(0, -1).entries()) {
          const before = ofKind[index - 1];
          if (before) expect(at - before.at).toBeGreaterThanOrEqual(1_000);
        }
      }
    }),
  );
});

test('a timer does not keep the process alive', () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const cancel = steadyClock.after(60_000, () => {});
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toHaveLength(before);
  cancel();
});
