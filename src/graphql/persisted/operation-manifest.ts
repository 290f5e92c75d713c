// Reads the manifest of operations at the start. PERSISTED_OPERATIONS names the file of the manifest. The build of a client
// writes this file.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** An error for the operator. The message has the variable, the file, and one line for each unusable operation. */
export class OperationManifestError extends Error {
  override readonly name = 'OperationManifestError';

  constructor(file: string, faults: readonly string[]) {
    const listed = faults.slice(0, MAX_LISTED_FAULTS).map((fault) => `  ${fault}`);
    const more = faults.length > MAX_LISTED_FAULTS ? [`  and ${faults.length - MAX_LISTED_FAULTS} more`] : [];
    super([`PERSISTED_OPERATIONS="${file}" cannot be used:`, ...listed, ...more].join('\n'));
  }
}

export interface OperationManifest {
  /** the number of ids */
  readonly size: number;
  /** the text of an operation by its id, or by the SHA-256 of its text */
  find(id: string): string | undefined;
  /** whether a text is exactly the text of an operation */
  has(text: string): boolean;
}

/** For a gateway without `PERSISTED_OPERATIONS`. */
export const NO_MANIFEST: OperationManifest = { size: 0, find: () => undefined, has: () => false };

const MAX_LISTED_FAULTS = 50;
const MAX_BYTES = 20_000_000;
const MAX_OPERATIONS = 20_000;
const MAX_ID_CHARACTERS = 256;

type Entry = readonly [id: unknown, document: unknown];

/**
 * Reads a JSON object with ids as keys and documents as values (graphql-codegen, Relay), or a manifest of Apollo.
 * Rejects with an OperationManifestError that lists all faults.
 * @param faultOf returns the fault of a document; null if the document can be executed
 */
export async function loadOperationManifest(
  file: string,
  faultOf: (document: string) => string | null,
): Promise<OperationManifest> {
  const faults: string[] = [];
  const byId = new Map<string, string>();
  for (const [index, [id, document]] of readEntries(file, await readJson(file)).entries()) {
    if (typeof id !== 'string') {
      faults.push(`operation ${index} has no id`);
      continue;
    }
    const isText = typeof document === 'string';
    const fault = idFault(id, byId) ?? (isText ? faultOf(document) : 'the document is not a string');
    if (isText && fault === null) byId.set(id, document);
    else faults.push(`"${id.slice(0, MAX_ID_CHARACTERS)}": ${fault}`);
  }
  if (faults.length > 0) throw new OperationManifestError(file, faults);
  const texts = new Set(byId.values());
  const byHash = new Map([...texts].map((text) => [sha256(text), text]));
  return { size: byId.size, find: (id) => byId.get(id) ?? byHash.get(id), has: (text) => texts.has(text) };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES)
      throw new OperationManifestError(file, [`the file has more than ${MAX_BYTES} bytes`]);
    const bytes = await readFile(file);
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof OperationManifestError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isSystemError = error instanceof Error && 'syscall' in error;
    throw new OperationManifestError(file, [
      isSystemError ? `the file cannot be read (${code})` : 'the file is not JSON in UTF-8',
    ]);
  }
}

function readEntries(file: string, json: unknown): readonly Entry[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new OperationManifestError(file, ['the file is not a JSON object']);
  }
  const { format, version, operations } = json as Readonly<Record<string, unknown>>;
  const entries =
    format === 'apollo-persisted-query-manifest'
      ? apolloEntries(file, version, operations)
      : Object.entries(json);
  if (entries.length > MAX_OPERATIONS) {
    throw new OperationManifestError(file, [`the file has more than ${MAX_OPERATIONS} operations`]);
  }
  return entries;
}

function apolloEntries(file: string, version: unknown, operations: unknown): readonly Entry[] {
  if (version !== 1) throw new OperationManifestError(file, ['the "version" of the manifest is not 1']);
  if (!Array.isArray(operations)) {
    throw new OperationManifestError(file, ['the "operations" of the manifest are not a list']);
  }
  return operations.map((operation: unknown): Entry => {
    const { id, body } = (operation ?? {}) as { readonly id?: unknown; readonly body?: unknown };
    return [id, body];
  });
}

function idFault(id: string, known: ReadonlyMap<string, string>): string | null {
  if (id === '' || id.length > MAX_ID_CHARACTERS)
    return `the id must have 1 to ${MAX_ID_CHARACTERS} characters`;
  return known.has(id) ? 'the id occurs twice' : null;
}
