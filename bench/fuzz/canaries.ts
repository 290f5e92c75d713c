// What stands where no client may ever read it: in what the directory says, in the environment, in files and paths.

import { createHash } from 'node:crypto';

// What the gateway writes may hold: lines of JSON below the level of errors, and no secret.

const ERROR_LEVEL = 50;

/** @param said whole lines. @param secrets beside those that are always looked for */
export function complaintsIn(said: string, secrets: readonly string[]): string[] {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    if (!isPlainLine(line)) return [line];
    const found = [...LOG_SECRETS, ...secrets].find((secret) => line.includes(secret));
    return found === undefined ? [] : [`a secret in the log: ${line}`];
  });
}

function isPlainLine(line: string): boolean {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'number' && level < ERROR_LEVEL;
  } catch {
    return false;
  }
}

export const CANARY = 'CaNaRy-5b1f';

/** Of a proxy that the gateway trusts; nobody has it. */
export const CANARY_ADDRESS = '198.51.100.77';

/** Sent by some clients, and answered by nothing that holds it. */
export const API_KEY = 'cafe5b1f-key-of-the-fuzzer';
export const API_KEY_HASH = createHash('sha256').update(API_KEY).digest('hex');

/** Of both Redises. */
export const PASSWORD = `${CANARY}-of-redis`;

/** What even the operator's log may not show. */
export const LOG_SECRETS: readonly string[] = [API_KEY, API_KEY_HASH, PASSWORD];

/** A client that sends one of these itself may get it back. */
export const CANARIES: readonly string[] = [CANARY, CANARY_ADDRESS, API_KEY_HASH];

/** The file of API keys as an operator has it. */
export const KEYS_FILE = JSON.stringify([{ name: CANARY, sha256: API_KEY_HASH }]);
