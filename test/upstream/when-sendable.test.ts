// Who waits for a directory that is held back from, and who is refused at once.

import { describe, expect, test } from 'vitest';
import { createHeldLookUps, whenSendable } from '../../src/upstream/held-look-ups.ts';
import type { ProxyBase } from '../../src/upstream/proxy-base.ts';
import {
  deadlineExceeded,
  failureOfStatus,
  type UpstreamFailure,
} from '../../src/upstream/upstream-failure.ts';
import { settled } from '../support/virtual-clock.ts';

const ILL = failureOfStatus(503);
const BUSY = failureOfStatus(429, '9');

/** A question with a second left, at one base that holds back. */
function ask(failure: UpstreamFailure, nextProbeInMs: number, isNew: boolean, places = 10) {
  let holding: object | null = { failure, nextProbeInMs };
  const circuit = { isOpen: () => holding !== null, holding: () => holding };
  const room = createHeldLookUps(places);
  const controller = new AbortController();
  const deadline = { signal: controller.signal, leftMs: () => 1_000 };
  const outcome: string[] = [];
  whenSendable([{ circuit } as unknown as ProxyBase], room, { client: 'a', isNew, deadline }).then(
    () => outcome.push('sent'),
    ({ code, kind }: UpstreamFailure) => outcome.push(`${code} ${kind}`),
  );
  return {
    async outcome() {
      await settled();
      return outcome[0] ?? 'waits';
    },
    close() {
      holding = null;
      room.wake();
    },
    rateLimit(ms: number) {
      holding = { failure: BUSY, nextProbeInMs: ms };
      room.wake();
    },
    end: () => controller.abort(deadlineExceeded(1_000)),
  };
}

const UNAVAILABLE = 'UPSTREAM_UNAVAILABLE HELD_BACK';
const RATE_LIMITED = 'UPSTREAM_RATE_LIMITED HELD_BACK';

describe('a question that is held back', () => {
  test.each([
    ['is new, with a probe under way', ILL, 0, true, 'waits'],
    ['is new, with a probe before its deadline', ILL, 999, true, 'waits'],
    ['is new, with a probe after its deadline', ILL, 1_000, true, UNAVAILABLE],
    ['was sent before, with a probe after its deadline', ILL, 1_000, false, 'waits'],
    ['is new, after a 429', BUSY, 1, true, RATE_LIMITED],
    ['is new, with a probe under way after a 429', BUSY, 0, true, 'waits'],
    ['was sent before, and has time for the 429', BUSY, 999, false, 'waits'],
    ['was sent before, and has no time for the 429', BUSY, 1_000, false, RATE_LIMITED],
  ])('and %s', async (_, failure, nextProbeInMs, isNew, expected) => {
    expect(await ask(failure, nextProbeInMs, isNew).outcome()).toBe(expected);
  });

  test('fails at once where there is no place to wait', async () => {
    expect(await ask(ILL, 0, true, 0).outcome()).toBe(UNAVAILABLE);
  });
});

describe('a question that waits', () => {
  test('is sent when its base is', async () => {
    const question = ask(ILL, 500, true);
    question.close();
    expect(await question.outcome()).toBe('sent');
  });

  test('fails at its deadline as one that was not sent', async () => {
    const question = ask(ILL, 500, true);
    question.end();
    expect(await question.outcome()).toBe(UNAVAILABLE);
  });

  test.each([
    [999, 'waits'],
    [1_000, RATE_LIMITED],
  ])('goes on waiting where a 429 comes to the probe, if there is time: %i ms', async (ms, expected) => {
    const question = ask(ILL, 500, true);
    question.rateLimit(ms);
    expect(await question.outcome()).toBe(expected);
  });
});
