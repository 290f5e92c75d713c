// The output file of `doi bulk`. With --resume, the command reads the file to find the row at which the run continues.

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { UsageError } from '../command.ts';

export type OutputFile = Awaited<ReturnType<typeof openOutputFile>>;

/** Rejects with a UsageError if the file cannot be written, or if it exists and `resume` is false. */
export async function openOutputFile(name: string, resume: boolean) {
  // In append mode, each write goes to the end of the file, even after a cut.
  const file = await opened(name, resume ? 'a+' : 'ax+');
  const secondName = `${name}.part`;
  let second: FileHandle | null = null;
  const guarded = <Result>(promise: Promise<Result>) => promise.catch((error: unknown) => fail(name, error));

  async function copy(to: FileHandle, start: number, end: number): Promise<void> {
    if (start >= end) return;
    const source = file.createReadStream({ start, end: end - 1, autoClose: false });
    for await (const part of source) await to.appendFile(part as Uint8Array);
  }

  return {
    /** Reads the old content from the beginning, even during a rewrite. */
    bytes: (): AsyncIterable<Uint8Array> => file.createReadStream({ start: 0, autoClose: false }),
    /** Cuts the file after this many bytes. `write` then appends. */
    cut: (bytes: number): Promise<void> => guarded(file.truncate(bytes)),
    /** Copies this many bytes to a second file. `write` then appends to the second file. `finish` replaces the first file. */
    async rewrite(bytes: number): Promise<void> {
      const { mode } = await file.stat();
      await rm(secondName, { force: true });
      second = await opened(secondName, 'ax', mode);
      await guarded(copy(second, 0, bytes));
    },
    write: (text: string): Promise<void> => guarded((second ?? file).appendFile(text)),
    /** Ends a rewrite: copies the old content from the offset `from` on, and replaces the first file. */
    async finish(from: number): Promise<void> {
      if (second === null) return;
      const { size } = await file.stat();
      await guarded(copy(second, from, size));
      await guarded(second.sync());
      await second.close();
      second = null;
      await guarded(rename(secondName, name));
    },
    /** Closes the file. If the caller called `rewrite` but not `finish`, the file keeps its old content. */
    async close(): Promise<void> {
      if (second !== null) {
        await second.close();
        await rm(secondName, { force: true });
      }
      await file.close();
    },
  };
}

async function opened(name: string, flags: string, mode = 0o666): Promise<FileHandle> {
  try {
    return await open(name, flags, mode);
  } catch (error) {
    return fail(name, error);
  }
}

function fail(name: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EEXIST') {
    throw new UsageError(`${name} exists already. Continue it with --resume, or give another --output.`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new UsageError(`${name} cannot be written: ${reason}`, { cause: error });
}
