// A large answer of the directory waits for its turn, and leaves others theirs between what takes long.

import { expect, test } from 'vitest';
import { jsonReader } from '../../src/upstream/record-look-up.ts';
import { LARGE_BYTES, UpstreamResponse } from '../../src/upstream/response-body.ts';

function setUp() {
  const events: string[] = [];
  const entered = withResolvers();
  const largeBodies: { last: Promise<unknown> } = { last: entered.promise };
  const answer = new UpstreamResponse({
    reader: jsonReader((json) => {
      events.push('decode');
      return json;
    }),
    maxBytes: 10 * LARGE_BYTES,
    largeBodies,
    onComplete: () => void events.push('whole'),
  });
  answer.onLeave = (isOpen) => void events.push(isOpen ? 'free' : 'closed');
  const controller = {
    pause: () => void events.push('pause'),
    resume: () => void events.push('resume'),
    abort: () => void events.push('abort'),
    aborted: false,
    paused: false,
    reason: null,
  };
  return {
    answer,
    events,
    letIn: entered.resolve,
    /** Reports when the next large body may come. */
    watchLeaving: () => void largeBodies.last.then(() => events.push('leave')),
    start() {
      answer.onRequestStart(controller);
      answer.onResponseStart(controller, 200, { 'content-type': 'application/json' });
    },
    read: (bytes: number, text = '') => {
      events.push('read');
      answer.onResponseData(controller, Buffer.from(text.padEnd(bytes)));
    },
    /** The rest of what happens, in order. `later`: what comes behind it is not done at once. */
    async end(): Promise<readonly string[]> {
      answer.onResponseEnd();
      await Promise.resolve();
      events.push('later');
      expect((await answer.outcome).answer).toEqual({});
      events.push('answered');
      return events;
    },
  };
}

test('a small one is read in a later turn, after its connection and its slot are free', async () => {
  const { start, read, end } = setUp();
  start();
  read(LARGE_BYTES - 1, '{}');
  read(1);
  expect(await end()).toEqual(['read', 'read', 'free', 'whole', 'later', 'decode', 'answered']);
});

test('a large one waits for the large one before it, rests before it is parsed and after, and lets the next in', async () => {
  const { start, read, end, letIn, events, watchLeaving } = setUp();
  start();
  read(LARGE_BYTES, '{}');
  read(1);
  watchLeaving();
  expect(events.splice(0)).toEqual(['read', 'read', 'pause']);
  await letIn();
  expect(events.splice(0)).toEqual(['resume']);
  read(LARGE_BYTES);
  await end();
  await expect
    .poll(() => events.filter((event) => event !== 'answered'))
    .toEqual(['read', 'free', 'whole', 'later', 'decode', 'leave']);
});

test('a large one that is ended while it waits lets the next in after the one before it', async () => {
  const { answer, start, read, letIn, events, watchLeaving } = setUp();
  start();
  read(LARGE_BYTES + 1, '{}');
  watchLeaving();
  answer.end(new Error('gone'));
  await expect(answer.outcome).rejects.toThrow('gone');
  expect(events.splice(0)).toEqual(['read', 'pause', 'abort']);
  await letIn();
  await expect.poll(() => events).toEqual(['leave']);
});

test('a large one that is ended while it comes lets the next in at once', async () => {
  const { answer, start, read, letIn, events, watchLeaving } = setUp();
  start();
  read(LARGE_BYTES + 1, '{}');
  watchLeaving();
  await letIn();
  answer.end(new Error('gone'));
  await expect(answer.outcome).rejects.toThrow('gone');
  await expect.poll(() => events).toEqual(['read', 'pause', 'resume', 'abort', 'leave']);
});

test('one that is ended before there is a connection fails at once, and is not sent', async () => {
  const { answer, start, events } = setUp();
  answer.end(new Error('gone'));
  await expect(answer.outcome).rejects.toThrow('gone');
  start();
  expect(events).toEqual(['abort']);
});

function withResolvers() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return {
    promise,
    async resolve() {
      resolve();
      await promise;
    },
  };
}
