// The law of the budget: it counts as if it had counted each distinct look-up at its first call.

import { canonicalName, type HandleName } from 'doi-names';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LookUpBudget } from '../../src/loaders/look-up-budget.ts';
import { createBeginsRequest } from '../../src/upstream/which-ra-requests.ts';

const names = fc.constantFrom(...(['a', 'A', 'b', 'c', 'd', 'dddddddd', 'E%,', 'f'] as HandleName[]));
const spending = fc.array(fc.tuple(fc.constantFrom('record', 'agency', 'other'), names), { maxLength: 30 });

test.each([
  ['with requests of two names', () => createBeginsRequest({ maxNames: 2, maxUrlBytes: 100 }, 0)],
  ['with requests of so many bytes', () => createBeginsRequest({ maxNames: 9, maxUrlBytes: 8 }, 2)],
  ['with one request for all', undefined],
])('%s', (_, createMeter) => {
  fc.assert(
    fc.property(spending, fc.nat(12), (asked, most) => {
      const budget = new LookUpBudget(most, createMeter);
      const records = new Set<string>();
      const agencies = new Set<string>();
      const begins = createMeter?.() ?? (() => agencies.size === 0);
      let [left, requestRefused] = [most, false];
      const spend = (): boolean => {
        left -= 1;
        return left >= 0 || ++left < 0;
      };
      for (const [kind, name] of asked) {
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
        const ask = () => {
          if (kind === 'other') budget.spendOther();
          else if (kind === 'record') budget.spendRecord(name);
          else budget.spendAgency(name);
        };
        if (allowed) expect(ask).not.toThrow();
        else expect(ask).toThrow(expect.objectContaining({ code: 'TOO_MANY_LOOKUPS' }));
      }
    }),
    { numRuns: 300 },
  );
});

test('the budget allows the last look-up, also if it had to count equal names', () => {
  const budget = new LookUpBudget(3);
  for (const name of ['a', 'A', 'a', 'b'] as HandleName[]) budget.spendRecord(name);
  expect([0, 1, 2].map((lookUps) => budget.allows(lookUps))).toEqual([true, true, false]);
});
