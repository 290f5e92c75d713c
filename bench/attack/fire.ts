// Sends the requests of one attack: all of them, or as large as the gateway allows.

import type { Attack } from './attack.ts';
import { exchange, type Outcome } from './exchange.ts';

export interface Fired {
  readonly outcomes: readonly Outcome[];
  readonly sentBytes: number;
  /** the largest that was not refused, where it was searched for */
  readonly size: number | null;
}

export interface FireOptions {
  readonly attack: Attack;
  readonly shots: readonly Buffer[];
  readonly port: number;
  /** Of one request; none is begun later than that. */
  readonly limitMs: number;
}

/** How often the search comes nearer to the limit after it has found a size that is allowed. */
const STEPS = 3;

export async function fireAll({ attack, shots, port, limitMs }: FireOptions): Promise<Fired> {
  const outcomes: Outcome[] = [];
  let sentBytes = 0;
  const until = performance.now() + limitMs;
  const queue = shots.values();
  const connections = Array.from({ length: Math.min(attack.atOnce, shots.length) }, async () => {
    for (const bytes of queue) {
      if (performance.now() > until) return;
      sentBytes += bytes.length;
      outcomes.push(await exchange(port, bytes, attack.manner, limitMs));
    }
  });
  await Promise.all(connections);
  return { outcomes, sentBytes, size: null };
}

/** What the search sends counts, too. */
export async function fireLargest(options: FireOptions): Promise<Fired> {
  const { attack, port, limitMs } = options;
  let sentBytes = 0;
  const isAllowed = async (size: number): Promise<boolean | Outcome> => {
    const bytes = attack.bytes(0, size);
    sentBytes += bytes.length;
    const outcome = await exchange(port, bytes, attack.manner, limitMs);
    if (outcome.end !== 'answered') return outcome;
    return outcome.status === 200 && outcome.code !== 'LIMIT_EXCEEDED';
  };
  let size = attack.maxSize ?? 1;
  let step = 0;
  for (let left = STEPS, found = false; size >= 1 && (!found || left > 0); ) {
    const answer = await isAllowed(found ? size + step : size);
    if (typeof answer !== 'boolean') return { outcomes: [answer], sentBytes, size: size + step };
    if (found) {
      left -= 1;
      if (answer) size += step;
      step = Math.floor(step / 2);
    } else if (answer) {
      if (size === attack.maxSize) break;
      found = true;
      step = Math.floor(size / 2);
    } else size = Math.floor(size / 2);
  }
  if (size < 1) return { outcomes: [], sentBytes, size: 0 };
  const shots = Array.from({ length: attack.times }, (_, n) => attack.bytes(n, size));
  const fired = await fireAll({ ...options, shots });
  return { outcomes: fired.outcomes, sentBytes: sentBytes + fired.sentBytes, size };
}
