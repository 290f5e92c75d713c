// Requests reserve bytes of the account, and all bytes come back.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NestedReservation, type Reservation } from '../../src/memory/reservation.ts';
import { createTestAccount, LARGE_PART, large, requestOf, turns } from './test-account.ts';

describe('a request', () => {
  test('reserves its bytes from its admission to its end', () => {
    const { account, warned } = createTestAccount();
    const one = account.open();
    expect(one.admitRequest(requestOf('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(8_000);
    expect(one.admitOperation(large(20_000), requestOf('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(28_000);
    one.close();
    one.close();
    expect([account.reservedBytes, warned]).toEqual([0, []]);
  });

  test('keeps only the bytes of its response after a large operation', () => {
    const { account } = createTestAccount();
    const one = account.open();
    void one.admitBody(50_000, requestOf('a'));
    void one.admitOperation(large(500_000, 40_000), requestOf('a'));
    expect(account.reservedBytes).toBe(590_000);
    expect(one.settle(70_000)).toBe(true);
    expect(account.reservedBytes).toBe(70_000);
    one.close();
    expect(account.reservedBytes).toBe(0);
  });

  test('cannot reserve bytes after its end', () => {
    const { account } = createTestAccount();
    const one = account.open();
    one.close();
    expect([one.grow(1), one.growResponse(1), account.reservedBytes]).toEqual([false, false, 0]);
  });

  test('can reserve free bytes while it runs, and never waits for them', () => {
    const { account } = createTestAccount();
    const [one, other] = [account.open(), account.open()];
    void one.admitOperation(large(LARGE_PART - 1_000), requestOf('a'));
    expect([other.grow(1_000), other.grow(1)]).toEqual([true, false]);
    expect([other.growResponse(1_000_000), other.growResponse(1)]).toEqual([true, false]);
    other.shrink(1_000);
    expect(one.grow(1_000)).toBe(true);
    expect(one.settle(100_000)).toBe(false);
  });

  test('reserves all bytes if it needs more bytes than exist', () => {
    const { account } = createTestAccount();
    const one = account.open();
    expect(one.admitOperation(large(10 * LARGE_PART, 5_000_000), requestOf('a'))).toBeUndefined();
    expect(account.reservedBytes).toBe(LARGE_PART + 1_000_000);
    one.close();
    expect(account.reservedBytes).toBe(0);
  });
});

test('a nested operation uses the outer reservation, then free bytes, and never waits', () => {
  const { account } = createTestAccount();
  const outer = account.open();
  void outer.admitOperation(large(300_000), requestOf('a'));
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

test('the account never exceeds its size, and is at zero after all requests', async () => {
  const act = fc.record({
    request: fc.nat(7),
    client: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom(...'request body operation grow shrink response settle close leave'.split(' ')),
    bytes: fc.nat(2_000_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), async (acts) => {
      const { account, deadline } = createTestAccount();
      const gone = Array.from({ length: 8 }, () => new AbortController());
      const requests: Reservation[] = gone.map(() => account.open());
      for (const { request: at, client, kind, bytes } of acts) {
        const request = requests[at] as Reservation;
        const requester = requestOf(`${client}${at}`, gone[at]?.signal);
        if (kind === 'request') void request.admitRequest(requester)?.catch(() => undefined);
        else if (kind === 'body') void request.admitBody(bytes, requester)?.catch(() => undefined);
        else if (kind === 'operation')
          void request.admitOperation(large(bytes, bytes), requester)?.catch(() => undefined);
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
