// The links of a record for a Link header (RFC 8288): its 10320/links values, and locations with the attribute `rel`.

import { hexOfByte } from 'doi-names/parts';
import { dataText } from './data.ts';
import { remember } from './json.ts';
import { locationHeader } from './location-header.ts';
import { fillIn, type Location, type LocationList, readLinkList } from './locations.ts';
import type { PrefixLocations } from './prefix-locations.ts';
import type { HandleRecord } from './record.ts';
import { byIndex, readLocations } from './record-locations.ts';
import { type HandleValue, hasType } from './value.ts';
import { attributeOf } from './xml.ts';

const LINKS = '10320/links';
/** Many clients and proxies refuse headers of more than 8 kB in sum. */
const MAX_LINKS = 20;
const MAX_LINK_CHARACTERS = 2_000;

/** The parameters of a link, in the order of the header, and the attributes of a location with their values. */
const PARAMETERS = [
  ['rel', 'rel'],
  ['type', 'media-type'],
  ['target-type', 'target-type'],
  ['media', 'media'],
  ['hreflang', 'hreflang'],
] as const;

/** Characters that a quoted text can have unescaped. All others could end the text or the header. */
const PLAIN_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** The links as in a Link header: first the 10320/links values, then the locations of the record and of its prefix. */
export function linksOf({ handle, values }: HandleRecord, prefix: PrefixLocations): readonly string[] {
  const { list } = readLocations(values, handle);
  const lists = [...linkLists(values), list, ...(list.excludesPrefix ? [] : prefix.lists)];
  const links: string[] = [];
  let charactersLeft = MAX_LINK_CHARACTERS;
  for (const each of lists.filter(hasLinks)) {
    for (const location of fillIn(each, handle).locations) {
      const link = toLink(location);
      if (link === null) continue;
      charactersLeft -= link.length;
      if (links.length === MAX_LINKS || charactersLeft < 0) return links;
      links.push(link);
    }
  }
  return links;
}

const linkLists = remember((values: readonly HandleValue[]): readonly LocationList[] =>
  values
    .filter((value) => hasType(value, LINKS))
    .sort(byIndex)
    .slice(0, MAX_LINKS)
    .map(({ data }) => readLinkList(dataText(data) ?? '')),
);

const hasLinks = remember(({ locations }: LocationList) =>
  locations.some((location) => attributeOf(location, 'rel') !== null),
);

/** Null for a location without `rel`, and for a link that a header cannot have. */
function toLink(location: Location): string | null {
  const target = locationHeader(location.href);
  const rel = attributeOf(location, 'rel');
  if (target === null || rel === null || !PLAIN_TEXT.test(rel)) return null;
  const anchor = locationHeader(attributeOf(location, 'anchor') ?? '');
  const parameters = PARAMETERS.flatMap(([name, attribute]) => {
    const value = attributeOf(location, attribute);
    return value !== null && PLAIN_TEXT.test(value) ? [`${name}="${value}"`] : [];
  });
  const title = attributeOf(location, 'title');
  return [
    `<${target}>`,
    ...(anchor === null ? [] : [`anchor="${anchor}"`]),
    ...parameters,
    ...(title === null ? [] : [titleOf(title)]),
  ].join('; ');
}

function titleOf(title: string): string {
  if (PLAIN_TEXT.test(title)) return `title="${title}"`;
  return `title*=UTF-8''${encodeURIComponent(title.toWellFormed()).replace(/['()*]/g, (c) => `%${hexOfByte(c.charCodeAt(0))}`)}`;
}
