import { describe, expect, test } from 'vitest';
import { createResponseTimes, createSilenceWatch } from '../../src/upstream/probes.ts';
import { createManualTime } from './manual-time.ts';

function start() {
  const time = createManualTime();
  const limits: number[] = [];
  const silence = createSilenceWatch(time, (limitMs) => limits.push(limitMs));
  const advance = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) time.advance(100);
  };
  return { silence, limits, advance };
}

describe('the silence watch', () => {
  test('reports after every 3 s without a response while a look-up waits', () => {
    const { silence, limits, advance } = start();
    silence.begin();
    advance(2_900);
    expect(limits).toEqual([]);
    advance(100);
    expect(limits).toEqual([1_000]);
    advance(3_000);
    expect(limits).toHaveLength(2);
  });

  test('counts from the last response', () => {
    const { silence, limits, advance } = start();
    silence.begin();
    silence.begin();
    advance(2_000);
    silence.responded(2_000);
    silence.end();
    advance(2_900);
    expect(limits).toEqual([]);
    advance(100);
    expect(limits).toHaveLength(1);
  });

  test('does not count time in which no look-up waits', () => {
    const { silence, limits, advance } = start();
    silence.begin();
    silence.end();
    advance(2_000);
    silence.begin();
    advance(2_900);
    expect(limits).toEqual([]);
    advance(100);
    expect(limits).toHaveLength(1);
    silence.end();
    advance(10_000);
    expect(limits).toHaveLength(1);
  });

  test('gives a probe three times the p99 of response times of the last minute, but at least 1 s', () => {
    const { silence, limits, advance } = start();
    for (let count = 0; count < 99; count += 1) silence.responded(100);
    silence.responded(9_000);
    silence.begin();
    advance(3_000);
    expect(limits).toEqual([1_000]);
    for (let count = 0; count < 9; count += 1) silence.responded(1_000);
    advance(3_000);
    expect(limits[1]).toBeGreaterThanOrEqual(3_000);
    expect(limits[1]).toBeLessThanOrEqual(3_300);
  });
});

describe('the p99 of response times', () => {
  test('counts a response for at least a minute, and is 0 without responses', () => {
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
