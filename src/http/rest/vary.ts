// Which request headers a redirection depends on.

import { foldBasicLatin } from '../../doi/name.ts';
import { textOf } from '../../handle/data.ts';
import type { HandleValue } from '../../handle/value.ts';

export interface VaryOptions {
  /** name, in lower case, of the request header that tells a client's country; null where there is none */
  readonly countryHeader: string | null;
  /** base URLs a reader's cookie may choose among */
  readonly localServices: readonly string[];
}

const LOCATIONS = '10320/loc';

/**
 * The Vary header of what a record's values lead to; null where only the URL counts. It is told from all
 * lists of locations, whichever of them counts for this query, and from their text: an attribute's name has
 * one spelling in XML, so what may matter is never missed, and nothing has to be read as XML.
 */
export function varyOf(values: readonly HandleValue[], options: VaryOptions): string | null {
  const { countryHeader, localServices } = options;
  // A program that asks for data is not sent to a local service.
  let accept = localServices.length > 0;
  let country = false;
  for (const value of values) {
    if (!isList(value)) continue;
    const text = textOf(value.data) ?? '';
    accept ||= text.includes('http_role');
    country ||= countryHeader !== null && /country\s*=/.test(text);
  }
  if (!accept && !country) return null;
  return [
    ...(accept ? ['Accept'] : []),
    ...(country && countryHeader !== null ? [countryHeader] : []),
    ...(localServices.length > 0 ? ['Cookie'] : []),
  ].join(', ');
}

/** Whether there is a list of locations among the values, readable or not. */
export function hasLocations(values: readonly HandleValue[]): boolean {
  return values.some(isList);
}

function isList({ type }: HandleValue): boolean {
  return type.length === LOCATIONS.length && foldBasicLatin(type) === LOCATIONS;
}
