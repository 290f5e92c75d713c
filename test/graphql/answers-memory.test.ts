// How much the memory for whole answers takes, and whom it has a place for.

import { expect, test } from 'vitest';
import { createRememberedAnswers } from '../../src/graphql/remembered-answers.ts';
import { createAnswerLife } from '../../src/loaders/answer-expiry.ts';
import { Evidence } from '../../src/loaders/evidence.ts';

const operation = { name: undefined, type: 'query' };
const nothing = new Evidence({ records: [], agencies: [], metadata: [] });
const recipient = { directory: {}, life: createAnswerLife() };
const request = (number: number) => Buffer.from(`{"query":"{a}","number":${number}}`);

function keyOf(answers: ReturnType<typeof createRememberedAnswers>, of: Buffer): string {
  answers.keyOf(of);
  return answers.keyOf(of) ?? expect.unreachable();
}

test('is bounded by its bytes, requests included', () => {
  const answers = createRememberedAnswers(50_000);
  let places = 0;
  for (let number = 0; number < 2_000; number += 1) {
    const key = keyOf(answers, request(number));
    if (!answers.hasPlace(key)) continue;
    places += 1;
    answers.remember(key, { operation, body: 'x'.repeat(100) }, nothing);
    expect(answers.bytes).toBeLessThanOrEqual(50_000);
    expect(answers.recall(key, recipient)?.body).toHaveLength(100);
  }
  // Fifty find room, then one in sixteen.
  expect(places).toBeGreaterThan(140);
  expect(places).toBeLessThan(200);
});

test('takes neither long requests nor long answers', () => {
  const answers = createRememberedAnswers(10_000_000);
  const long = Buffer.alloc(4_001, ' ');
  expect([answers.keyOf(long), answers.keyOf(long)]).toEqual([null, null]);
  const key = keyOf(answers, request(1));
  answers.remember(key, { operation, body: 'x'.repeat(60_000) }, nothing);
  expect(answers.recall(key, recipient)).toBeUndefined();
  expect(answers.bytes).toBe(0);
});
