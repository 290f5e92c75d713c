// Multiple locations: the XML of a 10320/loc value (Resolution doc, section 1; DOI Handbook).

import { templatePath, templateSegment } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';
import { freezeJson } from './json.ts';
import { attributeOf, MAX_XML_CHARACTERS, readXml, type XmlAttribute, type XmlElement } from './xml.ts';

export interface Location {
  readonly href: string;
  readonly weight: number;
  /** of a redirection to this location; null: its list decides */
  readonly statusCode: number | null;
  /** as written, in order */
  readonly attributes: readonly LocationAttribute[];
}

export type LocationAttribute = XmlAttribute;

export interface LocationList {
  /** the methods in order, unknown ones included, each once */
  readonly chooseBy: readonly string[];
  readonly locations: readonly Location[];
  /** of a redirection to a location without a status; null: 302 */
  readonly statusCode: number | null;
  /** whether the locations of the name's prefix are left out: `no_nslocs` */
  readonly withoutPrefix: boolean;
  /** whether the URL values of the record are left out: `no_legacy` */
  readonly withoutUrls: boolean;
  /** why reading ended early, in words for people; null when everything was read */
  readonly fault: string | null;
}

export interface LocationTemplates {
  /** with its templates as they stand in the XML, where it has any */
  readonly list: LocationList;
  readonly hasTemplates: boolean;
}

const MAX_LOCATIONS = 1_000;
const MAX_METHODS = 16;
const MAX_WEIGHT_LENGTH = 32;

const DEFAULT_METHODS = 'locatt,country,score,weighted';
export const DEFAULT_STATUS = 302;
const REDIRECT_STATUSES = new Set(['301', '302', '303', '307', '308']);

const LOCATIONS = {
  isWanted: (name: string, depth: number) => depth === 1 && name === 'location',
  most: MAX_LOCATIONS,
  plural: 'locations',
};

/** For a record without a list that can be read. */
export const NO_LIST: LocationList = freezeJson({
  chooseBy: DEFAULT_METHODS.split(','),
  locations: [],
  statusCode: null,
  withoutPrefix: false,
  withoutUrls: false,
  fault: null,
});

/** Reads the XML as far as it is well-formed: a location counts from its start tag on. */
export function readTemplates(xml: string): LocationTemplates {
  const { elements, fault } = readXml(xml, LOCATIONS);
  const [root, ...children] = elements;
  if (root?.name !== 'locations') {
    const reason = fault ?? 'The outermost element is not "locations".';
    return { list: { ...NO_LIST, fault: reason }, hasTemplates: false };
  }
  const locations = children.flatMap((element) => toLocation(element) ?? []);
  const list = {
    chooseBy: toMethods(attributeOf(root, 'chooseby') ?? attributeOf(root, 'choose_by')),
    locations,
    statusCode: toStatus(attributeOf(root, 'http_sc')),
    withoutPrefix: attributeOf(root, 'no_nslocs') !== null,
    withoutUrls: attributeOf(root, 'no_legacy') !== null,
    fault,
  };
  return { list, hasTemplates: locations.some(isTemplate) };
}

/**
 * Fills in the templates with the name that was asked for; without any it is the list itself. Ends at the location with which the URLs become
 * longer, together, than the XML of a list may be.
 */
export function fillIn({ list, hasTemplates }: LocationTemplates, asked: HandleName): LocationList {
  if (!hasTemplates) return list;
  const { locations } = list;
  const filledIn: Location[] = [];
  let length = 0;
  for (const location of locations) {
    const href = isTemplate(location)
      ? expand(location.href, asked, MAX_XML_CHARACTERS - length)
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

/** The list that the XML holds for the name that was asked for. */
export function parseLocations(xml: string, asked: HandleName): LocationList {
  return fillIn(readTemplates(xml), asked);
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

/** `href` wins over `href_template`. */
function isTemplate(location: Location): boolean {
  return attributeOf(location, 'href') === null;
}

/** Null where it would be longer than that. */
function expand(template: string, asked: HandleName, maxLength: number): string | null {
  const encoded = templateSegment(asked);
  const path = templatePath(asked);
  const parts = template
    .split(/(\{hdl\}|\{hdl:path\})/)
    .map((part) => (part === '{hdl}' ? encoded : part === '{hdl:path}' ? path : part));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > maxLength ? null : parts.join('');
}

/** An unreadable weight is 1, and so is one of more characters than any number needs. */
function toWeight(text: string | null): number {
  if (text === null || text.length > MAX_WEIGHT_LENGTH) return 1;
  const isNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  const weight = isNumber ? Number(text) : 1;
  return Number.isFinite(weight) ? weight : 1;
}

/** An invalid status is taken for the default, not for the list's. */
function toStatus(text: string | null): number | null {
  if (text === null) return null;
  return REDIRECT_STATUSES.has(text.trim()) ? Number(text) : DEFAULT_STATUS;
}

/** A method that stands there again would change nothing. */
function toMethods(text: string | null): readonly string[] {
  const words = (text ?? DEFAULT_METHODS).split(',', MAX_METHODS);
  return [...new Set(words.map((word) => word.trim().toLowerCase()))];
}
