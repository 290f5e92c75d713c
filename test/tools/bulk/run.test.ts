// A run divides its rows into chunks. It ends early after a stop.

import { expect, test } from 'vitest';
import { readFields } from '../../../src/tools/bulk/fields.ts';
import { createRowWriter } from '../../../src/tools/bulk/row-writer.ts';
import { runBulk } from '../../../src/tools/bulk/run.ts';
import { tableOf } from './read-table.ts';

test('after `hardStop`, the run does not wait for running operations, and writes none of their rows', async () => {
  const fields = readFields('exists');
  const { shape, rows } = await tableOf('10.1000/1\n10.1000/2\n');
  const [stop, leave] = [new AbortController(), new AbortController()];
  const written: string[] = [];
  const ended = await runBulk({
    rows,
    fields,
    writer: createRowWriter(shape, fields, { format: 'csv' }),
    gateway: {
      send: (_query, _variables, signal) => {
        stop.abort();
        queueMicrotask(() => leave.abort());
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
      wait: async () => undefined,
    },
    stop: stop.signal,
    hardStop: leave.signal,
    answerStore: null,
    write: async (text) => void written.push(text),
  });
  expect([ended, written]).toEqual(['ended', []]);
});

test('long rows make shorter chunks, and a row that is too long has its own chunk', async () => {
  const fields = readFields('name');
  const lines = [600_000, 200_000, 200_000, 200_000].map((length) => `10.1000/1,${'x'.repeat(length)}\n`);
  const { shape, rows } = await tableOf(`doi,note\n${lines.join('')}`, {}, 65_536);
  const chunks: number[] = [];
  await runBulk({
    rows,
    fields,
    writer: createRowWriter(shape, fields, { format: 'csv' }),
    gateway: {
      send: async (_query, { inputs }) => {
        const parseDois = (inputs as string[]).map((name) => ({ problem: null, doi: { name } }));
        return { data: { parseDois } as never, errors: [] };
      },
      wait: async () => undefined,
    },
    stop: new AbortController().signal,
    answerStore: null,
    write: async (_text, { length }) => void chunks.push(length),
  });
  expect(chunks).toEqual([1, 2, 1]);
});
