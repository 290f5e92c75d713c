// The response to `action=showurls`: the locations of a name as XML.

import { escapeMarkup } from 'doi-names/parts';
import type { LocationAttribute } from '../../handle/locations.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { candidatesOf } from '../../handle/redirect.ts';
import type { HttpResponse } from '../request/exchange.ts';
import { restResponse } from './rest-exchange.ts';

const XML_TYPE = 'text/xml;charset=utf-8';

/** The result includes the locations for content negotiation. Null if the name has no locations. */
export function showUrls(
  record: HandleRecord,
  prefix: PrefixLocations,
  headers: HttpResponse['headers'],
): HttpResponse | null {
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
  return restResponse(200, XML_TYPE, headers, `<locations>${elements.join('')}</locations>`);
}

/** Skips the target, because the gateway writes it as `href`, and namespaces, because they would change the elements. */
function isPassedOn({ name }: LocationAttribute): boolean {
  return name !== 'href' && name !== 'href_template' && name !== 'xmlns' && !name.includes(':');
}

function element(attributes: readonly LocationAttribute[]): string {
  return `<location ${attributes.map(({ name, value }) => `${name}="${escapeMarkup(xmlText(value))}"`).join(' ')}/>`;
}

/** Replaces characters that XML 1.0 does not allow, such as most control characters. */
function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
