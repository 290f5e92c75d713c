// The file that a run writes, which is also all that is known of how far it came.

import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from '../command.ts';

export interface OutputFile {
  /** Its bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Keeps so many bytes of it, and writes behind them. */
  cut(bytes: number): Promise<void>;
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with a UsageError where it cannot be written, or is there already and is not to be gone on with. */
export async function openOutputFile(name: string, resume: boolean): Promise<OutputFile> {
  const file = await opened(name, resume);
  return {
    bytes: () => file.createReadStream({ start: 0, autoClose: false }),
    cut: (bytes) => file.truncate(bytes).catch((error: unknown) => fail(name, error)),
    write: (text) => file.appendFile(text).catch((error: unknown) => fail(name, error)),
    close: () => file.close(),
  };
}

async function opened(name: string, resume: boolean): Promise<FileHandle> {
  try {
    // What is appended comes behind the end, wherever that was cut.
    return await open(name, resume ? 'a+' : 'ax+');
  } catch (error) {
    return fail(name, error);
  }
}

function fail(name: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EEXIST') {
    throw new UsageError(`${name} is there already. Go on with it by --resume, or give another --output.`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new UsageError(`${name} cannot be written: ${reason}`, { cause: error });
}
