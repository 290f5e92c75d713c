// The gateway reserves bytes for the result of a row before the look-up. A larger result fails.

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnswerChunk, prepareTask, storedRow } from '../../src/jobs/answer-chunk.ts';
import type { JobTask } from '../../src/jobs/store/job-store.ts';
import { FIELDS } from '../../src/tools/bulk/fields.ts';
import { openTable } from '../../src/tools/bulk/input-table.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../../src/tools/bulk/table-shape.ts';
import { type SendOperation, sendInProcess } from '../../src/tools/gateway-client/send-operation.ts';
import { createTurns } from '../../src/turns.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { bytesOf } from '../tools/bulk/read-table.ts';
import { newJobKey } from './job-folder.ts';

interface Job {
  readonly text: string;
  readonly fields: string;
  readonly format: OutputFormat;
}

/** The first chunk of a job, and the largest number of bytes of its rows. */
async function chunkOf({ text, fields, format }: Job, send: SendOperation) {
  const { shape, rows } = await openTable(bytesOf(Buffer.from(text)), { column: 'doi' });
  const task: JobTask = { shape, fields, format, excel: true, prefix: 'x_', form: null };
  const { writer, size } = prepareTask(task);
  const kept: string[] = [];
  let most = Buffer.byteLength(writer.header);
  for await (const batch of rows) {
    for (const row of batch.map((each) => writer.checked(each))) {
      kept.push(storedRow(row));
      most += size.bytesOf(kept.at(-1) as string, row.name);
    }
  }
  const { signal } = new AbortController();
  const answer = createAnswerChunk(() => send, createTurns());
  const chunk = await answer({ task, rows: kept, chunk: 0, jobKey: newJobKey(), signal });
  return { most, chunk, text: Buffer.from(chunk.body).toString() };
}

const computed = FIELDS.filter(({ isLookUp }) => !isLookUp).map(({ name }) => name);
const suffixes = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.stringMatching(/^[<>"%#? =é漢Ａ]{1,12}$/),
);

test('the reserved bytes suffice for computed fields, with any name and table', async () => {
  const { app, close } = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(close);
  const send = sendInProcess(app.fetch);
  const cells = fc.array(
    suffixes.map((suffix) => `10.1000/${suffix}`),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(
      cells,
      fc.constantFrom(...OUTPUT_FORMATS),
      fc.boolean(),
      async (names, format, isJson) => {
        const line = (name: string) =>
          isJson ? JSON.stringify({ doi: name, n: 1 }) : `"${name.replaceAll('"', '""')}",=1`;
        const text = `${isJson ? '' : 'doi,n\n'}${names.map(line).join('\n')}\n${isJson ? '{}' : 'broken'}\n`;
        const { most, chunk } = await chunkOf({ text, fields: computed.join(), format }, send);
        expect(chunk.body.length).toBeLessThanOrEqual(most);
        expect(chunk.isTooLarge).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});

describe('a result that is longer than its reserved bytes', () => {
  const target = (lengths: readonly number[]): SendOperation => {
    return async (_, { inputs }) => {
      const parseDois = (inputs as string[]).map((name, index) => ({
        problem: null,
        doi: { name, redirect: { url: `https://x/${'y'.repeat(lengths[index] ?? 0)}` } },
      }));
      return { data: { parseDois } as never, errors: [] };
    };
  };
  const job = (rows: number): Job => ({
    text: `doi\n${Array.from({ length: rows }, (_, n) => `10.1000/${n}\n`).join('')}`,
    fields: 'target',
    format: 'csv',
  });

  test('uses the bytes that shorter results do not need', async () => {
    const { chunk } = await chunkOf(job(2), target([4_000, 10]));
    expect([chunk.summary.failed, chunk.isTooLarge]).toEqual([0, false]);
  });

  test('fails only its row if no bytes are left', async () => {
    const { chunk, text } = await chunkOf(job(3), target([10, 9_000, 10]));
    expect([chunk.summary.failed, chunk.retryableRows, chunk.isTooLarge]).toEqual([1, 0, false]);
    expect(text).toBe(
      '\uFEFFdoi,x_target,x_error\n10.1000/0,https://x/yyyyyyyyyy,\n10.1000/1,,LIMIT_EXCEEDED\n10.1000/2,https://x/yyyyyyyyyy,\n',
    );
  });
});

test('a chunk is too large if its numbers become so long in the result that they exceed the limit', async () => {
  const send: SendOperation = async () => ({
    data: { parseDois: [{ problem: null, doi: { name: 'x' } }] } as never,
    errors: [],
  });
  const numbers = Array.from({ length: 2_000 }, () => '1e20').join();
  const { chunk } = await chunkOf(
    { text: `{"doi":"x","list":[${numbers}]}\n`, fields: 'name', format: 'csv' },
    send,
  );
  expect(chunk.isTooLarge).toBe(true);
});
