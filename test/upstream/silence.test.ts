// When no response arrives for 3 s while look-ups wait, and how long a probe may take then.

import { describe, expect, test } from 'vitest';
import { createResponseTimes, createSilenceWatch } from '../../src/upstream/probes.ts';
import { createManualTime } from './manual-time.ts';

function start() {
  const time = createManualTime();
  const limits: number[] = [];
  const silence = createSilenceWatch(time, (limitMs) => limits.push(limitMs));
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) time.advance(100);
  };
  return { time, silence, limits, pass };
}

describe('silence', () => {
  test('is noticed each 3 s in which a look-up waits', () => {
    const { silence, limits, pass } = start();
    silence.begin();
    pass(2_900);
    expect(limits).toEqual([]);
    pass(100);
    expect(limits).toEqual([1_000]);
    pass(3_000);
    expect(limits).toHaveLength(2);
  });

  test('is counted from the last response', () => {
    const { silence, limits, pass } = start();
    silence.begin();
    silence.begin();
    pass(2_000);
    silence.responded(2_000);
    silence.end();
    pass(2_900);
    expect(limits).toEqual([]);
    pass(100);
    expect(limits).toEqual([expect.any(Number)]);
  });

  test('is none where no look-up waits, and counts from the beginning of the next', () => {
    const { silence, limits, pass } = start();
    silence.begin();
    silence.end();
    pass(2_000);
    silence.begin();
    pass(2_900);
    expect(limits).toEqual([]);
    pass(100);
    expect(limits).toHaveLength(1);
    silence.end();
    pass(10_000);
    expect(limits).toHaveLength(1);
  });

  test('leaves a probe three times the p99 of the last minute, and a second at least', () => {
    const { silence, limits, pass } = start();
    for (let count = 0; count < 99; count += 1) silence.responded(100);
    silence.responded(9_000);
    silence.begin();
    pass(3_000);
    expect(limits).toEqual([1_000]);
    for (let count = 0; count < 9; count += 1) silence.responded(1_000);
    pass(3_000);
    expect(limits[1]).toBeGreaterThanOrEqual(3_000);
    expect(limits[1]).toBeLessThanOrEqual(3_300);
  });
});

describe('the p99 of the last minute', () => {
  test('is 0 without a response, and again a minute after the last one', () => {
    const time = createManualTime();
    const times = createResponseTimes(() => time.now());
    expect(times.p99()).toBe(0);
    times.add(8_000);
    time.advance(60_000);
    expect(times.p99()).toBeGreaterThanOrEqual(8_000);
    time.advance(10_000);
    expect(times.p99()).toBe(0);
  });

  test.each([0, 0.2, 1, 49, 3_000, 8_000, 600_000])('is at most a tenth more than %d ms', (ms) => {
    const times = createResponseTimes(() => 0);
    times.add(ms);
    expect(times.p99()).toBeGreaterThanOrEqual(ms);
    expect(times.p99()).toBeLessThanOrEqual(Math.max(1, ms * 1.1));
  });
});
