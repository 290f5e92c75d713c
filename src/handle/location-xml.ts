// Reads the elements of a 10320/loc value's XML as far as it is well-formed.

import { SaxesParser } from 'saxes';

export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

export interface XmlElement {
  readonly name: string;
  /** as written, in order */
  readonly attributes: readonly XmlAttribute[];
}

export interface ReadXml {
  /** the outermost element, then the `location` elements directly in it */
  readonly elements: readonly XmlElement[];
  /** why reading ended early, in words for people; null when everything was read */
  readonly fault: string | null;
}

export const MAX_CHARACTERS = 262_144;
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 64;
const MAX_LOCATIONS = 1_000;

class XmlFault extends Error {}

/**
 * An element counts from its start tag on. Bare `&`, as records in the wild have it, stands for itself; so
 * does every entity but the five of XML. No document type is read.
 */
export function readXml(xml: string): ReadXml {
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
