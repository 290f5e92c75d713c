// Canaries: texts that no response may contain. The fuzzer puts them into the directory's responses, the environment,
// files and paths.

import { createHash } from 'node:crypto';

export const CANARY = 'CaNaRy-5b1f';

/** The address of a trusted proxy that does not exist. */
export const CANARY_ADDRESS = '198.51.100.77';

/** Some clients send this key. No response may contain it. */
export const API_KEY = 'cafe5b1f-key-of-the-fuzzer';
const API_KEY_HASH = createHash('sha256').update(API_KEY).digest('hex');

/** The password of both Redis servers. */
export const PASSWORD = `${CANARY}-of-redis`;

/** Texts that even the operator's log must not contain. */
const LOG_SECRETS: readonly string[] = [API_KEY, API_KEY_HASH, PASSWORD];

/** No response may contain these, unless the client itself sent them. */
export const CANARIES: readonly string[] = [CANARY, CANARY_ADDRESS, API_KEY_HASH];

/** The content of the operator's file of API keys. */
export const KEYS_FILE = JSON.stringify([{ name: CANARY, sha256: API_KEY_HASH }]);

const ERROR_LEVEL = 50;

/**
 * Returns the lines that the gateway must not write: lines that are no JSON, errors, and lines with a secret.
 * @param output whole lines
 * @param secrets texts besides LOG_SECRETS
 */
export function outputFaults(output: string, secrets: readonly string[]): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    if (!isPlainLine(line)) return [line];
    const hasSecret = [...LOG_SECRETS, ...secrets].some((secret) => line.includes(secret));
    return hasSecret ? [`a secret in the log: ${line}`] : [];
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
