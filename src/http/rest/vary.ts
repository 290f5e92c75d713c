// Which request headers a redirection depends on.

import { escapeMarkup } from '../../doi/encoding-forms.ts';
import type { LocationAttribute } from '../../handle/locations.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { candidatesOf, type Redirect } from '../../handle/redirect.ts';
import type { Answer } from '../request/exchange.ts';
import { type RestHeaders, restAnswer } from './rest-answer.ts';

// action=showurls: where a name may lead, as XML.

const XML_TYPE = 'text/xml;charset=utf-8';

/** Null where there is nothing to list. Locations for content negotiation are listed like all others. */
export function showUrls(record: HandleRecord, prefix: PrefixLocations, headers: RestHeaders): Answer | null {
  const { locations, urls } = candidatesOf(record, prefix);
  const elements = [
    ...locations.map(({ href, attributes }) =>
      element([...attributes.filter(isPassedOn), { name: 'href', value: href }]),
    ),
    ...urls.map((url) =>
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
  /** whether the gateway responds with metadata itself */
  readonly hasMetadata: boolean;
}

/** The Vary header of a response; null when no request header matters. */
export function varyOf(
  { dependsOnAccept, dependsOnCountry }: Pick<Redirect, 'dependsOnAccept' | 'dependsOnCountry'>,
  { countryHeader, localServices, hasMetadata }: VaryOptions,
): string | null {
  const hasLocalServices = localServices.length > 0;
  // A program that asks for data is not sent to a local service.
  const accept = dependsOnAccept || hasLocalServices || hasMetadata;
  const names = [
    ...(accept ? ['Accept'] : []),
    ...(dependsOnCountry && countryHeader !== null ? [countryHeader] : []),
    ...(hasLocalServices ? ['Cookie'] : []),
  ];
  return names.length === 0 ? null : names.join(', ');
}

/** Where metadata is on, every response to a name says that another Accept may get another one. */
export function varyOfFailure({ hasMetadata }: Pick<VaryOptions, 'hasMetadata'>): string | undefined {
  return hasMetadata ? 'Accept' : undefined;
}
