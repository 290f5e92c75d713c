// A large answer of the directory waits for its turn, and leaves others theirs between what takes long.

import { expect, test } from 'vitest';
import { LARGE_BYTES } from '../../src/upstream/large-body-lock.ts';
import { jsonReader } from '../../src/upstream/record-look-up.ts';
import { UpstreamResponse } from '../../src/upstream/response-body.ts';

function setUp() {
  const events: string[] = [];
  const entered = withResolvers();
  const answer = new UpstreamResponse({
    reader: jsonReader((json) => {
      events.push('decode');
      return json;
    }),
    maxBytes: 10 * LARGE_BYTES,
    largeBodyLock: {
      acquire: () => {
        events.push('enter');
        return entered.promise;
      },
      release: () => void events.push('leave'),
    },
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
    start() {
      answer.onRequestStart(controller);
      answer.onResponseStart(controller, 200, { 'content-type': 'application/json' });
    },
    read: (bytes: number, text = '') => {
      events.push('read');
      answer.onResponseData(controller, Buffer.from(text.padEnd(bytes)));
    },
    /** The rest of what happens, in order; `turn` is the next turn of the event loop. */
    async end(): Promise<readonly string[]> {
      setImmediate(() => events.push('turn'));
      answer.onResponseEnd();
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
  expect(await end()).toEqual(['read', 'read', 'free', 'whole', 'turn', 'decode', 'answered']);
});

test('a large one enters once it is, rests before it is parsed and after, and leaves', async () => {
  const { start, read, end, letIn, events } = setUp();
  start();
  read(LARGE_BYTES, '{}');
  read(1);
  expect(events.splice(0)).toEqual(['read', 'read', 'pause', 'enter']);
  await letIn();
  expect(events.splice(0)).toEqual(['resume']);
  read(LARGE_BYTES);
  expect(await end()).toEqual(['read', 'free', 'whole', 'turn', 'decode', 'leave', 'answered']);
});

test('a large one that is ended while it waits to enter leaves as soon as it is in', async () => {
  const { answer, start, read, letIn, events } = setUp();
  start();
  read(LARGE_BYTES + 1, '{}');
  answer.end(new Error('gone'));
  await expect(answer.outcome).rejects.toThrow('gone');
  expect(events.splice(0)).toEqual(['read', 'pause', 'enter', 'abort']);
  await letIn();
  expect(events).toEqual(['leave']);
});

test('a large one that is ended after it has entered leaves at once', async () => {
  const { answer, start, read, letIn, events } = setUp();
  start();
  read(LARGE_BYTES + 1, '{}');
  await letIn();
  answer.end(new Error('gone'));
  await expect(answer.outcome).rejects.toThrow('gone');
  expect(events).toEqual(['read', 'pause', 'enter', 'resume', 'leave', 'abort']);
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
