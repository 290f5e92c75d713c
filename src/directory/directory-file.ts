// Reads the embedded directory's two files, and refuses to start on a line that is wrong.

import { open, readFile } from 'node:fs/promises';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { MalformedRecordError, parseFileJson } from '../handle/json.ts';
import { decodeStoredRecord, type StoredRecord } from '../handle/record.ts';
import { asObject, asString } from '../handle/shape.ts';

/** The message names file, line (where there is one) and reason, and is meant for whoever starts the gateway. */
export class DirectoryFileError extends Error {
  override readonly name = 'DirectoryFileError';
}

/** Records by canonical name, from JSON Lines of `{"handle", "values"}`; blank lines are passed over. */
export async function loadRecords(file: string): Promise<ReadonlyMap<HandleName, StoredRecord>> {
  const records = new Map<HandleName, StoredRecord>();
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line += 1;
    const record = readOrThrow(`${file}:${line}`, () => readRecord(utf8Text(bytes)));
    if (record === null) continue;
    const key = canonicalName(record.handle);
    if (records.has(key)) {
      throw new DirectoryFileError(`${file}:${line}: the handle ${record.handle} is there twice`);
    }
    records.set(key, record);
  }
  return records;
}

/** Agency labels by prefix, from a JSON object such as `{"10.1002": "Crossref"}`. */
export async function loadAgencies(file: string): Promise<ReadonlyMap<string, string>> {
  const bytes = await readFile(file).catch((error) => {
    throw unreadable(file, error);
  });
  return readOrThrow(file, () => {
    const agencies = Object.entries(asObject(parseFileJson(utf8Text(bytes)), 'the file'));
    return new Map(agencies.map(([prefix, label]) => [toPrefix(prefix), asString(label, prefix)]));
  });
}

function readRecord(line: string): StoredRecord | null {
  return line.trim() === '' ? null : decodeStoredRecord(parseFileJson(line));
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file).catch((error) => {
    throw unreadable(file, error);
  });
  try {
    yield* splitLines(handle.createReadStream({ autoClose: false }));
  } catch (error) {
    throw isSystemError(error) ? unreadable(file, error) : error;
  } finally {
    await handle.close();
  }
}

/** Lines as bytes, ended by line feeds alone, so that no byte is lost before it is looked at. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest;
}

function unreadable(file: string, error: NodeJS.ErrnoException): DirectoryFileError {
  return new DirectoryFileError(`${file}: cannot be read (${error.code})`, { cause: error });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedRecordError('not UTF-8');
  }
}

function readOrThrow<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw new DirectoryFileError(`${where}: ${error.message}`, { cause: error });
  }
}

function toPrefix(text: string): string {
  if (/^10(?:\.[0-9]+)+$/.test(text)) return text;
  throw new MalformedRecordError(`"${text}" is not a DOI prefix`);
}
