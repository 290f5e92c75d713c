// Laws of the request queue for any order of look-ups, answers, joins and leaves.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { createQueueUnderTest, type LookUp, type QueueUnderTest } from './queue-under-test.ts';

const SLOTS = 6;
const MAX_WAITING = 40;
const CLIENTS = ['a', 'b', 'c', 'd'];

type Step =
  | { readonly kind: 'lookUp'; readonly client: string; readonly count: number }
  | { readonly kind: 'leave'; readonly which: number }
  | { readonly kind: 'join'; readonly which: number; readonly client: string }
  | { readonly kind: 'answer'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number };

const client = fc.constantFrom(...CLIENTS);
const which = fc.nat(1_000);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('lookUp' as const), client, count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('leave' as const), which }),
    fc.record({ kind: fc.constant('join' as const), which, client }),
    fc.record({ kind: fc.constant('answer' as const), which }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 700 }) }),
  ),
  { maxLength: 40 },
);

interface Tracked {
  readonly lookUp: LookUp;
  readonly owner: string;
  readonly waiters: Set<string>;
}

/** Plays steps on a queue, and records which clients wait for which look-up. */
function createTracked(queue: QueueUnderTest) {
  const tracked: Tracked[] = [];
  let answeredAt = 0;
  const open = () => tracked.filter(({ lookUp }) => lookUp.outcome === 'waiting');
  const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

  async function play(step: Step): Promise<void> {
    if (step.kind === 'lookUp') {
      for (let index = 0; index < step.count; index += 1) {
        const lookUp = queue.lookUp(step.client, `${step.client}-${tracked.length}`);
        tracked.push({ lookUp, owner: step.client, waiters: new Set([step.client]) });
      }
    } else if (step.kind === 'wait') await queue.advance(step.ms);
    else if (step.kind === 'answer') {
      // The older requests hang.
      const quick = queue.running().filter(({ at }) => queue.time.now() - at <= 200);
      const sent = pick(quick, step.which);
      if (sent) answeredAt = queue.counts.takenBack;
      await sent?.answer();
    } else {
      const one = pick(
        open().filter(({ waiters }) => waiters.size > 0),
        step.which,
      );
      if (step.kind === 'join' && one && !one.waiters.has(step.client)) {
        one.waiters.add(step.client);
        one.lookUp.join(step.client);
      } else if (step.kind === 'leave' && one) {
        const [leaving = ''] = one.waiters;
        one.waiters.delete(leaving);
        one.lookUp.leave(leaving);
      }
    }
    await settled();
  }

  /** The running requests and the waiting look-ups of one client. */
  function requestsOf(owned: string) {
    const running = queue.running().filter(({ name }) => name.startsWith(owned));
    const names = new Set(queue.runningNames());
    const waiting = open().filter(({ owner, lookUp }) => owner === owned && !names.has(lookUp.name));
    return { running, waiting };
  }

  const limitMs = () => 500 * 2 ** Math.min(5, Math.floor((queue.counts.takenBack - answeredAt) / SLOTS));
  return { tracked, play, requestsOf, limitMs };
}

test('no slot is free while a look-up waits; no name is sent twice at once or after its answer', () =>
  fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const queue = createQueueUnderTest({ slots: SLOTS, maxWaiting: MAX_WAITING, deadlineMs: 60_000 });
      const { play, tracked } = createTracked(queue);
      for (const step of played) {
        await play(step);
        const names = queue.runningNames();
        expect(new Set(names).size).toBe(names.length);
        expect(names.length).toBeLessThanOrEqual(SLOTS);
        expect(queue.counts.waiting).toBeLessThanOrEqual(MAX_WAITING);
        if (queue.counts.waiting > 0) expect(names).toHaveLength(SLOTS);
        for (const { lookUp } of tracked)
          if (lookUp.outcome !== 'waiting') expect(names).not.toContain(lookUp.name);
      }
    }),
  ));

test('every look-up ends: with its answer, with GATEWAY_BUSY, or when its last client leaves', () =>
  fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const queue = createQueueUnderTest({ slots: SLOTS, maxWaiting: MAX_WAITING, deadlineMs: 600_000 });
      const { play, tracked } = createTracked(queue);
      for (const step of played) await play(step);
      while (queue.running().length > 0) await queue.running()[0]?.answer();
      for (const { lookUp, waiters } of tracked) {
        const ends = [lookUp.name, 'GATEWAY_BUSY', ...(waiters.size === 0 ? ['left'] : [])];
        expect(ends).toContain(lookUp.outcome);
      }
      expect(queue.counts).toMatchObject({ waiting: 0, running: 0 });
      const refused = tracked.filter(({ lookUp }) => lookUp.outcome === 'GATEWAY_BUSY');
      expect(refused).toHaveLength(queue.counts.refused);
    }),
  ));

const withoutJoins = steps.map((list) => list.filter(({ kind }) => kind !== 'join' && kind !== 'leave'));

test('a client below its share never waits too long for a slot of a client above its share', () =>
  fc.assert(
    fc.asyncProperty(withoutJoins, async (played) => {
      const queue = createQueueUnderTest({ slots: SLOTS, deadlineMs: 600_000 });
      const { play, requestsOf, limitMs } = createTracked(queue);
      for (const step of played) {
        await play(step);
        const clients = CLIENTS.map((name) => requestsOf(name));
        const busy = clients.filter(({ running, waiting }) => running.length + waiting.length > 0);
        const share = SLOTS / busy.length;
        for (const { running, waiting } of busy) {
          if (waiting.length === 0 || running.length >= share) continue;
          const overdue = busy
            .filter((other) => other.running.length > share && other.running.length - 1 > running.length)
            .flatMap((other) => other.running)
            .filter(({ at }) => queue.time.now() - at >= limitMs());
          expect(overdue).toEqual([]);
        }
      }
    }),
  ));

test('the look-ups of one client are sent in their order', () =>
  fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const queue = createQueueUnderTest({ slots: SLOTS, deadlineMs: 600_000 });
      const { play } = createTracked(queue);
      for (const step of played.filter(({ kind }) => kind !== 'join')) await play(step);
      for (const name of CLIENTS) {
        const first = [...new Set(queue.sent.map((sent) => sent.name))].filter((one) => one.startsWith(name));
        const numbers = first.map((one) => Number(one.slice(2)));
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
    }),
  ));
