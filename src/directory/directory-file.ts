// Reads the embedded directory's two files, and refuses to start on a line that is wrong.

import { open, readFile } from 'node:fs/promises';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { MalformedRecordError, parseJson } from '../handle/json.ts';
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
  for await (const text of linesOf(file)) {
    line += 1;
    if (text.trim() === '') continue;
    const record = readOrThrow(`${file}:${line}`, () => decodeStoredRecord(parseJson(withoutBom(text))));
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
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new DirectoryFileError(`${file}: cannot be read (${error.code})`);
  });
  return readOrThrow(file, () => {
    const agencies = Object.entries(asObject(parseJson(withoutBom(text)), 'the file'));
    return new Map(agencies.map(([prefix, label]) => [toPrefix(prefix), asString(label, prefix)]));
  });
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file).catch((error) => {
    throw new DirectoryFileError(`${file}: cannot be read (${error.code})`);
  });
  try {
    yield* handle.readLines();
  } finally {
    await handle.close();
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

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
