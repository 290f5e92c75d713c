// Multiple locations: the XML of a 10320/loc value (Resolution doc, section 1; DOI Handbook).

import { SaxesParser } from 'saxes';
import { handlePath } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';

export interface Location {
  readonly href: string;
  readonly weight: number;
  /** of a redirection to this location: its own, else the list's, else 302 */
  readonly statusCode: number;
  /** as written, in order */
  readonly attributes: readonly LocationAttribute[];
}

export interface LocationAttribute {
  readonly name: string;
  readonly value: string;
}

export interface LocationList {
  /** the methods in order, unknown ones included */
  readonly chooseBy: readonly string[];
  readonly locations: readonly Location[];
  /** why reading ended early, in words for people; null when everything was read */
  readonly fault: string | null;
}

const MAX_CHARACTERS = 262_144;
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 64;
const MAX_LOCATIONS = 1_000;

const DEFAULT_METHODS = 'locatt,country,weighted';
const DEFAULT_STATUS = 302;
const REDIRECT_STATUSES = new Set(['301', '302', '303', '307', '308']);

/**
 * Reads as far as the XML is well-formed: a location counts from its start tag on. Bare `&`, as records in
 * the wild have it, stands for itself; so does every entity but the five of XML. No document type is read.
 * @param asked the name that was asked for, which templates are expanded with
 */
export function parseLocations(xml: string, asked: HandleName): LocationList {
  const elements: Element[] = [];
  const fault = readElements(xml, elements);
  const [root, ...children] = elements;
  if (root?.name !== 'locations') {
    return { chooseBy: [], locations: [], fault: fault ?? 'The outermost element is not "locations".' };
  }
  const listStatus = toStatus(attributeOf(root, 'http_sc')) ?? DEFAULT_STATUS;
  return {
    chooseBy: toMethods(attributeOf(root, 'chooseby') ?? attributeOf(root, 'choose_by')),
    locations: children.flatMap((element) => toLocation(element, listStatus, asked) ?? []),
    fault,
  };
}

/** The value of a location's attribute; null when it has none of that name. */
export function attributeOf(
  { attributes }: { readonly attributes: readonly LocationAttribute[] },
  wanted: string,
): string | null {
  return attributes.find(({ name }) => name === wanted)?.value ?? null;
}

interface Element {
  readonly name: string;
  readonly attributes: LocationAttribute[];
}

class XmlFault extends Error {}

/** Collects the outermost element and its `location` children; returns why it could not go on. */
function readElements(xml: string, elements: Element[]): string | null {
  if (xml.length > MAX_CHARACTERS) return `The XML is longer than ${MAX_CHARACTERS} characters.`;
  const parser = new SaxesParser({ position: false });
  const stop = (reason: string): never => {
    throw new XmlFault(reason);
  };
  let depth = 0;
  let attributes: LocationAttribute[] = [];

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
    return null;
  } catch (error) {
    if (error instanceof XmlFault) return error.message;
    throw error;
  }
}

function toLocation(element: Element, listStatus: number, asked: HandleName): Location | null {
  const template = attributeOf(element, 'href_template');
  const href = attributeOf(element, 'href') ?? (template === null ? null : expand(template, asked));
  if (href === null) return null;
  return Object.freeze({
    href,
    weight: toWeight(attributeOf(element, 'weight')),
    statusCode: toStatus(attributeOf(element, 'http_sc')) ?? listStatus,
    attributes: Object.freeze(element.attributes),
  });
}

function expand(template: string, asked: HandleName): string {
  return template
    .replaceAll('{hdl}', () => encodeURIComponent(asked))
    .replaceAll('{hdl:path}', () => handlePath(asked));
}

/** An unreadable weight is 1. */
function toWeight(text: string | null): number {
  const isNumber = text !== null && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  const weight = isNumber ? Number(text) : 1;
  return Number.isFinite(weight) ? weight : 1;
}

/** An invalid status is taken for the default, not for the list's. */
function toStatus(text: string | null): number | null {
  if (text === null) return null;
  return REDIRECT_STATUSES.has(text.trim()) ? Number(text) : DEFAULT_STATUS;
}

function toMethods(text: string | null): string[] {
  return (text ?? DEFAULT_METHODS).split(',').map((method) => method.trim().toLowerCase());
}
