// Reads the files of the embedded directory. The gateway does not start if a line is invalid.

import { open, readFile } from 'node:fs/promises';
import { canonicalName, type HandleName } from 'doi-names';
import { toHandleName } from 'doi-names/parts';
import { asObject, asString, freezeJson, MalformedRecordError, parseFileJson } from '../handle/json.ts';
import { decodeStoredRecord, type StoredRecord } from '../handle/record.ts';
import type { AgencyObject } from '../works/agency-json.ts';
import { citationText } from '../works/citation-text.ts';
import { crossrefReferences } from '../works/references.ts';
import { readCrossrefRelations } from '../works/relations.ts';
import { NOT_REPORTED, readCrossrefUpdates } from '../works/retractions-and-updates.ts';
import type { CslItem, WorkHistory } from '../works/work.ts';

/** An error for the operator. The message has the file, the reason and, for JSON Lines, the line. */
export class DirectoryFileError extends Error {
  override readonly name = 'DirectoryFileError';
}

/** Reads records from JSON Lines of `{"handle", "values"}`, and skips blank lines. The keys are canonical names. */
export function loadRecords(file: string): Promise<ReadonlyMap<HandleName, StoredRecord>> {
  return loadByName(file, (json) => {
    const record = decodeStoredRecord(json);
    return [record.handle, record];
  });
}

async function loadByName<Stored>(
  file: string,
  read: (json: unknown) => readonly [HandleName, Stored],
): Promise<ReadonlyMap<HandleName, Stored>> {
  const all = new Map<HandleName, Stored>();
  let lineNumber = 0;
  for await (const bytes of linesOf(file)) {
    lineNumber += 1;
    const entry = readAt(`${file}:${lineNumber}`, () => {
      const text = utf8Text(bytes);
      return text.trim() === '' ? null : read(parseFileJson(text));
    });
    if (entry === null) continue;
    const [handle, stored] = entry;
    const key = canonicalName(handle);
    if (all.has(key))
      throw new DirectoryFileError(`${file}:${lineNumber}: the file has the handle ${handle} twice`);
    all.set(key, stored);
  }
  return all;
}

/** The metadata of a work: its CSL, its updates and relations, and its citations. */
export interface StoredMetadata {
  readonly csl: CslItem;
  readonly history: WorkHistory;
  /** what `crossrefReferences` returns */
  readonly references: AgencyObject;
  /** Each key is a style and a locale, such as `apa en-US`. */
  readonly citations: ReadonlyMap<string, string>;
}

/**
 * Reads metadata from JSON Lines of `{"handle", "csl"}`. A line can also have `citations`, and the members `updated-by`,
 * `update-to`, `relation` and `reference` of Crossref's API. `"updated-by": []` means that no update is recorded. The keys are
 * canonical names.
 */
export function loadMetadata(file: string): Promise<ReadonlyMap<HandleName, StoredMetadata>> {
  return loadByName(file, readMetadata);
}

/** Reads the agency label of each prefix, from a JSON object such as `{"10.1002": "Crossref"}`. */
export async function loadAgencies(file: string): Promise<ReadonlyMap<string, string>> {
  const bytes = await readFile(file).catch((error) => throwUnreadable(file, error));
  return readAt(file, () => {
    const agencies = Object.entries(asObject(parseFileJson(utf8Text(bytes)), 'the file'));
    return new Map(agencies.map(([prefix, label]) => [toPrefix(prefix), asString(label, prefix)]));
  });
}

function readMetadata(json: unknown): readonly [HandleName, StoredMetadata] {
  const line = asObject(json, 'the line');
  const { handle, csl, citations = {} } = line;
  const name = toHandleName(asString(handle, 'the handle'));
  if (name === null) throw new MalformedRecordError('the member "handle" is not a handle name');
  const texts = Object.entries(asObject(citations, 'citations'));
  const metadata: StoredMetadata = {
    csl: freezeJson(asObject(csl, 'csl')),
    history: readHistory({ ...line, DOI: name }, name),
    references: crossrefReferences(line),
    citations: new Map(
      texts.map(([style, text]) => [style, citationText(asString(text, `the citation ${style}`))]),
    ),
  };
  return [name, metadata];
}

function readHistory(line: Readonly<Record<string, unknown>>, name: HandleName): WorkHistory {
  const { 'updated-by': updatedBy, 'update-to': updateTo, relation = {} } = line;
  for (const list of [updatedBy, updateTo]) {
    if (list !== undefined && !Array.isArray(list)) throw new MalformedRecordError('updates are not a list');
  }
  asObject(relation, 'relation');
  const relations = readCrossrefRelations(line);
  // This line has no updates, so it is unknown whether the work has updates.
  if (updatedBy === undefined && updateTo === undefined) {
    return Object.freeze({ updates: NOT_REPORTED, relations, source: 'the embedded directory' });
  }
  return Object.freeze({ updates: readCrossrefUpdates(line, name), relations });
}

/** Splits the file at line feeds. The lines are bytes, because `utf8Text` later finds invalid UTF-8. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const openFile = await open(file).catch((error) => throwUnreadable(file, error));
  let incomplete = Buffer.alloc(0);
  try {
    for await (const chunk of openFile.createReadStream({ autoClose: false })) {
      const bytes = Buffer.concat([incomplete, chunk]);
      let start = 0;
      for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      incomplete = bytes.subarray(start);
    }
    if (incomplete.length > 0) yield incomplete;
  } catch (error) {
    throwUnreadable(file, error as NodeJS.ErrnoException);
  } finally {
    await openFile.close();
  }
}

function throwUnreadable(file: string, error: NodeJS.ErrnoException): never {
  throw new DirectoryFileError(`${file}: cannot be read (${error.code})`, { cause: error });
}

function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedRecordError('the text is not UTF-8');
  }
}

function readAt<T>(where: string, read: () => T): T {
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
