import { describe, expect, it } from 'vitest';
import { createRequestWindow, statedLimit } from '../../src/upstream/request-rate.ts';
import { createManualTime } from './manual-time.ts';

describe('a window of requests', () => {
  it('lets through so many in its time, and the next when it is over', async () => {
    const time = createManualTime();
    const window = createRequestWindow({ requests: 2, seconds: 10 }, time);
    await window.take();
    await window.take();
    let isThrough = false;
    const third = window.take().then(() => {
      isThrough = true;
    });
    time.advance(9_999);
    await Promise.resolve();
    expect(isThrough).toBe(false);
    time.advance(1);
    await third;
  });

  it('says whether a request has a turn in time', async () => {
    const time = createManualTime();
    const window = createRequestWindow({ requests: 2, seconds: 10 }, time);
    await window.take();
    expect([0, 1].map((ahead) => window.canSendInTime(ahead, 5_000))).toEqual([true, false]);
    expect([2, 3].map((ahead) => window.canSendInTime(ahead, 10_001))).toEqual([true, false]);
    time.advance(10_000);
    expect([1, 2].map((ahead) => window.canSendInTime(ahead, 5_000))).toEqual([true, false]);
  });

  it('has no limit until it learns one', async () => {
    const time = createManualTime();
    const window = createRequestWindow(null, time);
    await window.take();
    expect(window.canSendInTime(1_000_000, 1)).toBe(true);
    window.learn({ requests: 2, seconds: 1 });
    await window.take();
    // The one before it counts as well.
    expect(window.canSendInTime(0, 500)).toBe(false);
  });

  it('lets those that wait go on when it learns of a higher limit', async () => {
    const window = createRequestWindow({ requests: 1, seconds: 300 }, createManualTime());
    await window.take();
    const second = window.take();
    window.learn({ requests: 50, seconds: 1 });
    await second;
    expect(window.perSecond).toBe(50);
  });
});

describe('the headers of a limit', () => {
  it.each([
    ['50', '1s', { requests: 50, seconds: 1 }],
    ['3000', '60', { requests: 3_000, seconds: 60 }],
    ['50', undefined, null],
    [undefined, '1s', null],
    ['0', '1s', null],
    ['50', '0s', null],
    ['50', '9999s', null],
    ['50, 50', '1s', null],
    ['-1', '1s', null],
  ])('%s in %s', (limit, interval, read) => {
    const headers = { 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval };
    expect(statedLimit(headers)).toEqual(read);
  });
});
