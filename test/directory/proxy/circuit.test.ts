// When a circuit opens, for how long, and how it closes.

import { describe, expect, test } from 'vitest';
import { type Circuit, createCircuit } from '../../../src/directory/proxy/circuit.ts';
import {
  badResponse,
  deadlineExceeded,
  failureOfStatus,
  failureOfTransport,
  type UpstreamFailure,
} from '../../../src/directory/proxy/upstream-failure.ts';
import { createManualTime } from './manual-time.ts';
import { failureOf } from './proxy-under-test.ts';

const REFUSED = failureOfTransport(new Error('ECONNREFUSED'), false);
const TIMED_OUT = failureOfTransport(new Error('time-out'), true);
const answer = async () => 'answer';
const failing = (failure: unknown) => async (): Promise<string> => {
  throw failure;
};

function startCircuit() {
  const time = createManualTime();
  const changes: (UpstreamFailure | null)[] = [];
  const circuit = createCircuit({ time, onChange: (openedBy) => changes.push(openedBy) });
  return { circuit, time, changes };
}

async function fail(circuit: Circuit, failure: unknown, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) await circuit.run(failing(failure)).catch(() => {});
}

/** Milliseconds until a request would be let through. */
function openFor({ circuit, time }: ReturnType<typeof startCircuit>): number {
  let ms = 0;
  for (; circuit.isOpen(); ms += 100) time.advance(100);
  return ms;
}

async function startOpen(failure = REFUSED) {
  const started = startCircuit();
  await fail(started.circuit, failure, 10);
  return started;
}

describe('a circuit opens', () => {
  test.each([
    ['transport failures', [REFUSED]],
    ['time-outs', [TIMED_OUT]],
    ['both', [REFUSED, TIMED_OUT]],
  ])('after ten %s one after the other', async (_, kinds) => {
    const { circuit, changes } = startCircuit();
    for (let count = 0; count < 10; count += 1) {
      expect(circuit.isOpen()).toBe(false);
      await fail(circuit, kinds[count % kinds.length]);
    }
    expect(circuit.isOpen()).toBe(true);
    expect(changes).toHaveLength(1);
  });

  test.each([
    ['an answer', answer],
    ['a failure of the directory', failing(failureOfStatus(500))],
    ['a bad answer', failing(badResponse('no JSON'))],
  ])('not when %s comes between', async (_, between) => {
    const { circuit } = startCircuit();
    await fail(circuit, REFUSED, 9);
    await circuit.run(between).catch(() => {});
    await fail(circuit, REFUSED, 9);
    expect(circuit.isOpen()).toBe(false);
  });

  test.each([
    ['failures of the directory', failureOfStatus(503)],
    ['bad answers', badResponse('no JSON')],
    ['deadlines', deadlineExceeded(1)],
    ['callers who go', new Error('the client has gone')],
  ])('not after any number of %s', async (_, failure) => {
    const { circuit } = startCircuit();
    await fail(circuit, failure, 100);
    expect(circuit.isOpen()).toBe(false);
  });

  test.each([
    ['for the time it names', '7', 7_000],
    ['for a minute at the most', '3600', 60_000],
    ['for a second, if it names none', undefined, 1_000],
    ['not at all, if the time is over', '0', 0],
  ])('at once by a 429, %s', async (_, retryAfter, ms) => {
    const started = startCircuit();
    await fail(started.circuit, failureOfStatus(429, retryAfter));
    expect(openFor(started)).toBe(ms);
  });

  test('for longer when another 429 says so, and not for less', async () => {
    const started = startCircuit();
    const { circuit, time } = started;
    const sent = ['2', '9', '3'].map((retryAfter) => {
      const { promise, go } = held();
      return { request: circuit.run(() => promise.then(failing(failureOfStatus(429, retryAfter)))), go };
    });
    for (const { request, go } of sent) {
      go();
      await request.catch(() => {});
    }
    time.advance(5_000);
    expect(openFor(started)).toBe(4_000);
  });
});

describe('an open circuit fails at once', () => {
  test('with UPSTREAM_UNAVAILABLE, and sends nothing', async () => {
    const { circuit } = await startOpen();
    let sent = 0;
    const failure = await failureOf(circuit.run(async () => (sent += 1)));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', kind: 'HELD_BACK', details: {} });
    expect(sent).toBe(0);
    expect(() => circuit.throwIfOpen()).toThrow();
  });

  test('with UPSTREAM_RATE_LIMITED and the seconds that are left, if a 429 opened it', async () => {
    const { circuit, time } = startCircuit();
    await fail(circuit, failureOfStatus(429, '7'));
    time.advance(2_500);
    expect(await failureOf(circuit.run(answer))).toMatchObject({
      code: 'UPSTREAM_RATE_LIMITED',
      details: { retryAfterSeconds: 5 },
    });
  });
});

describe('after its time', () => {
  test('one request is let through, and others wait for nothing until it is answered', async () => {
    const { circuit, time, changes } = await startOpen();
    time.advance(1_000);
    const { promise, go } = held();
    const probe = circuit.run(() => promise);
    expect(circuit.isOpen()).toBe(true);
    expect(await failureOf(circuit.run(answer))).toMatchObject({ kind: 'HELD_BACK' });
    go();
    await probe;
    expect(circuit.isOpen()).toBe(false);
    expect(await circuit.run(answer)).toBe('answer');
    expect(changes).toEqual([REFUSED, null]);
  });

  test.each([
    ['a failure of the directory', failureOfStatus(500)],
    ['a bad answer', badResponse('no JSON')],
  ])('%s closes it as well: the directory can be reached', async (_, failure) => {
    const { circuit, time } = await startOpen();
    time.advance(1_000);
    await fail(circuit, failure);
    expect(circuit.isOpen()).toBe(false);
  });

  test.each([
    ['has gone', new Error('the client has gone')],
    ['met its deadline', deadlineExceeded(1)],
  ])('a probe whose caller %s tells nothing, and the next request is the probe', async (_, reason) => {
    const { circuit, time, changes } = await startOpen();
    time.advance(1_000);
    await fail(circuit, reason);
    expect(changes).toHaveLength(1);
    const { promise, go } = held();
    const probe = circuit.run(() => promise);
    expect(await failureOf(circuit.run(answer))).toMatchObject({ kind: 'HELD_BACK' });
    go();
    await probe;
    expect(circuit.isOpen()).toBe(false);
  });

  test('a failed probe opens it for twice as long, up to half a minute', async () => {
    const started = await startOpen();
    const times: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      times.push(openFor(started));
      await fail(started.circuit, REFUSED);
    }
    expect(times).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    openFor(started);
    await started.circuit.run(answer);
    await fail(started.circuit, TIMED_OUT, 10);
    expect(openFor(started)).toBe(1_000);
  });

  test('a 429 to the probe opens it for its Retry-After', async () => {
    const started = await startOpen();
    openFor(started);
    await fail(started.circuit, failureOfStatus(429, '4'));
    expect(openFor(started)).toBe(4_000);
  });
});

test('what was sent before it opened neither closes it nor keeps it open', async () => {
  const started = startCircuit();
  const { circuit } = started;
  const { promise, go } = held();
  const early = [circuit.run(() => promise), circuit.run(() => promise.then(failing(REFUSED)))];
  await fail(circuit, REFUSED, 10);
  go();
  await Promise.allSettled(early);
  expect(openFor(started)).toBe(1_000);
});

function held() {
  let go = () => {};
  const promise = new Promise<string>((resolve) => {
    go = () => resolve('answer');
  });
  return { promise, go };
}
