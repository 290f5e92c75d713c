// Prints the rows of README's table of variables: `npx tsx scripts/print-variables.ts`.

import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/config-variables.ts';

/** One row for each variable, in the order of VARIABLES. */
export function variableRows(): string[] {
  return Object.entries(VARIABLES).map(
    ([name, variable]) => `| \`${name}\` | ${shownDefault(variable.default)} | ${variable.meaning} |`,
  );
}

function shownDefault(value: string | null): string {
  if (value === null) return 'unset';
  const data = fileURLToPath(new URL('../data/', import.meta.url));
  return value.startsWith(data) ? 'the bundled sample' : `\`${value}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${variableRows().join('\n')}\n`);
}
