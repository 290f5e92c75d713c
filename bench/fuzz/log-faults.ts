// What the gateway writes may hold: lines of JSON below the level of errors, and no secret.

import { LOG_SECRETS } from './canaries.ts';

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
