// Reads a value again and again, for example a gauge of the gateway.

import { setTimeout } from 'node:timers/promises';

interface PollOptions {
  readonly withinMs: number;
  readonly everyMs: number;
}

/** Reads a value until it is the expected one, or until the time is over. Returns the last value. */
export async function poll<Value>(
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
  { withinMs, everyMs }: PollOptions,
): Promise<Value> {
  const until = performance.now() + withinMs;
  for (;;) {
    const value = await read();
    if (isExpected(value) || performance.now() > until) return value;
    await setTimeout(everyMs);
  }
}

/** Returns the sum of a gauge over its labels; null if the metrics have no such gauge. */
export function gaugeIn(metrics: string, name: string): number | null {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  return values.length === 0 ? null : values.reduce((sum, [, value]) => sum + Number(value), 0);
}
