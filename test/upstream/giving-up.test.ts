// Which look-ups end when bases have been down for long: those that wait, and those under way, of every base together.

import { expect, test } from 'vitest';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import type { UpstreamRequest } from '../../src/upstream/dispatch.ts';
import { createHeldLookUps } from '../../src/upstream/held-look-ups.ts';
import type { ProxyBase } from '../../src/upstream/proxy-base.ts';
import { createRequests } from '../../src/upstream/upstream.ts';
import { failureOfStatus, type Holding, type UpstreamFailure } from '../../src/upstream/upstream-failure.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

const ILL = failureOfStatus(503);
const BUSY = failureOfStatus(429, '60');
const NEVER = Number.NEGATIVE_INFINITY;

function held(givenUpAt: number, failure = ILL): Holding {
  return { failure, nextProbeInMs: 1_500, givenUpAt, hasConnected: true };
}

/** Bases that never answer, and hold back what the test says. */
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
      dispatch: ({ path }, { abort: sentFor }) =>
        new Promise((_, reject) => {
          sent.push(path);
          sentFor.onAbort(() => reject(sentFor.reason));
        }),
      close: async () => {},
    };
  });
  const policy = createRequests({
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
    policy,
    sent,
    ask(path: string): void {
      const question = { endpoint: 'handles', path } as UpstreamRequest<never>;
      policy.request(question, { requester: GATEWAY_ITSELF }).catch((error: unknown) => {
        const { code, details } = error as UpstreamFailure;
        outcomes[path] = `${code} ${JSON.stringify(details)}`;
      });
    },
    hold: (...now: (Holding | null)[]) => void holdings.splice(0, holdings.length, ...now),
    async outcomes() {
      await settled();
      return outcomes;
    },
  };
}

const REFUSED = 'UPSTREAM_UNAVAILABLE {"retryAfterSeconds":2,"heldBack":true}';

test('all that began by then end, whether they wait or are under way, and later ones wait on', async () => {
  const { time, policy, sent, ask, hold, outcomes } = start(1);
  ask('/sent');
  hold(held(NEVER));
  time.advance(1_000);
  ask('/waits');
  policy.giveUp();
  expect(await outcomes()).toEqual({});
  hold(held(5_000));
  time.advance(5_000);
  ask('/later');
  policy.giveUp();
  expect(await outcomes()).toEqual({ '/sent': REFUSED, '/waits': REFUSED });
  expect(sent).toEqual(['/sent']);
});

test.each<[string, Holding | null, boolean]>([
  ['answers', null, false],
  ['has not been given up yet', held(NEVER), false],
  ['holds back for a 429', held(NEVER, BUSY), false],
  ['was given up before they began', held(900), false],
  ['has been given up as well', held(1_500), true],
])('where another base %s: %s', async (_, other, isEnded) => {
  const { time, policy, ask, hold, outcomes } = start(2);
  time.advance(1_000);
  ask('/one');
  await settled();
  hold(held(2_000), other);
  policy.giveUp();
  expect(await outcomes()).toEqual(isEnded ? { '/one': REFUSED } : {});
});
