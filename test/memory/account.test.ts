// Who gets bytes of the account, who waits for them, and that all of them come back.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { MemoryAccount } from '../../src/memory/account.ts';
import type { ReservingRequest } from '../../src/memory/admission-queue.ts';
import { NestedReservation, type Reservation } from '../../src/memory/reservation.ts';

const SIZES = { heapBytes: 4_000_000, bodyBytes: 1_000_000, responseBytes: 1_000_000 };
/** Of the heap: three quarters. */
const LARGE_PART = 3_000_000;
const SMALL_PART = 1_000_000;

function setUp() {
  const timers = new Set<() => void>();
  const warned: string[] = [];
  const account = new MemoryAccount(SIZES, {
    deadlineMs: 30_000,
    after(_, task) {
      timers.add(task);
      return () => timers.delete(task);
    },
    trouble: { warn: (kind) => void warned.push(kind) },
  });
  return { account, timers, warned, deadline: () => [...timers].forEach((task) => void task()) };
}

function by(client: string, signal = new AbortController().signal): ReservingRequest {
  return { requester: { client: { key: client } }, signal };
}

const large = (heapBytes: number, responseBytes = 0) => ({ heapBytes, responseBytes });

/** Notes when a reservation is admitted, or why it is not. */
function note(log: string[], name: string, waiting: Promise<void> | undefined): void {
  if (waiting === undefined) log.push(name);
  else {
    waiting.then(
      () => log.push(name),
      (error: unknown) => log.push(`${name}: ${error instanceof GatewayError ? error.code : String(error)}`),
    );
  }
}

const turns = async (count = 10) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

describe('a request', () => {
  test('has its bytes from its admission to its end', () => {
    const { account, warned } = setUp();
    const one = account.open();
    expect(one.admitRequest(by('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(8_000);
    expect(one.admitOperation(large(20_000), by('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(28_000);
    one.close();
    one.close();
    expect([account.reservedBytes, warned]).toEqual([0, []]);
  });

  test('of a large operation keeps only its response when that is there', () => {
    const { account } = setUp();
    const one = account.open();
    void one.admitBody(50_000, by('a'));
    void one.admitOperation(large(500_000, 40_000), by('a'));
    expect(account.reservedBytes).toBe(590_000);
    expect(one.settle(70_000)).toBe(true);
    expect(account.reservedBytes).toBe(70_000);
    one.close();
    expect(account.reservedBytes).toBe(0);
  });

  test('gets nothing after its end', () => {
    const { account } = setUp();
    const one = account.open();
    one.close();
    expect([one.grow(1), one.growResponse(1), account.reservedBytes]).toEqual([false, false, 0]);
  });

  test('under way takes what is free, and never waits', () => {
    const { account } = setUp();
    const [one, other] = [account.open(), account.open()];
    void one.admitOperation(large(LARGE_PART - 1_000), by('a'));
    expect([other.grow(1_000), other.grow(1)]).toEqual([true, false]);
    expect([other.growResponse(1_000_000), other.growResponse(1)]).toEqual([true, false]);
    other.shrink(1_000);
    expect(one.grow(1_000)).toBe(true);
    expect(one.settle(100_000)).toBe(false);
  });

  test('that needs more than there is at all gets all there is', () => {
    const { account } = setUp();
    const one = account.open();
    expect(one.admitOperation(large(10 * LARGE_PART, 5_000_000), by('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(LARGE_PART + 1_000_000);
    one.close();
    expect(account.reservedBytes).toBe(0);
  });
});

describe('where there are too few bytes', () => {
  test('small requests do not wait for large ones', () => {
    const { account } = setUp();
    void account.open().admitOperation(large(LARGE_PART), by('a'));
    void account.open().admitOperation(large(300_000), by('a'));
    expect(account.open().admitRequest(by('a'))).toBeUndefined();
  });

  test('small requests of one client leave bytes for other clients', async () => {
    const { account, warned } = setUp();
    const log: string[] = [];
    const requests: Reservation[] = [];
    for (;;) {
      const request = account.open();
      if (request.admitRequest(by('greedy')) !== undefined) break;
      requests.push(request);
    }
    expect(requests.length * 8_000).toBeGreaterThan(SMALL_PART * 0.8);
    expect(requests.length * 8_000).toBeLessThan(SMALL_PART * 0.9);
    note(log, 'greedy', account.open().admitRequest(by('greedy')));
    note(log, 'b', account.open().admitRequest(by('b')));
    note(log, 'c', account.open().admitRequest(by('c')));
    await turns();
    expect(log).toEqual(['b', 'c']);
    for (const request of requests.slice(0, 4)) request.close();
    await turns();
    expect(log).toEqual(['b', 'c', 'greedy']);
    expect(new Set(warned)).toEqual(new Set(['work']));
  });

  test('the client with the fewest bytes in hand is first, and of one client the one that came first', async () => {
    const { account } = setUp();
    const log: string[] = [];
    const [ofA, ofB] = [account.open(), account.open()];
    void ofA.admitOperation(large(1_700_000), by('a'));
    void account.open().admitOperation(large(300_000), by('a'));
    void ofB.admitOperation(large(1_000_000), by('b'));
    note(log, 'a', account.open().admitOperation(large(800_000), by('a')));
    note(log, 'b1', account.open().admitOperation(large(900_000), by('b')));
    note(log, 'b2', account.open().admitOperation(large(900_000), by('b')));
    note(log, 'c', account.open().admitOperation(large(900_000), by('c')));
    await turns();
    expect(log).toEqual([]);
    ofB.close();
    await turns();
    expect(log).toEqual(['b1']);
    ofA.close();
    await turns();
    expect(log).toEqual(['b1', 'c', 'a']);
  });

  test('a client is identified only while requests wait', () => {
    const { account } = setUp();
    let identified = 0;
    const requester = {
      get client() {
        identified += 1;
        return { key: 'a' };
      },
    };
    const { signal } = new AbortController();
    const [one, two] = [account.open(), account.open()];
    expect(one.admitBody(50_000, { requester, signal })).toBeUndefined();
    expect(one.admitOperation(large(LARGE_PART), { requester, signal })).toBeUndefined();
    expect(identified).toBe(0);
    void two.admitOperation(large(LARGE_PART), { requester, signal });
    expect(identified).toBe(1);
  });

  test('none is passed over since it needs more than those behind it', async () => {
    const { account } = setUp();
    const log: string[] = [];
    const held = account.open();
    void held.admitOperation(large(2_000_000), by('a'));
    note(log, 'much', account.open().admitOperation(large(2_500_000), by('b')));
    note(log, 'little', account.open().admitOperation(large(300_000), by('b')));
    await turns();
    expect(log).toEqual([]);
    held.close();
    await turns();
    expect(log).toEqual(['much', 'little']);
  });

  test('a request that waits for its operation has no bytes', () => {
    const { account } = setUp();
    void account.open().admitOperation(large(LARGE_PART), by('a'));
    const waiting = account.open();
    void waiting.admitRequest(by('b'));
    void waiting.admitOperation(large(300_000), by('b'))?.catch(() => undefined);
    expect(account.reservedBytes).toBe(LARGE_PART);
  });

  test('bodies wait for bodies', async () => {
    const { account } = setUp();
    const log: string[] = [];
    const held = account.open();
    void held.admitBody(900_000, by('a'));
    note(log, 'body', account.open().admitBody(200_000, by('a')));
    note(log, 'operation', account.open().admitOperation(large(300_000), by('a')));
    expect([log, account.isMemoryScarce]).toEqual([['operation'], true]);
    held.settle(0);
    await turns();
    expect([log, account.isMemoryScarce]).toEqual([['operation', 'body'], false]);
  });

  test('responses that fill their part are waited for', () => {
    const { account } = setUp();
    expect(account.isMemoryScarce).toBe(false);
    account.open().growResponse(900_000);
    expect(account.isMemoryScarce).toBe(true);
  });

  test('a request that waits until its deadline is refused, and leaves', async () => {
    const { account, deadline } = setUp();
    const log: string[] = [];
    const held = account.open();
    void held.admitOperation(large(LARGE_PART), by('a'));
    note(log, 'late', account.open().admitOperation(large(300_000), by('b')));
    deadline();
    await turns();
    expect(log).toEqual(['late: GATEWAY_BUSY']);
    held.close();
    await turns();
    expect([log, account.reservedBytes, account.isMemoryScarce]).toEqual([['late: GATEWAY_BUSY'], 0, false]);
  });

  test('a client that leaves waits no more, and the one behind it goes on', async () => {
    const { account, timers } = setUp();
    const log: string[] = [];
    const leaver = new AbortController();
    void account.open().admitOperation(large(2_000_000), by('a'));
    note(log, 'much', account.open().admitOperation(large(2_000_000), by('b', leaver.signal)));
    note(log, 'little', account.open().admitOperation(large(300_000), by('b')));
    leaver.abort(new Error('gone'));
    await turns();
    expect(log).toEqual(['much: Error: gone', 'little']);
    expect(timers.size).toBe(0);
    note(log, 'after', account.open().admitOperation(large(2_000_000), by('b', leaver.signal)));
    await turns();
    expect(log.at(-1)).toBe('after: Error: gone');
  });

  test('one that leaves, or waits too long, lets the one behind it go on, although no bytes come back', async () => {
    const { account, timers } = setUp();
    const log: string[] = [];
    const leaver = new AbortController();
    void account.open().admitOperation(large(LARGE_PART - 1_000_000), by('a'));
    const wait = (name: string, bytes: number, signal?: AbortSignal) =>
      note(log, name, account.open().admitOperation(large(bytes), by('b', signal)));
    wait('leaves', 2_000_000, leaver.signal);
    await turns();
    wait('first', 300_000);
    await turns();
    leaver.abort(new Error('gone'));
    await turns();
    expect(log).toEqual(['leaves: Error: gone', 'first']);
    wait('late', 2_000_000);
    wait('second', 300_000);
    await turns();
    for (const end of [...timers].slice(0, 1)) end();
    await turns();
    expect(log.slice(2)).toEqual(['late: GATEWAY_BUSY', 'second']);
  });

  test('so many may wait, and more are refused at once', async () => {
    const { account } = setUp();
    void account.open().admitOperation(large(LARGE_PART), by('a'));
    for (let count = 0; count < 5_000; count += 1) {
      void account
        .open()
        .admitOperation(large(300_000), by('b'))
        ?.catch(() => undefined);
    }
    const log: string[] = [];
    note(log, 'more', account.open().admitOperation(large(300_000), by('c')));
    await turns(1);
    expect(log).toEqual(['more: GATEWAY_BUSY']);
  });
});

test('work within other work uses the reservation around it, takes free bytes beyond that, and never waits', () => {
  const { account } = setUp();
  const outer = account.open();
  void outer.admitOperation(large(300_000), by('a'));
  const all = { reservedBytes: 300_000, usedBytes: 0 };
  const [one, other] = [new NestedReservation(outer, all), new NestedReservation(outer, all)];
  expect([one.admitRequest(), one.admitBody()]).toEqual([undefined, undefined]);
  void one.admitOperation(large(180_000, 20_000));
  expect([account.reservedBytes, one.growResponse(50_000), account.reservedBytes]).toEqual([
    300_000,
    true,
    300_000,
  ]);
  void other.admitOperation(large(100_000));
  expect(account.reservedBytes).toBe(350_000);
  expect(() => other.admitOperation(large(LARGE_PART))).toThrow('no free memory');
  one.settle();
  expect([all.usedBytes, account.reservedBytes]).toEqual([50_000, 350_000]);
  other.close();
  expect([all.usedBytes, account.reservedBytes]).toEqual([0, 300_000]);
  void one.admitOperation(large(400_000));
  outer.close();
  one.close();
  expect(account.reservedBytes).toBe(0);
});

test('whatever requests do, the account is at zero when all have ended, and never beyond its size', async () => {
  const act = fc.record({
    request: fc.nat(7),
    client: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom(
      'request',
      'body',
      'operation',
      'grow',
      'shrink',
      'response',
      'settle',
      'close',
      'leave',
    ),
    bytes: fc.nat(2_000_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), async (acts) => {
      const { account, deadline } = setUp();
      const gone = Array.from({ length: 8 }, () => new AbortController());
      const requests: Reservation[] = gone.map(() => account.open());
      for (const { request: at, client, kind, bytes } of acts) {
        const request = requests[at] as Reservation;
        const who = by(`${client}${at}`, gone[at]?.signal);
        if (kind === 'request') void request.admitRequest(who)?.catch(() => undefined);
        else if (kind === 'body') void request.admitBody(bytes, who)?.catch(() => undefined);
        else if (kind === 'operation')
          void request.admitOperation(large(bytes, bytes), who)?.catch(() => undefined);
        else if (kind === 'grow') request.grow(bytes);
        else if (kind === 'shrink') request.shrink(bytes);
        else if (kind === 'response') request.growResponse(bytes);
        else if (kind === 'settle') request.settle(bytes);
        else if (kind === 'close') request.close();
        else gone[at]?.abort();
        expect(account.reservedBytes).toBeLessThanOrEqual(6_000_000);
        if (bytes % 3 === 0) await turns(1);
      }
      for (const request of requests) request.close();
      deadline();
      await turns(3);
      expect(account.reservedBytes).toBe(0);
      expect(account.isMemoryScarce).toBe(false);
    }),
    { numRuns: 100 },
  );
});
