// The command that continues a run.

import { BULK_OPTIONS, type BulkCall } from './bulk-options.ts';

export function howToGoOn({ operands, options }: Pick<BulkCall, 'operands' | 'options'>): string {
  if (options.output === undefined) return 'With --output FILE the run could go on where it ended.\n';
  const words = ['doi', 'bulk', ...operands.map(quoted)];
  for (const name of Object.keys(BULK_OPTIONS) as (keyof typeof BULK_OPTIONS)[]) {
    const value = name === 'resume' ? true : options[name];
    if (value === true) words.push(`--${name}`);
    else if (typeof value === 'string') words.push(`--${name}`, quoted(value));
  }
  return `To go on: the same call with --resume.\n  ${words.join(' ')}\n`;
}

/** As a shell of POSIX reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
