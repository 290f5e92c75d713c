// Files of API keys for tests, and the keys to them.

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const KEY = 'Zm9yIHRlc3RzIGFsb25lLCBub3QgYSBzZWNyZXQuCg';

export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

export const bearer = (key = KEY) => ({ authorization: `Bearer ${key}` });

export interface KeysFile {
  readonly path: string;
  /** what stands there from now on; a text goes in as it is */
  write(content: unknown): Promise<void>;
  remove(): Promise<void>;
}

/** A file with one key, KEY, of `acme`, unless something else is given. */
export async function createKeysFile(
  content: unknown = [{ name: 'acme', sha256: sha256(KEY) }],
): Promise<KeysFile> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-keys-'));
  const path = join(folder, 'keys.json');
  const write = (what: unknown) => writeFile(path, typeof what === 'string' ? what : JSON.stringify(what));
  await write(content);
  return { path, write, remove: () => rm(folder, { recursive: true }) };
}
