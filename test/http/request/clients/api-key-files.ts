// API_KEYS_FILE for tests, and its keys.

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const KEY = 'Zm9yIHRlc3RzIGFsb25lLCBub3QgYSBzZWNyZXQuCg';

export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

export const bearer = (key = KEY) => ({ authorization: `Bearer ${key}` });

export interface KeysFile {
  readonly path: string;
  /** Replaces the content of the file. A string is written unchanged. */
  write(content: unknown): Promise<void>;
  remove(): Promise<void>;
}

/** Default content: one key, KEY, with the name `acme`. */
export async function createKeysFile(
  content: unknown = [{ name: 'acme', sha256: sha256(KEY) }],
): Promise<KeysFile> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-keys-'));
  const path = join(folder, 'keys.json');
  const write = (next: unknown) => writeFile(path, typeof next === 'string' ? next : JSON.stringify(next));
  await write(content);
  return { path, write, remove: () => rm(folder, { recursive: true }) };
}
