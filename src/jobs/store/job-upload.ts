// Writes the rows of an upload as lines of JSON to one file, and notes the offset of each chunk.

import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_STEPS } from './chunk-files.ts';

/** the file of the rows in the folder of a job */
export const INPUT = 'input.jsonl';

/**
 * The largest number of rows in a chunk. The agencies allow one to three searches per second. A chunk of 50 references takes
 * less than a minute, and other jobs wait for so long.
 */
export const CHUNK_ROWS = { names: 1_000, references: 50 };
/** The largest number of characters in a chunk. Rows can be long, so this limits the memory of a worker. */
const CHUNK_CHARACTERS = 500_000;
/** The largest number of cells in a chunk. Rows can have many columns, so this limits the time to write a result. */
const CHUNK_CELLS = 50_000;

export type JobUpload = Awaited<ReturnType<typeof createJobUpload>>;

export async function createJobUpload(folder: string) {
  await mkdir(folder);
  const file = await open(join(folder, INPUT), 'wx');
  /** the rows of the next chunk */
  let nextRows: string[] = [];
  let nextCharacters = 0;
  let nextCells = 0;

  async function endChunk(): Promise<void> {
    const content = Buffer.from(`${nextRows.join('\n')}\n`);
    nextRows = [];
    nextCharacters = 0;
    nextCells = 0;
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
     * @param maxRows the largest number of rows in a chunk
     */
    async add(row: string, cells: number, maxRows = CHUNK_ROWS.names): Promise<void> {
      nextRows.push(row);
      nextCharacters += row.length + 1;
      nextCells += cells;
      upload.rows += 1;
      const isFull =
        nextRows.length === maxRows || nextCharacters > CHUNK_CHARACTERS || nextCells > CHUNK_CELLS;
      if (isFull) await endChunk();
    },

    /** Writes the last chunk. When this resolves, the file is on disk. */
    async finish(): Promise<void> {
      if (nextRows.length > 0) await endChunk();
      await file.sync();
      await FILE_STEPS.syncFolder(folder);
    },

    close: (): Promise<void> => file.close(),
  };
  return upload;
}
