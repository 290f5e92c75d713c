// Writes the rows of an upload as lines of JSON to one file, and notes the offset of each chunk.

import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_STEPS } from './chunk-files.ts';

const CHUNK_ROWS = 1_000;
/** The largest number of characters in a chunk. Rows can be long, so this limits the memory of a worker. */
const CHUNK_CHARACTERS = 500_000;
/** The largest number of cells in a chunk. Rows can have many columns, so this limits the time to write a result. */
const CHUNK_CELLS = 50_000;

export const INPUT = 'input.jsonl';

export type JobUpload = Awaited<ReturnType<typeof createJobUpload>>;

export async function createJobUpload(folder: string) {
  await mkdir(folder);
  const file = await open(join(folder, INPUT), 'wx');
  /** the rows of the next chunk */
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let waitingCells = 0;

  async function endChunk(): Promise<void> {
    const content = Buffer.from(`${waiting.join('\n')}\n`);
    waiting = [];
    waitingCharacters = 0;
    waitingCells = 0;
    await file.writeFile(content);
    upload.bytes += content.length;
    upload.offsets.push(upload.bytes);
  }

  const upload = {
    /** the bytes written so far */
    bytes: 0,
    rows: 0,
    /** the offset of each chunk in the file, and then the length of the file */
    offsets: [0],

    /**
     * @param row a text without a line break
     * @param cells the number of cells of the row in the result
     */
    async add(row: string, cells: number): Promise<void> {
      waiting.push(row);
      waitingCharacters += row.length + 1;
      waitingCells += cells;
      upload.rows += 1;
      const isFull =
        waiting.length === CHUNK_ROWS || waitingCharacters > CHUNK_CHARACTERS || waitingCells > CHUNK_CELLS;
      if (isFull) await endChunk();
    },

    /** Writes the last chunk. When this resolves, the file is on disk. */
    async finish(): Promise<void> {
      if (waiting.length > 0) await endChunk();
      await file.sync();
      await FILE_STEPS.syncFolder(folder);
    },

    close: (): Promise<void> => file.close(),
  };
  return upload;
}
