// What it costs to find the names for which a Which RA request is refused.

import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { failureOfStatus } from '../../src/upstream/upstream-failure.ts';
import { lookUpAgencies } from '../../src/upstream/which-ra-requests.ts';
import { handleName } from './proxy-under-test.ts';

const itemOf = (name: string) => ({ DOI: name, RA: `agency of ${name}` });

describe('what halving costs', () => {
  const many = Array.from({ length: 1_900 }, (_, index) => handleName(`10.5555/${index}`));
  const LIMITS = { maxUrlBytes: 4_000, maxNames: 500 };

  /** Requests for all names, with a service that refuses those of which it may not be asked for any. */
  async function ask(
    asked: readonly HandleName[],
    isRefused: (name: string) => boolean,
    pay = async () => {},
    status = 400,
  ) {
    const sizes: number[] = [];
    let paid = 0;
    const verdicts = lookUpAgencies(asked, LIMITS, 0, {
      async fetch(encodedNames) {
        const group = encodedNames.split(',');
        sizes.push(group.length);
        if (group.some(isRefused)) throw failureOfStatus(status);
        return group.map(itemOf);
      },
      async spendExtra(requests) {
        await pay();
        paid += requests;
      },
      report: () => {},
    });
    const outcomes = await Promise.allSettled(verdicts);
    const failed = asked.filter((_, index) => outcomes[index]?.status === 'rejected');
    return { requests: sizes.length, largest: Math.max(...sizes), failed, paid };
  }

  test('is nothing where no name is refused', async () => {
    const { requests, failed, paid } = await ask(many, () => false);
    expect([requests, failed, paid]).toEqual([6, [], 0]);
  });

  test.each([429, 500, 503])('is nothing where the answer is %i', async (status) => {
    const { requests, paid } = await ask(many.slice(0, 256), () => true, undefined, status);
    expect([requests, paid]).toEqual([1, 0]);
  });

  test('finds 13 refused names among 1,900 for 2 · 13 · log2(batch), wherever they stand', async () => {
    const positions = fc.uniqueArray(fc.integer({ min: 0, max: 1_899 }), { minLength: 13, maxLength: 13 });
    await fc.assert(
      fc.asyncProperty(positions, async (refused) => {
        const names = new Set<string>(refused.map((index) => `10.5555/${index}`));
        const { requests, largest, failed, paid } = await ask(many, (name) => names.has(name));
        expect(new Set<string>(failed)).toEqual(names);
        expect(paid).toBe(requests - 6);
        expect(paid).toBeLessThanOrEqual(2 * 13 * Math.ceil(Math.log2(largest)));
      }),
      { numRuns: 20 },
    );
  });

  test('13 in one batch are found, whichever they are', async () => {
    const batch = many.slice(0, 256);
    const { failed, paid } = await ask(batch, (name) => Number(name.slice(8)) % 20 === 7);
    expect(failed).toHaveLength(13);
    expect(paid).toBeLessThanOrEqual(2 * 13 * 8);
  });

  test('ends where the directory refuses whatever it is asked: 60 requests more for a batch', async () => {
    const { requests, failed } = await ask(many.slice(0, 256), () => true);
    expect([requests, failed.length]).toEqual([61, 256]);
  });

  test('ends where too many are refused among those of a batch: the rest fails with them', async () => {
    const { paid, failed } = await ask(many.slice(0, 256), (name) => Number(name.slice(8)) < 200);
    expect(paid).toBe(2 * 15 * 8);
    expect(failed.length).toBeGreaterThanOrEqual(200);
  });

  test('is paid by who asks, and ends where they cannot', async () => {
    const spent = new GatewayError('RATE_LIMITED');
    const { requests, failed } = await ask(
      many.slice(0, 100),
      (name) => name === '10.5555/7',
      () => Promise.reject(spent),
    );
    expect([requests, failed.length]).toEqual([1, 100]);
  });
});
