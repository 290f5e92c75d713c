// Reads a shortDOI such as `10/abcde`. It is a handle and an alias of a DOI name, but it is not a DOI name.

import { insideOfPair, withoutEdges } from './delimiters.ts';
import type { HandleName } from './name.ts';
import { percentDecode } from './percent.ts';
import { recognise } from './recognise.ts';

/**
 * Returns `10/abcde` for `10/abcde`, `abcde`, `doi:10/abcde` and `https://doi.org/abcde`; null for another input. A code
 * without `10/` and without a label must have 3 to 10 letters and digits.
 */
export function readShortDoi(input: string): HandleName | null {
  const outer = withoutEdges(input);
  const { form, encodedName, url } = recognise((insideOfPair(outer) ?? outer).text);
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return null;
  const [, handle, code] = /^(10\/)?([A-Za-z0-9]+)$/.exec(decoded.text) ?? [];
  if (code === undefined) return null;
  const isBare = form === null && code.length >= 3 && code.length <= 10;
  return handle !== undefined || url?.isShortDoi || isBare ? (`10/${code}` as HandleName) : null;
}
