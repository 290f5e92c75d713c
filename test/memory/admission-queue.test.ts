// The queue of requests that wait for bytes.

import { describe, expect, test } from 'vitest';
import type { Reservation } from '../../src/memory/reservation.ts';
import {
  createTestAccount,
  LARGE_PART,
  large,
  logAdmission,
  requestOf,
  SMALL_PART,
  turns,
} from './test-account.ts';

describe('if too few bytes are free', () => {
  test('small requests do not wait for large ones', () => {
    const { account } = createTestAccount();
    void account.open().admitOperation(large(LARGE_PART), requestOf('a'));
    void account.open().admitOperation(large(300_000), requestOf('a'));
    expect(account.open().admitRequest(requestOf('a'))).toBeUndefined();
  });

  test('small requests of one client leave bytes for other clients', async () => {
    const { account, warned } = createTestAccount();
    const log: string[] = [];
    const requests: Reservation[] = [];
    for (;;) {
      const request = account.open();
      if (request.admitRequest(requestOf('greedy')) !== undefined) break;
      requests.push(request);
    }
    expect(requests.length * 8_000).toBeGreaterThan(SMALL_PART * 0.8);
    expect(requests.length * 8_000).toBeLessThan(SMALL_PART * 0.9);
    logAdmission(log, 'greedy', account.open().admitRequest(requestOf('greedy')));
    logAdmission(log, 'b', account.open().admitRequest(requestOf('b')));
    logAdmission(log, 'c', account.open().admitRequest(requestOf('c')));
    await turns();
    expect(log).toEqual(['b', 'c']);
    for (const request of requests.slice(0, 4)) request.close();
    await turns();
    expect(log).toEqual(['b', 'c', 'greedy']);
    expect(new Set(warned)).toEqual(new Set(['memory']));
  });

  test('the client with the fewest reserved bytes is first, then the order of requests', async () => {
    const { account } = createTestAccount();
    const log: string[] = [];
    const [ofA, ofB] = [account.open(), account.open()];
    void ofA.admitOperation(large(1_700_000), requestOf('a'));
    void account.open().admitOperation(large(300_000), requestOf('a'));
    void ofB.admitOperation(large(1_000_000), requestOf('b'));
    logAdmission(log, 'a', account.open().admitOperation(large(800_000), requestOf('a')));
    logAdmission(log, 'b1', account.open().admitOperation(large(900_000), requestOf('b')));
    logAdmission(log, 'b2', account.open().admitOperation(large(900_000), requestOf('b')));
    logAdmission(log, 'c', account.open().admitOperation(large(900_000), requestOf('c')));
    await turns();
    expect(log).toEqual([]);
    ofB.close();
    await turns();
    expect(log).toEqual(['b1']);
    ofA.close();
    await turns();
    expect(log).toEqual(['b1', 'c', 'a']);
  });

  test('a request that needs many bytes is not overtaken', async () => {
    const { account } = createTestAccount();
    const log: string[] = [];
    const held = account.open();
    void held.admitOperation(large(2_000_000), requestOf('a'));
    logAdmission(log, 'much', account.open().admitOperation(large(2_500_000), requestOf('b')));
    logAdmission(log, 'little', account.open().admitOperation(large(300_000), requestOf('b')));
    await turns();
    expect(log).toEqual([]);
    held.close();
    await turns();
    expect(log).toEqual(['much', 'little']);
  });

  test('a request that waits for its operation reserves no bytes', () => {
    const { account } = createTestAccount();
    void account.open().admitOperation(large(LARGE_PART), requestOf('a'));
    const waiting = account.open();
    void waiting.admitRequest(requestOf('b'));
    void waiting.admitOperation(large(300_000), requestOf('b'))?.catch(() => undefined);
    expect(account.reservedBytes).toBe(LARGE_PART);
  });

  test('a body waits only for other bodies', async () => {
    const { account } = createTestAccount();
    const log: string[] = [];
    const held = account.open();
    void held.admitBody(900_000, requestOf('a'));
    logAdmission(log, 'body', account.open().admitBody(200_000, requestOf('a')));
    logAdmission(log, 'operation', account.open().admitOperation(large(300_000), requestOf('a')));
    expect([log, account.isMemoryScarce]).toEqual([['operation'], true]);
    held.settle(0);
    await turns();
    expect([log, account.isMemoryScarce]).toEqual([['operation', 'body'], false]);
  });

  test('memory is scarce if responses fill their part', () => {
    const { account } = createTestAccount();
    expect(account.isMemoryScarce).toBe(false);
    account.open().growResponse(900_000);
    expect(account.isMemoryScarce).toBe(true);
  });

  test('a request that waits until its deadline is rejected and leaves the queue', async () => {
    const { account, deadline } = createTestAccount();
    const log: string[] = [];
    const held = account.open();
    void held.admitOperation(large(LARGE_PART), requestOf('a'));
    logAdmission(log, 'late', account.open().admitOperation(large(300_000), requestOf('b')));
    deadline();
    await turns();
    expect(log).toEqual(['late: GATEWAY_BUSY']);
    held.close();
    await turns();
    expect([log, account.reservedBytes, account.isMemoryScarce]).toEqual([['late: GATEWAY_BUSY'], 0, false]);
  });

  test('the next request continues if the first request leaves or waits too long', async () => {
    const { account, timers } = createTestAccount();
    const log: string[] = [];
    const leaver = new AbortController();
    void account.open().admitOperation(large(LARGE_PART - 1_000_000), requestOf('a'));
    const wait = (name: string, bytes: number, signal?: AbortSignal) =>
      logAdmission(log, name, account.open().admitOperation(large(bytes), requestOf('b', signal)));
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
    expect(timers.size).toBe(0);
    wait('after', 2_000_000, leaver.signal);
    await turns();
    expect(log.at(-1)).toBe('after: Error: gone');
  });

  test('5,000 requests may wait, and the next request is rejected at once', async () => {
    const { account } = createTestAccount();
    void account.open().admitOperation(large(LARGE_PART), requestOf('a'));
    for (let count = 0; count < 5_000; count += 1) {
      void account
        .open()
        .admitOperation(large(300_000), requestOf('b'))
        ?.catch(() => undefined);
    }
    const log: string[] = [];
    logAdmission(log, 'more', account.open().admitOperation(large(300_000), requestOf('c')));
    await turns(1);
    expect(log).toEqual(['more: GATEWAY_BUSY']);
  });
});
