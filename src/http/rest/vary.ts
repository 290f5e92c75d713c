// Which request headers a redirection depends on.

import { escapeMarkup } from '../../doi/encoding-forms.ts';
import { foldBasicLatin } from '../../doi/name.ts';
import { textOf } from '../../handle/data.ts';
import type { LocationAttribute } from '../../handle/locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { readLocations, urlsOf } from '../../handle/redirect.ts';
import type { HandleValue } from '../../handle/value.ts';
import type { Answer } from '../request/exchange.ts';
import { type RestHeaders, restAnswer } from './rest-answer.ts';

// action=showurls: where a name may lead, as XML.

const XML_TYPE = 'text/xml;charset=utf-8';

/** Null where there is nothing to list. Locations for content negotiation are listed like all others. */
export function showUrls(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: RestHeaders,
): Answer | null {
  const { locations } = readLocations(values, record.handle).list;
  const [plain, subtypes] = urlsOf(values);
  const elements = [
    ...locations.map(({ href, attributes }) =>
      element([...attributes.filter(isPassedOn), { name: 'href', value: href }]),
    ),
    ...(plain.length > 0 ? plain : subtypes).map((url) =>
      element([
        { name: 'href', value: url },
        { name: 'mode', value: 'legacy' },
      ]),
    ),
  ];
  if (elements.length === 0) return null;
  return restAnswer(200, XML_TYPE, headers, `<locations>${elements.join('')}</locations>`);
}

/** Without the target, which the gateway writes itself, and without namespaces, which would change our elements. */
function isPassedOn({ name }: LocationAttribute): boolean {
  return name !== 'href' && name !== 'href_template' && name !== 'xmlns' && !name.includes(':');
}

function element(attributes: readonly LocationAttribute[]): string {
  return `<location ${attributes.map(({ name, value }) => `${name}="${escapeMarkup(xmlText(value))}"`).join(' ')}/>`;
}

/** XML has no way at all to write most control characters. */
function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

export interface VaryOptions {
  /** name, in lower case, of the request header with a client's country; null: there is no such header */
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
