// Multiple locations: the XML of a 10320/loc value (Resolution doc, section 1; DOI Handbook).

import { SaxesParser } from 'saxes';
import { handlePath } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';

// Reads the elements of a 10320/loc value's XML as far as it is well-formed.

interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

interface XmlElement {
  readonly name: string;
  /** as written, in order */
  readonly attributes: readonly XmlAttribute[];
}

interface ReadXml {
  /** the outermost element, then the `location` elements directly in it */
  readonly elements: readonly XmlElement[];
  /** why reading ended early, in words for people; null when everything was read */
  readonly fault: string | null;
}

const MAX_CHARACTERS = 262_144;
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 64;
const MAX_LOCATIONS = 1_000;

class XmlFault extends Error {}

/**
 * An element counts from its start tag on. Bare `&`, as records in the wild have it, stands for itself; so
 * does every entity but the five of XML. No document type is read.
 */
function readXml(xml: string): ReadXml {
  const elements: XmlElement[] = [];
  if (xml.length > MAX_CHARACTERS) {
    return { elements, fault: `The XML is longer than ${MAX_CHARACTERS} characters.` };
  }
  const parser = new SaxesParser({ position: false });
  const stop = (reason: string): never => {
    throw new XmlFault(reason);
  };
  let depth = 0;
  let attributes: XmlAttribute[] = [];

  parser.on('error', () => stop('The XML is not well-formed.'));
  parser.on('doctype', () => stop('The XML has a document type, which is not read.'));
  parser.on('opentagstart', () => {
    attributes = [];
  });
  parser.on('attribute', (attribute) => {
    if (attributes.length === MAX_ATTRIBUTES) stop(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
    attributes.push(Object.freeze({ name: attribute.name, value: attribute.value }));
  });
  parser.on('opentag', ({ name }) => {
    if (depth === MAX_DEPTH) stop(`The XML is nested deeper than ${MAX_DEPTH} levels.`);
    if (depth === 0 || (depth === 1 && name === 'location')) elements.push({ name, attributes });
    if (elements.length > MAX_LOCATIONS + 1) stop(`There are more than ${MAX_LOCATIONS} locations.`);
    depth += 1;
  });
  parser.on('closetag', () => {
    depth -= 1;
  });

  try {
    parser.write(xml.replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)/g, '&amp;')).close();
    return { elements, fault: null };
  } catch (error) {
    if (error instanceof XmlFault) return { elements, fault: error.message };
    throw error;
  }
}

export interface Location {
  readonly href: string;
  readonly weight: number;
  /** of a redirection to this location: its own, else the list's, else 302 */
  readonly statusCode: number;
  /** as written, in order */
  readonly attributes: readonly LocationAttribute[];
}

export type LocationAttribute = XmlAttribute;

export interface LocationList {
  /** the methods in order, unknown ones included, each once */
  readonly chooseBy: readonly string[];
  readonly locations: readonly Location[];
  /** why reading ended early, in words for people; null when everything was read */
  readonly fault: string | null;
}

export interface LocationTemplates {
  /** with its templates as they stand in the XML, where it has any */
  readonly list: LocationList;
  readonly hasTemplates: boolean;
}

const MAX_METHODS = 16;
const MAX_WEIGHT_LENGTH = 32;

const DEFAULT_METHODS = 'locatt,country,weighted';
const DEFAULT_STATUS = 302;
const REDIRECT_STATUSES = new Set(['301', '302', '303', '307', '308']);

/** Reads the XML as far as it is well-formed: a location counts from its start tag on. */
export function readTemplates(xml: string): LocationTemplates {
  const { elements, fault } = readXml(xml);
  const [root, ...children] = elements;
  if (root?.name !== 'locations') {
    const reason = fault ?? 'The outermost element is not "locations".';
    return { list: { chooseBy: [], locations: [], fault: reason }, hasTemplates: false };
  }
  const listStatus = toStatus(attributeOf(root, 'http_sc')) ?? DEFAULT_STATUS;
  const locations = children.flatMap((element) => toLocation(element, listStatus) ?? []);
  const chooseBy = toMethods(attributeOf(root, 'chooseby') ?? attributeOf(root, 'choose_by'));
  return { list: { chooseBy, locations, fault }, hasTemplates: locations.some(isTemplate) };
}

/**
 * Fills in the templates with the name that was asked for; without any it is the list itself. Ends at the location with which the URLs become
 * longer, together, than the XML of a list may be.
 */
export function fillIn({ list, hasTemplates }: LocationTemplates, asked: HandleName): LocationList {
  if (!hasTemplates) return list;
  const { chooseBy, locations, fault } = list;
  const filledIn: Location[] = [];
  let length = 0;
  for (const location of locations) {
    const href = isTemplate(location) ? expand(location.href, asked, MAX_CHARACTERS - length) : location.href;
    if (href === null) {
      return {
        chooseBy,
        locations: filledIn,
        fault: `The URLs are longer than ${MAX_CHARACTERS} characters.`,
      };
    }
    length += href.length;
    filledIn.push(href === location.href ? location : Object.freeze({ ...location, href }));
  }
  return { chooseBy, locations: filledIn, fault };
}

/** The list that the XML holds for the name that was asked for. */
export function parseLocations(xml: string, asked: HandleName): LocationList {
  return fillIn(readTemplates(xml), asked);
}

/** The value of a location's attribute; null when it has none of that name. */
export function attributeOf(
  { attributes }: { readonly attributes: readonly LocationAttribute[] },
  wanted: string,
): string | null {
  for (const { name, value } of attributes) if (name === wanted) return value;
  return null;
}

function toLocation(element: XmlElement, listStatus: number): Location | null {
  const href = attributeOf(element, 'href') ?? attributeOf(element, 'href_template');
  if (href === null) return null;
  return Object.freeze({
    href,
    weight: toWeight(attributeOf(element, 'weight')),
    statusCode: toStatus(attributeOf(element, 'http_sc')) ?? listStatus,
    attributes: Object.freeze(element.attributes),
  });
}

/** `href` wins over `href_template`. */
function isTemplate(location: Location): boolean {
  return attributeOf(location, 'href') === null;
}

/** Null where it would be longer than that. */
function expand(template: string, asked: HandleName, maxLength: number): string | null {
  const encoded = encodeURIComponent(asked);
  const path = handlePath(asked);
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
