// Which look-ups fail when the circuits of all bases have been open for long.

import { expect, test } from 'vitest';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import type { UpstreamRequest } from '../../src/upstream/dispatch.ts';
import { createHeldLookUps } from '../../src/upstream/held-look-ups.ts';
import type { ProxyBase } from '../../src/upstream/proxy-base.ts';
import { createRequests } from '../../src/upstream/upstream.ts';
import { failureOfStatus, type Holding, type UpstreamFailure } from '../../src/upstream/upstream-failure.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

const DOWN = failureOfStatus(503);
const BUSY = failureOfStatus(429, '60');
const NEVER = Number.NEGATIVE_INFINITY;

function held(failedUntil: number, failure = DOWN): Holding {
  return { failure, nextProbeInMs: 1_500, failedUntil, hasConnected: true };
}

/** Bases that never answer. The test sets the states of their circuits. */
function start(count: number) {
  const time = createManualTime();
  const holdings: (Holding | null)[] = new Array(count).fill(null);
  const sent: string[] = [];
  const bases = holdings.map((_, index): ProxyBase => {
    const circuit = {
      isOpen: () => holdings[index] !== null,
      holding: () => holdings[index] ?? null,
      throwIfOpen: () => {},
    } as ProxyBase['circuit'];
    return {
      base: `base ${index}`,
      circuit,
      dispatch: ({ path }, { abort }) =>
        new Promise((_, reject) => {
          sent.push(path);
          abort.onAbort(() => reject(abort.reason));
        }),
      close: async () => {},
    };
  });
  const requests = createRequests({
    bases,
    maxConnections: 8,
    maxWaiting: 10,
    rate: null,
    heldLookUps: createHeldLookUps(10),
    retries: 2,
    deadlineMs: 20_000,
    time,
    random: () => 1,
    report: () => {},
  });
  const outcomes: Record<string, string> = {};
  return {
    time,
    requests,
    sent,
    lookUp(path: string): void {
      const request = { endpoint: 'handles', path } as UpstreamRequest<never>;
      requests.request(request, { requester: GATEWAY_ITSELF }).catch((error: unknown) => {
        const { code, details } = error as UpstreamFailure;
        outcomes[path] = `${code} ${JSON.stringify(details)}`;
      });
    },
    setHoldings: (...now: (Holding | null)[]) => void holdings.splice(0, holdings.length, ...now),
    async outcomes() {
      await settled();
      return outcomes;
    },
  };
}

const HELD_BACK = 'UPSTREAM_UNAVAILABLE {"retryAfterSeconds":2,"heldBack":true}';

test('look-ups that began before the circuit gave up fail, and later look-ups wait', async () => {
  const { time, requests, sent, lookUp, setHoldings, outcomes } = start(1);
  lookUp('/sent');
  setHoldings(held(NEVER));
  time.advance(1_000);
  lookUp('/waits');
  requests.failLookUps();
  expect(await outcomes()).toEqual({});
  setHoldings(held(5_000));
  time.advance(5_000);
  lookUp('/later');
  requests.failLookUps();
  expect(await outcomes()).toEqual({ '/sent': HELD_BACK, '/waits': HELD_BACK });
  expect(sent).toEqual(['/sent']);
});

test.each<[string, Holding | null, boolean]>([
  ['is closed', null, false],
  ['opened a short time ago', held(NEVER), false],
  ['is open after a 429', held(NEVER, BUSY), false],
  ['gave up before the look-up began', held(900), false],
  ['gave up after the look-up began', held(1_500), true],
])(
  'a look-up fails only if all circuits gave up after it began. One circuit did, and another circuit %s',
  async (_, other, isFailed) => {
    const { time, requests, lookUp, setHoldings, outcomes } = start(2);
    time.advance(1_000);
    lookUp('/one');
    await settled();
    setHoldings(held(2_000), other);
    requests.failLookUps();
    expect(await outcomes()).toEqual(isFailed ? { '/one': HELD_BACK } : {});
  },
);
