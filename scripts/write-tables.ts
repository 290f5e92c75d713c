// Writes files from tables in the code: docs/configuration.md, docs/errors.md, and the types of the inspector's responses.
// `npm run tables`.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JOB_VARIABLES } from '../src/config-variables/job-variables.ts';
import { METADATA_VARIABLES } from '../src/config-variables/metadata-variables.ts';
import { LISTENING_VARIABLES, PROCESS_VARIABLES } from '../src/config-variables/process-variables.ts';
import { REMOVED_VARIABLES } from '../src/config-variables/removed-variables.ts';
import { CLIENT_VARIABLES, REQUEST_VARIABLES } from '../src/config-variables/request-variables.ts';
import { SOURCE_VARIABLES } from '../src/config-variables/source-variables.ts';
import type { Variable } from '../src/config-variables/variable-types.ts';
import { ERROR_KINDS, type ErrorKind } from '../src/errors.ts';
import { INSPECTOR_QUERIES } from '../src/http/pages/inspector-queries.ts';
import { queryTypes } from './query-types.ts';

const GROUPS: readonly (readonly [heading: string, variables: Readonly<Record<string, Variable>>])[] = [
  ['Address', LISTENING_VARIABLES],
  ['Directory and cache', SOURCE_VARIABLES],
  ['Metadata', METADATA_VARIABLES],
  ['Requests', REQUEST_VARIABLES],
  ['Clients', CLIENT_VARIABLES],
  ['Jobs', JOB_VARIABLES],
  ['Process', PROCESS_VARIABLES],
];

const GENERATED = '<!-- Written by `npm run tables`. -->';

/** The text of each file, by its path below the project. */
export const TABLE_PAGES: Readonly<Record<string, string>> = {
  'docs/configuration.md': page([
    '# Configuration',
    'The gateway reads environment variables when it starts. Every variable has a default that suits most gateways; an empty variable counts as unset. If a variable cannot be used, the gateway does not start, and names all such variables at once.',
    ...GROUPS.flatMap(([heading, variables]) => [
      `## ${heading}`,
      table(
        ['variable', 'default', 'meaning', 'when to change it'],
        Object.entries(variables).map(([name, variable]) => [
          `\`${name}\``,
          shownDefault(variable.default ?? null),
          variable.meaning,
          variable.changeWhen,
        ]),
      ),
    ]),
    '## Removed variables',
    'If one of these is set, the gateway logs a warning at the start, until November 2027, and ignores the variable.',
    table(
      ['variable', 'replacement'],
      Object.entries(REMOVED_VARIABLES).map(([name, replacement]) => [`\`${name}\``, replacement]),
    ),
  ]),
  'docs/errors.md': page([
    '# Errors',
    'Each GraphQL error has a `code` in `extensions`, and `retryable`: whether the same request may succeed later. The status is that of the response if the whole request fails. The list grows: treat an unknown code as `INTERNAL_SERVER_ERROR`.',
    table(
      ['code', 'retryable', 'status', 'meaning', 'what to do'],
      Object.entries<ErrorKind>(ERROR_KINDS).map(([code, { retryable, httpStatus, meaning, remedy }]) => [
        `\`${code}\``,
        retryable ? 'yes' : 'no',
        String(httpStatus),
        meaning,
        remedy,
      ]),
    ),
  ]),
  'inspector/query-types.ts': queryTypes(
    readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'),
    INSPECTOR_QUERIES,
  ),
};

function page([title = '', ...rest]: readonly string[]): string {
  return `${[title, GENERATED, ...rest].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shownDefault(value: string | null): string {
  if (value === null) return 'unset';
  const data = fileURLToPath(new URL('../data/', import.meta.url));
  return value.startsWith(data) ? 'the bundled sample' : `\`${value}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(TABLE_PAGES)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
