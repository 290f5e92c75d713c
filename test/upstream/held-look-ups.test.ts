// Look-ups that wait while the circuits of all bases are open.

import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeldLookUps, whenSendable } from '../../src/upstream/held-look-ups.ts';
import type { ProxyBase } from '../../src/upstream/proxy-base.ts';
import {
  deadlineExceeded,
  failureOfStatus,
  type UpstreamFailure,
} from '../../src/upstream/upstream-failure.ts';
import { settled } from '../support/virtual-clock.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);

describe('held look-ups', () => {
  test('resume in the order of their arrival', async () => {
    const heldLookUps = createHeldLookUps(100);
    const order: number[] = [];
    for (const index of [0, 1, 2])
      void heldLookUps.wait(`client ${index % 2}`, never)?.then(() => order.push(index));
    await settled();
    expect(order).toEqual([]);
    heldLookUps.wake();
    await settled();
    expect(order).toEqual([0, 1, 2]);
  });

  test('reject with the reason of their signal, and then another look-up can wait', async () => {
    const heldLookUps = createHeldLookUps(2);
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const waited = heldLookUps.wait('a', controller.signal);
    expect(heldLookUps.wait('a', never)).toBeNull();
    controller.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(heldLookUps.wait('a', never)).not.toBeNull();
    await expect(heldLookUps.wait('b', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('of one client are at most half of the number that other clients leave', () => {
    const heldLookUps = createHeldLookUps(1_000);
    const waitAll = (client: string): number => {
      let waiting = 0;
      while (heldLookUps.wait(client, never) !== null) waiting += 1;
      return waiting;
    };
    expect(['a', 'b', 'c', 'a'].map(waitAll)).toEqual([500, 250, 125, 0]);
  });

  test('never exceed the maximum, and all resume at the next wake', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 30 }), async (clients, maxWaiting) => {
        const heldLookUps = createHeldLookUps(maxWaiting);
        const waiting = clients
          .map((client) => heldLookUps.wait(String(client), never))
          .filter((waited) => waited !== null);
        expect(waiting.length).toBeLessThanOrEqual(maxWaiting);
        heldLookUps.wake();
        await Promise.all(waiting);
        let single = 0;
        while (heldLookUps.wait('single', never) !== null) single += 1;
        expect(single).toBe(Math.ceil(maxWaiting / 2));
      }),
      { numRuns: 50 },
    );
  });
});

const DOWN = failureOfStatus(503);
const BUSY = failureOfStatus(429, '9');
const UNAVAILABLE = 'UPSTREAM_UNAVAILABLE HELD_BACK';
const RATE_LIMITED = 'UPSTREAM_RATE_LIMITED HELD_BACK';

/** A look-up with a deadline in 1 s, at one base whose circuit is open. */
function lookUp(failure: UpstreamFailure, nextProbeInMs: number, isNew: boolean, maxWaiting = 10) {
  let holding: object | null = { failure, nextProbeInMs };
  const circuit = { isOpen: () => holding !== null, holding: () => holding };
  const heldLookUps = createHeldLookUps(maxWaiting);
  const controller = new AbortController();
  const deadline = { signal: controller.signal, leftMs: () => 1_000 };
  const outcome: string[] = [];
  whenSendable([{ circuit } as unknown as ProxyBase], heldLookUps, { client: 'a', isNew, deadline }).then(
    () => outcome.push('sent'),
    ({ code, kind }: UpstreamFailure) => outcome.push(`${code} ${kind}`),
  );
  return {
    async outcome() {
      await settled();
      return outcome[0] ?? 'waits';
    },
    closeCircuit() {
      holding = null;
      heldLookUps.wake();
    },
    rateLimit(ms: number) {
      holding = { failure: BUSY, nextProbeInMs: ms };
      heldLookUps.wake();
    },
    abort: (reason: unknown) => controller.abort(reason),
  };
}

describe('while the circuit is open', () => {
  test.each([
    ['new', 'during a probe', DOWN, 0, true, 'waits'],
    ['new', 'with a probe before its deadline', DOWN, 999, true, 'waits'],
    ['new', 'with a probe after its deadline', DOWN, 1_000, true, UNAVAILABLE],
    ['sent', 'with a probe after its deadline', DOWN, 1_000, false, 'waits'],
    ['new', 'after a 429', BUSY, 1, true, RATE_LIMITED],
    ['new', 'during a probe after a 429', BUSY, 0, true, 'waits'],
    ['sent', 'with a deadline after the Retry-After', BUSY, 999, false, 'waits'],
    ['sent', 'with a deadline before the Retry-After', BUSY, 1_000, false, RATE_LIMITED],
  ])(
    'a look-up waits or fails at once: a look-up that is %s, %s',
    async (_, _when, failure, nextProbeInMs, isNew, outcome) => {
      expect(await lookUp(failure, nextProbeInMs, isNew).outcome()).toBe(outcome);
    },
  );

  test('a look-up fails at once if too many look-ups wait', async () => {
    expect(await lookUp(DOWN, 0, true, 0).outcome()).toBe(UNAVAILABLE);
  });

  test('a waiting look-up is sent when the circuit closes', async () => {
    const waiting = lookUp(DOWN, 500, true);
    waiting.closeCircuit();
    expect(await waiting.outcome()).toBe('sent');
  });

  test.each([
    ['as a look-up that was not sent,', 'at its deadline', deadlineExceeded(1_000), UNAVAILABLE],
    ['with the reason of its caller', 'when the caller aborts', { code: 'GONE' }, 'GONE undefined'],
  ])('a waiting look-up fails %s %s', async (_, _when, reason, outcome) => {
    const waiting = lookUp(DOWN, 500, true);
    waiting.abort(reason);
    expect(await waiting.outcome()).toBe(outcome);
  });

  test.each([
    [999, 'waits'],
    [1_000, RATE_LIMITED],
  ])('when the probe gets a 429 for %i ms, a waiting look-up has the state "%s"', async (ms, outcome) => {
    const waiting = lookUp(DOWN, 500, true);
    waiting.rateLimit(ms);
    expect(await waiting.outcome()).toBe(outcome);
  });
});
