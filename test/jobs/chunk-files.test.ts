// A file has the results of a chunk. After a crash at any step, the file is complete or absent. It never changes.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ChunkSummary,
  chunkFileName,
  chunksIn,
  FILE_STEPS,
  type FileSteps,
  HEAD_BYTES,
  readChunkHead,
  writeChunk,
} from '../../src/jobs/store/chunk-files.ts';
import { CHUNK_ROWS } from '../../src/jobs/store/job-upload.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'doi-gateway-chunks-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const newFolder = (): Promise<string> => mkdtemp(join(root, 'job-'));

const SUMMARY: ChunkSummary = {
  ...countsBy(() => 0),
  added: 0,
  rows: 3,
  found: 1,
  absent: 1,
  invalid: 1,
  failed: 0,
};
const CRASH = new Error('the process ended');

/** The real steps, but all steps after the first `steps` fail. A failed `create` leaves a part of its file. */
function crashingAfter(steps: number): FileSteps {
  let left = steps;
  const counted =
    <Args extends readonly unknown[]>(
      step: (...args: Args) => Promise<void>,
      half?: (...args: Args) => Promise<void>,
    ) =>
    async (...args: Args): Promise<void> => {
      if (left === 0) {
        left = -1;
        await half?.(...args);
      }
      if (left < 0) throw CRASH;
      left -= 1;
      await step(...args);
    };
  return {
    create: counted(FILE_STEPS.create, (path, [first]) =>
      writeFile(path, (first as Uint8Array).subarray(0, 7)),
    ),
    link: counted(FILE_STEPS.link),
    remove: counted(FILE_STEPS.remove),
    syncFolder: counted(FILE_STEPS.syncFolder),
  };
}

async function bodyOf(folder: string, chunk: number): Promise<string> {
  return (await readFile(join(folder, chunkFileName(chunk)))).subarray(HEAD_BYTES).toString();
}

test('after a crash at any step, a chunk is absent or complete, and a worker can write the chunk again', async () => {
  const scenario = fc.record({
    steps: fc.integer({ min: 0, max: 4 }),
    first: fc.string(),
    second: fc.string(),
    chunk: fc.nat(99_999_999),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ steps, first, second, chunk }) => {
      const folder = await newFolder();
      const crash = writeChunk(folder, chunk, Buffer.from(first), SUMMARY, crashingAfter(steps));
      await crash.catch((error: unknown) => expect(error).toBe(CRASH));

      const head = await readChunkHead(folder, chunk);
      expect(await chunksIn(folder)).toEqual(head === null ? [] : [chunk]);
      if (head) {
        expect(head).toEqual({ ...SUMMARY, bytes: Buffer.byteLength(first) });
        expect(await bodyOf(folder, chunk)).toBe(first);
      }

      // Another worker writes another result of the chunk.
      await writeChunk(folder, chunk, Buffer.from(second), SUMMARY);
      expect(await bodyOf(folder, chunk)).toBe(head === null ? second : first);
      expect(await chunksIn(folder)).toEqual([chunk]);
    }),
    { numRuns: 40 },
  );
});

test('if several workers write a chunk at the same time, only one file remains, and all calls resolve', async () => {
  const folder = await newFolder();
  const bodies = ['one', 'two', 'three', 'four'];
  await Promise.all(bodies.map((body) => writeChunk(folder, 0, Buffer.from(body), SUMMARY)));
  expect(bodies).toContain(await bodyOf(folder, 0));
  expect(await readdir(folder)).toEqual([chunkFileName(0)]);
});

const OF_REFERENCES = { differs: 0, several: 0, notFound: 0 };
/** A chunk has at most 50,000 cells in rows of at least three. */
const LARGEST_OF_NAMES = { ...countsBy(() => 1_852), ...OF_REFERENCES, rows: 16_668, added: 16_500 };
const LARGEST_OF_REFERENCES = { ...countsBy(() => 4), rows: CHUNK_ROWS.references, added: 0 };

test.each([
  ['names, whose cells are split', LARGEST_OF_NAMES],
  ['references', LARGEST_OF_REFERENCES],
])('the head of a file has space for the counts of the largest chunk with %s', async (_, largest) => {
  const folder = await newFolder();
  await writeChunk(folder, 7, Buffer.from('x'), largest);
  expect(await bodyOf(folder, 7)).toBe('x');
  expect(await readChunkHead(folder, 7)).toEqual({ ...largest, bytes: 1 });
});

test.each([
  ['the other outcomes', {}],
  ['the outcomes of references', { m: [0, 0, 0, 0, 0, 2] }],
])('if an earlier version wrote the file, the head counts no rows for %s', async (_, list) => {
  const folder = await newFolder();
  const earlier = { rows: 3, found: 1, absent: 1, invalid: 1, failed: 0, bytes: 0 };
  await writeFile(join(folder, chunkFileName(0)), `${JSON.stringify({ ...earlier, ...list }).padEnd(127)}\n`);
  const added = 'm' in list ? 2 : 0;
  expect(await readChunkHead(folder, 0)).toEqual({ ...countsBy(() => 0), ...earlier, added });
});

test('a failed write of a chunk rejects, unless the file exists', async () => {
  await expect(writeChunk(join(root, 'gone'), 0, Buffer.from(''), SUMMARY)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
