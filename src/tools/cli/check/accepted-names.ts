// Reads the file of --accept: the retracted works that `doi check` accepts.

import { readFile } from 'node:fs/promises';
import { canonicalName } from '../../../doi/name.ts';
import { UsageError } from '../command.ts';
import { givenName, problemLine } from '../read-names.ts';

/** A DOI name can contain `#`. So a comment must begin its line, or follow white space. */
const COMMENT = /(?:^|\s)#.*$/;

/** Resolves with the canonical names. A line has one name in any form. Rejects with a UsageError for any other line. */
export async function readAcceptedNames(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: the file of --accept cannot be read (${error.code}).`, { cause: error });
  });
  const names = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const input = line.replace(COMMENT, '').trim();
    if (input === '') continue;
    const given = givenName(input, false);
    if (given.name === null) throw new UsageError(`${path}:${index + 1}: ${problemLine(given)}`);
    names.add(canonicalName(given.name));
  }
  return names;
}
