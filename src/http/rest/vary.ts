// Which request headers a redirection depends on.

import { escapeMarkup } from '../../doi/encoding-forms.ts';
import type { LocationAttribute } from '../../handle/locations.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { candidatesOf, type Redirect } from '../../handle/redirect.ts';
import type { Answer } from '../request/exchange.ts';
import { type RestHeaders, restAnswer } from './rest-answer.ts';

const XML_TYPE = 'text/xml;charset=utf-8';

/**
 * The response to `action=showurls`: the locations of a name as XML. Includes locations for content negotiation. Null
 * if there is none.
 */
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

/**
 * Skips the target, because the gateway writes it separately. Skips namespaces, because they would change other
 * elements.
 */
function isPassedOn({ name }: LocationAttribute): boolean {
  return name !== 'href' && name !== 'href_template' && name !== 'xmlns' && !name.includes(':');
}

function element(attributes: readonly LocationAttribute[]): string {
  return `<location ${attributes.map(({ name, value }) => `${name}="${escapeMarkup(xmlText(value))}"`).join(' ')}/>`;
}

/** Removes control characters, because XML cannot represent most of them. */
function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

export interface VaryOptions {
  /** The request header with the client's country, in lower case. Null: there is no such header. */
  readonly countryHeader: string | null;
  /** base URLs from which a reader's cookie may choose */
  readonly localServices: readonly string[];
  /** whether the gateway sends metadata */
  readonly hasMetadata: boolean;
}

/** The Vary header of a response. Null if the response depends on no request header. */
export function varyOf(
  { dependsOnAccept, dependsOnCountry }: Pick<Redirect, 'dependsOnAccept' | 'dependsOnCountry'>,
  { countryHeader, localServices, hasMetadata }: VaryOptions,
): string | null {
  const hasLocalServices = localServices.length > 0;
  // The gateway sends only people to local services, and `Accept` shows who is a program.
  const accept = dependsOnAccept || hasLocalServices || hasMetadata;
  const names = [
    ...(accept ? ['Accept'] : []),
    ...(dependsOnCountry && countryHeader !== null ? [countryHeader] : []),
    ...(hasLocalServices ? ['Cookie'] : []),
  ];
  return names.length === 0 ? null : names.join(', ');
}

/** With metadata, every response to a name depends on Accept, also a failure. */
export function varyOfFailure({ hasMetadata }: Pick<VaryOptions, 'hasMetadata'>): string | undefined {
  return hasMetadata ? 'Accept' : undefined;
}
