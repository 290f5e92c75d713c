// The input file and the output file of `doi bulk`. --resume reads from the output file how far a run came.

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { TableOptions } from '../../bulk/input-table.ts';
import {
  ENCODINGS,
  FILE_FORMATS,
  type FileFormat,
  formatOfFile,
  INPUT_FORMATS,
  type TableShape,
} from '../../bulk/table-shape.ts';
import { UsageError } from '../command.ts';
import { type Input, inputsOf } from '../read-input.ts';
import type { BulkCall } from './bulk-options.ts';

/** Files with these endings contain names within other text. */
const NO_TABLES: readonly string[] = ['.bib', '.ris', '.json'];

/** Throws a UsageError unless there is exactly one file, and it is a table. */
export function inputOf({
  operands,
  options,
  stdin,
}: Pick<BulkCall, 'operands' | 'options' | 'stdin'>): Input {
  const [input, ...more] = inputsOf(operands, stdin);
  if (!input || more.length > 0) throw new UsageError('Give exactly one file.');
  const ending = extname(input.name).toLowerCase();
  if (NO_TABLES.includes(ending) && options.from === undefined) {
    throw new UsageError(
      `${input.name} is not a table of names. To find the names in it:  doi find --names ${input.name} | doi bulk\nIf it is JSON Lines or another table, give --from.`,
    );
  }
  return input;
}

export function tableOptions({ options }: Pick<BulkCall, 'options'>, { name }: Input): TableOptions {
  return {
    format: INPUT_FORMATS.find((format) => format === options.from) ?? formatOfFile(name) ?? undefined,
    column: options.column,
    hasHeader: !options['no-header'],
    delimiter: delimiterOf(options.delimiter),
    encoding: ENCODINGS.find((encoding) => encoding === options.encoding),
  };
}

function delimiterOf(option: string | undefined): string | undefined {
  if (option === undefined) return undefined;
  if (/^(?:tab|\\t|\t)$/i.test(option)) return '\t';
  if (/^[^\w\s"]$/u.test(option)) return option;
  throw new UsageError('--delimiter must be one character such as ; or |, or "tab".');
}

export function formatOut({ options }: Pick<BulkCall, 'options'>, { format }: TableShape): FileFormat {
  const requested = FILE_FORMATS.find((known) => known === options.to);
  if (requested !== undefined) return requested;
  const byDefault = format === 'jsonl' ? 'jsonl' : 'csv';
  if (options.output === undefined || extname(options.output) === '') return byDefault;
  const found = FILE_FORMATS.find((known) => known === formatOfFile(options.output as string));
  if (found !== undefined) return found;
  throw new UsageError(
    `${options.output}: doi bulk cannot write the format ${extname(options.output)}. Name the file .csv, .tsv or .jsonl, or give --to.`,
  );
}

export interface OutputFile {
  /** Reads the old content from the beginning, even during a rewrite. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Cuts the file after this many bytes. `write` then appends. */
  cut(bytes: number): Promise<void>;
  /** Copies this many bytes to a second file. `write` then appends to the second file. `finish` replaces the first file. */
  rewrite(bytes: number): Promise<void>;
  write(text: string): Promise<void>;
  /** Ends the file. After `rewrite`, first copies the old content from the offset `from` on. */
  finish(from: number): Promise<void>;
  /** Without `finish` before it, a rewritten file keeps its old content. */
  close(): Promise<void>;
}

/** Rejects with a UsageError if the file cannot be written, or if it exists and `resume` is false. */
export async function openOutputFile(name: string, resume: boolean): Promise<OutputFile> {
  // In append mode, each write goes to the end of the file, even after a cut.
  const file = await opened(name, resume ? 'a+' : 'ax+');
  const secondName = `${name}.part`;
  let second: FileHandle | null = null;
  const guarded = <Result>(work: Promise<Result>) => work.catch((error: unknown) => fail(name, error));

  async function copy(to: FileHandle, start: number, end: number): Promise<void> {
    if (start >= end) return;
    const source = file.createReadStream({ start, end: end - 1, autoClose: false });
    for await (const part of source) await to.appendFile(part as Uint8Array);
  }

  return {
    bytes: () => file.createReadStream({ start: 0, autoClose: false }),
    cut: (bytes) => guarded(file.truncate(bytes)),
    async rewrite(bytes) {
      const { mode } = await file.stat();
      await rm(secondName, { force: true });
      second = await opened(secondName, 'ax', mode);
      await guarded(copy(second, 0, bytes));
    },
    write: (text) => guarded((second ?? file).appendFile(text)),
    async finish(from) {
      if (second === null) return;
      const { size } = await file.stat();
      await guarded(copy(second, from, size));
      await guarded(second.sync());
      await second.close();
      second = null;
      await guarded(rename(secondName, name));
    },
    async close() {
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
