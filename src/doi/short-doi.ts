// Reads a shortDOI, which is a handle: an alias of a DOI name, and no DOI name itself.

import { insideOfPair, withoutEdges } from './delimiters.ts';
import type { HandleName } from './name.ts';
import { percentDecode } from './percent.ts';
import { recognise } from './recognise.ts';

/** `10/abcde` of `10/abcde`, `abcde`, `doi:10/abcde`, `https://doi.org/abcde`; null for what is no shortDOI. */
export function readShortDoi(input: string): HandleName | null {
  const outer = withoutEdges(input);
  const { form, encodedName, url } = recognise((insideOfPair(outer) ?? outer).text);
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return null;
  const [, handle, code] = /^(10\/)?([A-Za-z0-9]+)$/.exec(decoded.text) ?? [];
  // The code alone is one where nothing else can be: by itself, or in the path of a DOI proxy.
  const isShort = handle !== undefined || form === null || url?.isShortDoi;
  return code !== undefined && isShort ? (`10/${code}` as HandleName) : null;
}
