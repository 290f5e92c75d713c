// The progress of `doi bulk`.

import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from '../../../src/tools/cli/bulk/progress.ts';
import type { Output } from '../../../src/tools/cli/output.ts';

test('the progress has an estimate only after five seconds', () => {
  let [time, text] = [10_000, ''];
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      text = piece;
      done();
    },
  });
  const stderr = { isTerminal: true, columns: 80, stream } as unknown as Output;
  const progress = createProgress(stderr, 1_000, () => time);
  time += 4_999;
  progress.at(100, 100);
  expect(text).toBe('\r\u001B[K100 lines, 20 a second');
  time += 5_001;
  progress.at(200, 200);
  expect(text).toBe('\r\u001B[K200 lines, 20 a second, 40 s left');
});
