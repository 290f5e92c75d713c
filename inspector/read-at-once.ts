// Parses an input in the browser, so that the page can show the name before it sends a request.

import { canonicalName, type DoiName } from 'doi-names';
import { isAscii, meantBy, nameWarnings, parseDoi, prefixOf, suffixOf, uriForm } from 'doi-names/parts';
import type { NamedDoi, ReadAtOnce, ReadName } from './answers.ts';

/**
 * The fields of `parseDoi` that need no look-up. Null for inputs that the page cannot parse alone: a shortDOI needs a
 * look-up, and a name outside ASCII needs the data about look-alikes, which is too large for a page.
 */
export function readAtOnce(input: string): ReadAtOnce | null {
  const parsed = parseDoi(input);
  const { name, form, fragment, proxyParameters, problem } = parsed;
  if (problem?.code === 'SHORT_DOI' || (name !== null && !isAscii(name))) return null;
  const meant = meantBy(parsed).map((match) => ({ doi: namedDoi(match.name) }));
  return { form, fragment, proxyParameters, problem, meant, doi: name === null ? null : doiFields(name) };
}

function namedDoi(name: DoiName): NamedDoi {
  return { id: uriForm(name), name };
}

function doiFields(name: DoiName): ReadName {
  const prefix = prefixOf(name);
  const [directoryIndicator = '', ...registrantCode] = prefix.split('.');
  const warnings = nameWarnings(name, null).map(({ repaired, ...warning }) => ({
    ...warning,
    repaired: repaired === null ? null : namedDoi(repaired),
  }));
  return {
    ...namedDoi(name),
    canonicalName: canonicalName(name),
    prefix,
    suffix: suffixOf(name),
    directoryIndicator,
    registrantCode: registrantCode.join('.'),
    warnings,
  };
}
