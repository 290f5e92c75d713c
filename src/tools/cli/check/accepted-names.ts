// The names of --accept: references that the reader knows to be retracted.

import { readFile } from 'node:fs/promises';
import { canonicalName } from '../../../doi/name.ts';
import { UsageError } from '../command.ts';
import { givenName, problemLine } from '../read-names.ts';

/** A DOI name may contain `#`, so a comment begins a line or follows white space. */
const COMMENT = /(?:^|\s)#.*$/;

/** Canonical names, one a line in any form. Rejects with a UsageError for a line that is no DOI name. */
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
