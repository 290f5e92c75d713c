// Reads a list of locations: the XML of a 10320/loc value (Resolution doc, section 1; DOI Handbook).

import type { HandleName } from 'doi-names';
import { templatePath, templateSegment } from 'doi-names/parts';
import { freezeJson } from './json.ts';
import { attributeOf, MAX_XML_CHARACTERS, readXml, type XmlAttribute, type XmlElement } from './xml.ts';

export interface Location {
  /** a URL, or a template until `fillIn` */
  readonly href: string;
  readonly weight: number;
  /** the HTTP status of a redirect to this location; null: the status of the list */
  readonly statusCode: number | null;
  /** all attributes in their order, unchanged */
  readonly attributes: readonly LocationAttribute[];
}

export type LocationAttribute = XmlAttribute;

export interface LocationList {
  /** the methods for `chooseLocation`, in order, without duplicates; some can be unknown */
  readonly chooseBy: readonly string[];
  readonly locations: readonly Location[];
  /** the HTTP status of a redirect to a location without its own status; null: 302 */
  readonly statusCode: number | null;
  /** whether the locations of the prefix are excluded: `no_nslocs` */
  readonly excludesPrefix: boolean;
  /** whether the URL values of the record are excluded: `no_legacy` */
  readonly excludesUrls: boolean;
  /** a sentence for people: why the gateway could not read the whole list; null if there is no fault */
  readonly fault: string | null;
}

const MAX_LOCATIONS = 1_000;
const MAX_METHODS = 16;
const MAX_WEIGHT_LENGTH = 32;

const DEFAULT_METHODS = 'locatt,country,score,weighted';
export const DEFAULT_STATUS = 302;
const REDIRECT_STATUSES = new Set(['301', '302', '303', '307', '308']);

const LOCATIONS = {
  isWanted: (name: string, depth: number) => depth === 1 && name === 'location',
  maxElements: MAX_LOCATIONS,
  plural: 'locations',
};

/** For a record without a readable list. */
export const NO_LIST: LocationList = freezeJson({
  chooseBy: DEFAULT_METHODS.split(','),
  locations: [],
  statusCode: null,
  excludesPrefix: false,
  excludesUrls: false,
  fault: null,
});

/** Reads the XML up to the first fault. Keeps the locations before the fault. Templates are not filled in yet. */
export function readList(xml: string): LocationList {
  const { elements, fault } = readXml(xml, LOCATIONS);
  const [root, ...children] = elements;
  if (root?.name !== 'locations') {
    const reason = fault ?? 'The outermost element is not "locations".';
    return { ...NO_LIST, fault: reason };
  }
  return {
    chooseBy: toMethods(attributeOf(root, 'chooseby') ?? attributeOf(root, 'choose_by')),
    locations: children.flatMap((element) => toLocation(element) ?? []),
    statusCode: toStatus(attributeOf(root, 'http_sc')),
    excludesPrefix: attributeOf(root, 'no_nslocs') !== null,
    excludesUrls: attributeOf(root, 'no_legacy') !== null,
    fault,
  };
}

/** Reads the elements `location` of a 10320/links value. The root can have any name. */
export function readLinkList(xml: string): LocationList {
  const [, ...children] = readXml(xml, LOCATIONS).elements;
  return { ...NO_LIST, locations: children.flatMap((element) => toLocation(element) ?? []) };
}

/**
 * Replaces `{hdl}` and `{hdl:path}` in templates such as `https://example.org/{hdl}` by the requested name. If all URLs
 * together become longer than MAX_XML_CHARACTERS, drops the remaining locations and sets a fault.
 */
export function fillIn(list: LocationList, name: HandleName): LocationList {
  const { locations } = list;
  if (!locations.some(isTemplate)) return list;
  const filledIn: Location[] = [];
  let length = 0;
  for (const location of locations) {
    const href = isTemplate(location)
      ? expand(location.href, name, MAX_XML_CHARACTERS - length)
      : location.href;
    if (href === null) {
      const fault = `The URLs are longer than ${MAX_XML_CHARACTERS} characters.`;
      return { ...list, locations: filledIn, fault };
    }
    length += href.length;
    filledIn.push(href === location.href ? location : Object.freeze({ ...location, href }));
  }
  return { ...list, locations: filledIn };
}

function toLocation(element: XmlElement): Location | null {
  const href = attributeOf(element, 'href') ?? attributeOf(element, 'href_template');
  if (href === null) return null;
  return Object.freeze({
    href,
    weight: toWeight(attributeOf(element, 'weight')),
    statusCode: toStatus(attributeOf(element, 'http_sc')),
    attributes: Object.freeze(element.attributes),
  });
}

/** Only a location without `href` is a template. If it has both, `href_template` has no effect. */
function isTemplate(location: Location): boolean {
  return attributeOf(location, 'href') === null;
}

/** Fills in one template. Null if the URL would be longer than `maxLength`. */
function expand(template: string, name: HandleName, maxLength: number): string | null {
  const encoded = templateSegment(name);
  const path = templatePath(name);
  const parts = template
    .split(/(\{hdl\}|\{hdl:path\})/)
    .map((part) => (part === '{hdl}' ? encoded : part === '{hdl:path}' ? path : part));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > maxLength ? null : parts.join('');
}

/** An invalid or very long weight becomes 1. */
function toWeight(text: string | null): number {
  if (text === null || text.length > MAX_WEIGHT_LENGTH) return 1;
  const isNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  const weight = isNumber ? Number(text) : 1;
  return Number.isFinite(weight) ? weight : 1;
}

/** An invalid status becomes 302. It does not become the status of the list. */
function toStatus(text: string | null): number | null {
  if (text === null) return null;
  return REDIRECT_STATUSES.has(text.trim()) ? Number(text) : DEFAULT_STATUS;
}

/** The methods without duplicates, because a repeated method has no effect. */
function toMethods(text: string | null): readonly string[] {
  const words = (text ?? DEFAULT_METHODS).split(',', MAX_METHODS);
  return [...new Set(words.map((word) => word.trim().toLowerCase()))];
}
