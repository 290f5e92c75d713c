// Reads the file of API keys. The gateway knows only the hashes of keys.

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type BudgetPolicy, policyOf } from './budget-policy.ts';

export interface ApiKey {
  /** The name of the owner, for the log. Each name has one key. */
  readonly name: string;
  /** 64 hexadecimal digits in lower case */
  readonly sha256: string;
  /** `default`: the policy of clients without a key. Null: no limit. */
  readonly policy: BudgetPolicy | 'default' | null;
  /** Milliseconds since the epoch. Null: the key never expires. */
  readonly expiresAt: number | null;
}

export interface ApiKeys {
  readonly size: number;
  /** Finds the entry of a key, even if the key has expired. */
  find(key: string): ApiKey | undefined;
}

/** Longer keys are unknown, because valid keys are much shorter. The gateway does not spend time on their hashes. */
const MAX_CHARACTERS = 256;

/**
 * One round of SHA-256 is enough, because keys are random and have at least 128 bits. No attacker can find a key from
 * its hash. The time of `find` also reveals no key, because this time depends only on the hash of the sent key.
 */
function createApiKeys(byHash: ReadonlyMap<string, ApiKey>): ApiKeys {
  return {
    size: byHash.size,
    find: (key) => (key.length > MAX_CHARACTERS ? undefined : byHash.get(hash('sha256', key))),
  };
}

/** The message is for the operator. It contains the variable, the file, and each invalid entry on a separate line. */
export class ApiKeysError extends Error {
  override readonly name = 'ApiKeysError';

  constructor(file: string, faults: readonly string[]) {
    const listed = faults.slice(0, MAX_LISTED_FAULTS).map((fault) => `  ${fault}`);
    const more = faults.length > MAX_LISTED_FAULTS ? [`  and ${faults.length - MAX_LISTED_FAULTS} more`] : [];
    super([`API_KEYS_FILE="${file}" cannot be used:`, ...listed, ...more].join('\n'));
  }
}

const MAX_LISTED_FAULTS = 20;

const lookUpsType = (max: number) => {
  const rule = { error: `must be a whole number from 1 to ${max}` };
  return z.int(rule).min(1, rule).max(max, rule);
};

/** A date, or a date and time with a zone. Without a zone, the time would depend on the machine. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

const entryType = z.strictObject({
  name: z
    .string({ error: 'is missing' })
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'),
  sha256: z
    .string({ error: 'is missing' })
    .regex(/^[0-9A-Fa-f]{64}$/, 'must be the SHA-256 of the key: 64 hexadecimal digits'),
  lookupsPerSecond: lookUpsType(100_000).nullable().optional(),
  burst: lookUpsType(10_000_000).optional(),
  expires: z
    .string({ error: 'must be a date such as 2027-01-31' })
    .refine(
      (text) => DATE.test(text) && !Number.isNaN(Date.parse(text)),
      'must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z',
    )
    .optional(),
});

type Entry = z.output<typeof entryType>;

/** Rejects with an ApiKeysError that lists all faults. Its message never contains a hash or a key. */
export async function loadApiKeys(file: string): Promise<ApiKeys> {
  const json = await readJson(file);
  if (!Array.isArray(json)) throw new ApiKeysError(file, ['the file is not a JSON list']);
  const faults: string[] = [];
  const names = new Set<string>();
  const byHash = new Map<string, ApiKey>();
  for (const [index, item] of (json as unknown[]).entries()) {
    const place = placeOf(index, item);
    const { data: entry, error } = entryType.safeParse(item);
    if (error) faults.push(...error.issues.map((issue) => `${place}: ${wordsOf(issue)}`));
    else {
      const key = keyOf(entry);
      if (names.has(key.name)) faults.push(`${place}: an earlier entry has the same "name"`);
      if (byHash.has(key.sha256)) faults.push(`${place}: an earlier entry has the same "sha256"`);
      if (entry.burst && !entry.lookupsPerSecond) {
        faults.push(`${place}: "burst" needs "lookupsPerSecond"`);
      } else if (entry.burst && entry.lookupsPerSecond && entry.burst < entry.lookupsPerSecond) {
        faults.push(`${place}: "burst" must be at least "lookupsPerSecond"`);
      }
      names.add(key.name);
      byHash.set(key.sha256, key);
    }
  }
  if (faults.length > 0) throw new ApiKeysError(file, faults);
  return createApiKeys(byHash);
}

function keyOf({ name, sha256, lookupsPerSecond, burst, expires }: Entry): ApiKey {
  const policy =
    lookupsPerSecond === undefined
      ? 'default'
      : lookupsPerSecond === null
        ? null
        : policyOf(lookupsPerSecond, burst ?? null);
  return {
    name,
    sha256: sha256.toLowerCase(),
    policy,
    expiresAt: expires === undefined ? null : Date.parse(expires),
  };
}

/** For messages: the number of the entry, from 1, and the name of the entry. */
function placeOf(index: number, item: unknown): string {
  const { name } = (item ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? `entry ${index + 1} ("${name.slice(0, 64)}")` : `entry ${index + 1}`;
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key.slice(0, 64)}"`).join(', ');
    return `${names} is unknown. An entry can have "name", "sha256", "lookupsPerSecond", "burst" and "expires"`;
  }
  const [member] = issue.path;
  return member === undefined ? 'must be an object' : `"${String(member)}" ${issue.message}`;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isSystemError = error instanceof Error && 'syscall' in error;
    throw new ApiKeysError(file, [
      isSystemError ? `the file cannot be read (${code})` : 'the file is not JSON in UTF-8',
    ]);
  }
}
