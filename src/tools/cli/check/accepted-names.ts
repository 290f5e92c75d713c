// Reads the file of --accept: retracted works that the user may cite.

import { readFile } from 'node:fs/promises';
import { canonicalName } from '../../../doi/name.ts';
import { UsageError } from '../command.ts';
import { givenName, problemLine } from '../read-names.ts';

/** A DOI name may contain `#`, so a comment begins a line or follows white space. */
const COMMENT = /(?:^|\s)#.*$/;

/** The canonical names of the file, which has one name in any form on each line. Rejects with a UsageError for another line. */
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
