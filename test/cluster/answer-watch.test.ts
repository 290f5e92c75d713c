// A worker is killed only if it leaves all questions of ten seconds unanswered.

import { expect, test } from 'vitest';
import { createAnswerWatch } from '../../src/cluster/answer-watch.ts';

const WORKER = {};

/** What the primary does at each turn. `.`: the worker answers; `?`: the primary asks. */
function play(turns: string): string {
  const watch = createAnswerWatch<object>();
  const steps = [...turns].map((turn) => {
    if (turn === '?') return watch.next(WORKER);
    watch.answered(WORKER);
    return 'answered';
  });
  return steps.join(' ');
}

test('a worker that stands still is asked for ten seconds, and killed once', () => {
  expect(play('???????')).toBe('ask ask ask ask ask kill nothing');
});

test('a busy worker that answers after less than ten seconds stays, however often it is busy', () => {
  expect(play('?????.'.repeat(100))).not.toContain('kill');
});

test('a paused primary kills no worker: the answers that waited come before its next questions', () => {
  expect(play('?.?.??...??.?')).not.toContain('kill');
});

test('one worker does not answer for another', () => {
  const watch = createAnswerWatch<object>();
  const other = {};
  const steps = Array.from({ length: 6 }, () => {
    watch.answered(other);
    return [watch.next(WORKER), watch.next(other)];
  });
  expect(steps.at(-1)).toEqual(['kill', 'ask']);
});
