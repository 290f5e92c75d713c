// The file of API keys: what it may hold, and what the operator reads where it cannot be used.

import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiKeysError, loadApiKeys } from '../../../../src/http/request/clients/api-keys-file.ts';
import { createKeysFile, KEY, sha256 } from './api-key-files.ts';

async function load(content: unknown) {
  const file = await createKeysFile(content);
  onTestFinished(() => file.remove());
  return { keys: loadApiKeys(file.path), file };
}

/** What is said of the file, without its first line, which names it. */
async function complaint(content: unknown): Promise<string> {
  const { keys, file } = await load(content);
  const error = await keys.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiKeysError)) throw new Error('There is nothing to complain of.');
  const [first, ...rest] = error.message.split('\n');
  expect(first).toBe(`API_KEYS_FILE="${file.path}" cannot be used:`);
  return rest.map((line) => line.trim()).join('; ');
}

const HASH = sha256(KEY);

test('a key is found by itself alone, with what is said of it', async () => {
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
  ]);
  const found = await keys;
  expect(found.size).toBe(4);
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
  for (const wrong of ['', 'A', 'a ', sha256('a'), 'x'.repeat(100_000)])
    expect(found.find(wrong)).toBeUndefined();
});

test('a key of more than 256 characters is not even looked at', async () => {
  const long = 'x'.repeat(257);
  const { keys } = await load([{ name: 'long', sha256: sha256(long) }]);
  expect((await keys).find(long)).toBeUndefined();
});

describe('it cannot be used', () => {
  test.each<[what: string, content: unknown, told: string]>([
    ['no JSON', '[', 'the file is not JSON in UTF-8'],
    ['no list', { name: 'a' }, 'the file is not a JSON list'],
    ['no object', ['a'], 'entry 1: must be an object'],
    ['no name', [{ sha256: HASH }], 'entry 1: "name" is missing'],
    [
      'a name for a log to stumble over',
      [{ name: 'a b', sha256: HASH }],
      'entry 1 ("a b"): "name" must be 1 to 64',
    ],
    ['no hash', [{ name: 'a' }], 'entry 1 ("a"): "sha256" is missing'],
    [
      'a key in place of its hash',
      [{ name: 'a', sha256: KEY }],
      'entry 1 ("a"): "sha256" must be the SHA-256',
    ],
    ['an unknown member', [{ name: 'a', sha256: HASH, rate: 1 }], 'entry 1 ("a"): "rate" is unknown'],
    [
      'no look-ups',
      [{ name: 'a', sha256: HASH, lookupsPerSecond: 0 }],
      '"lookupsPerSecond" must be a whole number',
    ],
    [
      'half a look-up',
      [{ name: 'a', sha256: HASH, lookupsPerSecond: 0.5 }],
      '"lookupsPerSecond" must be a whole',
    ],
    [
      'a number as text',
      [{ name: 'a', sha256: HASH, lookupsPerSecond: '1' }],
      '"lookupsPerSecond" must be a whole',
    ],
    ['a burst of nothing', [{ name: 'a', sha256: HASH, burst: 5 }], '"burst" needs "lookupsPerSecond"'],
    [
      'a burst that is too small',
      [{ name: 'a', sha256: HASH, lookupsPerSecond: 6, burst: 5 }],
      '"burst" must be at least "lookupsPerSecond"',
    ],
    [
      'a date of nowhere',
      [{ name: 'a', sha256: HASH, expires: '31.1.2027' }],
      '"expires" must be a date such as',
    ],
    [
      'a day that does not exist',
      [{ name: 'a', sha256: HASH, expires: '2027-13-31' }],
      '"expires" must be a date such as',
    ],
    [
      'a time of no zone',
      [{ name: 'a', sha256: HASH, expires: '2027-01-31T12:00' }],
      '"expires" must be a date',
    ],
    [
      'one name twice',
      [
        { name: 'a', sha256: HASH },
        { name: 'a', sha256: sha256('b') },
      ],
      'entry 2 ("a"): an earlier entry has the same "name"',
    ],
    [
      'one key twice',
      [
        { name: 'a', sha256: HASH },
        { name: 'b', sha256: HASH.toUpperCase() },
      ],
      'entry 2 ("b"): an earlier entry has the same "sha256"',
    ],
  ])('%s', async (_, content, told) => {
    const said = await complaint(content);
    expect(said).toContain(told);
    // Whoever reads the log may not learn a key that was put there by mistake.
    expect(said).not.toContain(KEY);
  });

  test('and all faults are told at once', async () => {
    expect(await complaint([{ name: 'a' }, { sha256: 'x' }])).toBe(
      'entry 1 ("a"): "sha256" is missing; entry 2: "name" is missing; entry 2: "sha256" must be the SHA-256 of the key: 64 hexadecimal digits',
    );
    const many = await complaint(Array.from({ length: 1_000 }, () => 1));
    expect(many.split('; ')).toHaveLength(21);
    expect(many).toContain('and 980 more');
  });

  test('nor one that is not there', async () => {
    await expect(loadApiKeys('/nowhere/keys.json')).rejects.toThrow('the file cannot be read (ENOENT)');
  });
});
