// API_KEYS_FILE: valid entries, and the messages for invalid entries.

import { expect, onTestFinished, test } from 'vitest';
import { ApiKeysError, loadApiKeys } from '../../../../src/http/request/clients/api-keys-file.ts';
import { testTable } from '../../../support/test-table.ts';
import { createKeysFile, KEY, sha256 } from './api-key-files.ts';

async function load(content: unknown) {
  const file = await createKeysFile(content);
  onTestFinished(() => file.remove());
  return { keys: loadApiKeys(file.path), file };
}

/** The message for an invalid file, without its first line, which names the file. */
async function faultsOf(content: unknown): Promise<string> {
  const { keys, file } = await load(content);
  const error = await keys.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiKeysError)) throw new Error('The file is valid.');
  const [first, ...others] = error.message.split('\n');
  expect(first).toBe(`API_KEYS_FILE="${file.path}" cannot be used:`);
  return others.map((line) => line.trim()).join('; ');
}

const HASH = sha256(KEY);

test('a key is found with its name, its policy and its expiry', async () => {
  const { keys } = await load([
    { name: 'plain', sha256: sha256('a') },
    { name: 'UPPER', sha256: sha256('b').toUpperCase(), lookupsPerSecond: 3, expires: '2027-01-31' },
    {
      name: 'burst',
      sha256: sha256('c'),
      lookupsPerSecond: 4,
      burst: 10,
      expires: '2027-01-31T12:00:00+02:00',
    },
    { name: 'free', sha256: sha256('d'), lookupsPerSecond: null },
    { name: 'long', sha256: sha256('x'.repeat(257)) },
  ]);
  const found = await keys;
  expect(found.size).toBe(5);
  expect(found.find('a')).toMatchObject({ name: 'plain', policy: 'default', expiresAt: null });
  expect(found.find('b')).toMatchObject({
    name: 'UPPER',
    policy: { quota: 30, windowSeconds: 10 },
    expiresAt: Date.parse('2027-01-31T00:00:00Z'),
  });
  expect(found.find('c')).toMatchObject({
    policy: { quota: 10, windowSeconds: 3 },
    expiresAt: Date.parse('2027-01-31T10:00:00Z'),
  });
  expect(found.find('d')).toMatchObject({ policy: null });
  // A key has at most 256 characters.
  for (const wrong of ['', 'A', 'a ', sha256('a'), 'x'.repeat(257), 'x'.repeat(100_000)]) {
    expect(found.find(wrong)).toBeUndefined();
  }
});

/** A file with one entry, which is valid without `changes`. */
const entry = (changes: object) => [{ name: 'a', sha256: HASH, ...changes }];

testTable<[content: unknown, fault: string]>([
  ['[', 'the file is not JSON in UTF-8'],
  [{ name: 'a' }, 'the file is not a JSON list'],
  [['a'], 'entry 1: must be an object'],
  [[{ sha256: HASH }], 'entry 1: "name" is missing'],
  [entry({ name: 'a b' }), 'entry 1 ("a b"): "name" must be 1 to 64'],
  [[{ name: 'a' }], 'entry 1 ("a"): "sha256" is missing'],
  [entry({ sha256: KEY }), 'entry 1 ("a"): "sha256" must be the SHA-256'],
  [entry({ rate: 1 }), 'entry 1 ("a"): "rate" is unknown'],
  [entry({ lookupsPerSecond: 0 }), '"lookupsPerSecond" must be a whole number'],
  [entry({ lookupsPerSecond: 0.5 }), '"lookupsPerSecond" must be a whole number'],
  [entry({ lookupsPerSecond: '1' }), '"lookupsPerSecond" must be a whole number'],
  [entry({ burst: 5 }), '"burst" needs "lookupsPerSecond"'],
  [entry({ lookupsPerSecond: 6, burst: 5 }), '"burst" must be at least "lookupsPerSecond"'],
  [entry({ expires: '31.1.2027' }), '"expires" must be a date such as'],
  [entry({ expires: '2027-13-31' }), '"expires" must be a date such as'],
  [entry({ expires: '2027-01-31T12:00' }), '"expires" must be a date such as'],
  [[...entry({}), ...entry({ sha256: sha256('b') })], 'entry 2 ("a"): an earlier entry has the same "name"'],
  [
    [...entry({}), ...entry({ name: 'b', sha256: HASH.toUpperCase() })],
    'entry 2 ("b"): an earlier entry has the same "sha256"',
  ],
])('the file %j is refused with the fault: %s', async (content, fault) => {
  const faults = await faultsOf(content);
  expect(faults).toContain(fault);
  // The log must not contain a key that an operator wrote into the file by mistake.
  expect(faults).not.toContain(KEY);
});

test('the message has all faults of a file, but at most twenty', async () => {
  expect(await faultsOf([{ name: 'a' }, { sha256: 'x' }])).toBe(
    'entry 1 ("a"): "sha256" is missing; entry 2: "name" is missing; entry 2: "sha256" must be the SHA-256 of the key: 64 hexadecimal digits',
  );
  const many = await faultsOf(Array.from({ length: 1_000 }, () => 1));
  expect(many.split('; ')).toHaveLength(21);
  expect(many).toContain('and 980 more');
});

test('a missing file is refused', async () => {
  await expect(loadApiKeys('/nowhere/keys.json')).rejects.toThrow('the file cannot be read (ENOENT)');
});
