// Many names are looked up in batches, and some names fail each time.

import { expect, test } from 'vitest';
import { retryNames } from '../../../src/tools/gateway-client/retry-names.ts';

const NAMES = ['down-1', 'down-2', 'up-1', 'up-2'];

/** Looks up two names at a time. Names that begin with `down` fail each time. */
async function lookUp() {
  const sent: string[] = [];
  const answers = await retryNames<string>(NAMES, {
    limit: { maxNames: 2 },
    maxTries: 2,
    firstWaitSeconds: 1,
    maxWaitSeconds: 1,
    async send(names) {
      sent.push(...names);
      const entries = names.map(
        (name, index) => [index, name.startsWith('up') ? 'answer' : 'failure'] as const,
      );
      const [done, toRetry] = ['answer', 'failure'].map(
        (kind) => new Map(entries.filter(([, answer]) => answer === kind)),
      );
      return {
        done: done as Map<number, string>,
        toRetry: toRetry as Map<number, string>,
        isTooLarge: false,
        retryAfterSeconds: null,
      };
    },
    wait: async () => undefined,
    answerInOutage: (last) => `not sent after ${last}`,
    concernsSome: (failure) => failure === 'failure',
  });
  return { answers, sent: new Set(sent) };
}

test('failed names do not prevent the look-ups of other names', async () => {
  const { answers, sent } = await lookUp();
  expect(answers).toEqual(['failure', 'failure', 'answer', 'answer']);
  expect(sent).toEqual(new Set(NAMES));
});
