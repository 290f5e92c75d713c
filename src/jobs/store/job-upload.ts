// Writes the rows of an upload as lines of JSON to one file, and notes the offset of each chunk.

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_STEPS } from './chunk-files.ts';

const CHUNK_ROWS = 1_000;
/** The largest number of characters in a chunk. Rows can be long, so this limits the memory of a worker. */
const CHUNK_CHARACTERS = 500_000;
/** The largest number of cells in a chunk. Rows can have many columns, so this limits the time to write a result. */
const CHUNK_CELLS = 50_000;

export const INPUT = 'input.jsonl';

export async function createJobUpload(folder: string): Promise<JobUpload> {
  await mkdir(folder);
  const file = await open(join(folder, INPUT), 'wx');
  return new JobUpload(folder, file);
}

export class JobUpload {
  /** the bytes written so far */
  bytes = 0;
  rows = 0;
  /** the offset of each chunk in the file, and then the length of the file */
  readonly offsets = [0];
  readonly #folder: string;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #characters = 0;
  #cells = 0;

  constructor(folder: string, file: FileHandle) {
    this.#folder = folder;
    this.#file = file;
  }

  /**
   * @param row a text without a line break
   * @param cells the number of cells of the row in the result
   */
  async add(row: string, cells: number): Promise<void> {
    this.#waiting.push(row);
    this.#characters += row.length + 1;
    this.#cells += cells;
    this.rows += 1;
    const isFull =
      this.#waiting.length === CHUNK_ROWS || this.#characters > CHUNK_CHARACTERS || this.#cells > CHUNK_CELLS;
    if (isFull) await this.#endChunk();
  }

  /** Writes the last chunk. When this resolves, the file is on disk. */
  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#endChunk();
    await this.#file.sync();
    await FILE_STEPS.syncFolder(this.#folder);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #endChunk(): Promise<void> {
    const content = Buffer.from(`${this.#waiting.join('\n')}\n`);
    this.#waiting = [];
    this.#characters = 0;
    this.#cells = 0;
    await this.#file.writeFile(content);
    this.bytes += content.length;
    this.offsets.push(this.bytes);
  }
}
