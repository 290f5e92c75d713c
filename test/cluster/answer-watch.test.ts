// The primary process kills a worker only if it sends no reply for ten seconds.

import { expect, test } from 'vitest';
import { createAnswerWatch } from '../../src/cluster/answer-watch.ts';

const WORKER = {};

/** The actions of the primary. `.`: the worker replies; `?`: the primary can send a ping. */
function play(events: string): string {
  const watch = createAnswerWatch<object>();
  const steps = [...events].map((step) => {
    if (step === '?') return watch.next(WORKER);
    watch.answered(WORKER);
    return 'answered';
  });
  return steps.join(' ');
}

test('the primary sends pings to a silent worker for ten seconds, and kills it once', () => {
  expect(play('???????')).toBe('ping ping ping ping ping kill nothing');
});

test('a busy worker that replies within ten seconds stays', () => {
  expect(play('?????.'.repeat(100))).not.toContain('kill');
});

test('a paused primary kills no worker, because it reads waiting replies before its next ping', () => {
  expect(play('?.?.??...??.?')).not.toContain('kill');
});

test('a reply of one worker does not count for another worker', () => {
  const watch = createAnswerWatch<object>();
  const other = {};
  const steps = Array.from({ length: 6 }, () => {
    watch.answered(other);
    return [watch.next(WORKER), watch.next(other)];
  });
  expect(steps.at(-1)).toEqual(['kill', 'ping']);
});
