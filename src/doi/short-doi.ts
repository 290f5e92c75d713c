// Reads a shortDOI, which is a handle: an alias of a DOI name, and no DOI name itself.

import { insideOfPair, withoutEdges } from './delimiters.ts';
import type { HandleName } from './name.ts';
import { percentDecode } from './percent.ts';
import { recognise } from './recognise.ts';

/**
 * `10/abcde` of `10/abcde`, `abcde`, `doi:10/abcde`, `https://doi.org/abcde`; null for what is no shortDOI. By itself a
 * code has 3 to 10 letters and digits.
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
