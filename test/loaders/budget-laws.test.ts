// The law of the budget: each distinct look-up counts once, at its first call.

import { canonicalName, type HandleName } from 'doi-names';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LookUpBudget } from '../../src/loaders/look-up-budget.ts';
import { createBeginsRequest } from '../../src/upstream/which-ra-requests.ts';

const names = fc.constantFrom(...(['a', 'A', 'b', 'c', 'd', 'dddddddd', 'E%,', 'f'] as HandleName[]));
const lookUps = fc.array(fc.tuple(fc.constantFrom('record', 'agency', 'other'), names), { maxLength: 30 });

test.each([
  ['of two names', () => createBeginsRequest({ maxNames: 2, maxUrlBytes: 100 }, 0)],
  ['of some bytes', () => createBeginsRequest({ maxNames: 9, maxUrlBytes: 8 }, 2)],
  ['of all names', undefined],
])('each record, and each Which RA request %s, uses the budget once', (_, createMeter) => {
  fc.assert(
    fc.property(lookUps, fc.nat(12), (calls, limit) => {
      const budget = new LookUpBudget(limit, createMeter);
      const records = new Set<string>();
      const agencies = new Set<string>();
      const begins = createMeter?.() ?? (() => agencies.size === 0);
      let [left, requestRefused] = [limit, false];
      const spend = (): boolean => {
        left -= 1;
        return left >= 0 || ++left < 0;
      };
      for (const [kind, name] of calls) {
        const key = canonicalName(name);
        let allowed: boolean;
        if (kind === 'other') {
          allowed = spend();
        } else if (kind === 'record') {
          allowed = records.has(key) || spend();
          if (allowed) records.add(key);
        } else {
          allowed = agencies.has(key) || (!requestRefused && (!begins(name) || spend()));
          if (allowed) agencies.add(key);
          else requestRefused = true;
        }
        const call = () => {
          if (kind === 'other') budget.spendOther();
          else if (kind === 'record') budget.spendRecord(name);
          else budget.spendAgency(name);
        };
        if (allowed) expect(call).not.toThrow();
        else expect(call).toThrow(expect.objectContaining({ code: 'TOO_MANY_LOOKUPS' }));
      }
    }),
    { numRuns: 300 },
  );
});

test('the budget allows the last look-up after equal names', () => {
  const budget = new LookUpBudget(3);
  for (const name of ['a', 'A', 'a', 'b'] as HandleName[]) budget.spendRecord(name);
  expect([0, 1, 2].map((count) => budget.allows(count))).toEqual([true, true, false]);
});
