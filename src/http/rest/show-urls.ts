// action=showurls: where a name may lead, as XML.

import { escapeMarkup } from '../../doi/markup.ts';
import type { LocationAttribute } from '../../handle/locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { readLocations, urlsOf } from '../../handle/redirect.ts';
import type { HandleValue } from '../../handle/value.ts';
import type { Answer } from '../exchange.ts';
import { type RestHeaders, restAnswer } from './rest-answer.ts';

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

/** Not the target, which comes anew; and no namespaces, which would make elements of others out of ours. */
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
