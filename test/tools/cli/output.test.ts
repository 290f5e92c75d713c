// A command writes no faster than its reader reads.

import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutput, OutputClosedError } from '../../../src/tools/cli/output.ts';

/** A reader that reads only when the test calls `take`. */
function slowReader() {
  let take = (): void => undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(_text, _encoding, done) {
      take = done;
    },
  });
  return { stream, take: () => take() };
}

const written = (stream: Writable) => {
  const output = createOutput(stream, { colours: false, content: 'data' });
  let state = 'waits';
  const ended = output.write('text').then(
    () => {
      state = 'written';
    },
    (error: unknown) => {
      state = error instanceof OutputClosedError ? 'closed' : String(error);
    },
  );
  return { state: () => state, ended };
};

test('a write waits until the reader reads more', async () => {
  const { stream, take } = slowReader();
  const { state, ended } = written(stream);
  await new Promise(setImmediate);
  expect(state()).toBe('waits');
  take();
  await ended;
  expect(state()).toBe('written');
});

test('a waiting write rejects when the reader closes the pipe', async () => {
  const { stream } = slowReader();
  const { state, ended } = written(stream);
  stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await ended;
  expect(state()).toBe('closed');
});
