// Reads the wanted elements of the XML in a handle value. Stops at the first fault, and keeps the elements before it.

import { SaxesParser } from 'saxes';

export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

export interface XmlElement {
  readonly name: string;
  /** all attributes in their order, unchanged */
  readonly attributes: readonly XmlAttribute[];
  /** the text of the element, without the text of its children */
  readonly text: string;
}

export interface ReadXml {
  /** the root element, then each wanted element in it */
  readonly elements: readonly XmlElement[];
  /** a sentence for people: why the gateway could not read the whole XML; null if there is no fault */
  readonly fault: string | null;
}

export interface WantedElements {
  /** @param depth 1 for children of the root element */
  isWanted(name: string, depth: number): boolean;
  /** the maximum number of wanted elements */
  readonly maxElements: number;
  /** what messages call the elements, such as "locations" */
  readonly plural: string;
}

export const MAX_XML_CHARACTERS = 262_144;
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 64;

const NOT_WELL_FORMED = 'The XML is not well-formed.';

class XmlFault extends Error {}

/**
 * A single `&` is no fault, because some records contain it. Unknown entities such as `&nbsp;` are no fault either:
 * they stay unchanged. A document type is a fault. Never throws.
 */
export function readXml(xml: string, { isWanted, maxElements, plural }: WantedElements): ReadXml {
  const elements: { name: string; attributes: readonly XmlAttribute[]; text: string }[] = [];
  if (xml.length > MAX_XML_CHARACTERS) {
    return { elements, fault: `The XML is longer than ${MAX_XML_CHARACTERS} characters.` };
  }
  const parser = new SaxesParser({ position: false });
  const stop = (reason: string): never => {
    throw new XmlFault(reason);
  };
  /** the open elements, the root first; null for an element that is not wanted */
  const openElements: ((typeof elements)[number] | null)[] = [];
  let attributes: XmlAttribute[] = [];

  parser.on('error', () => stop(NOT_WELL_FORMED));
  parser.on('doctype', () => stop('The XML has a document type, which is not read.'));
  parser.on('opentagstart', () => {
    attributes = [];
  });
  parser.on('attribute', (attribute) => {
    if (attributes.length === MAX_ATTRIBUTES) stop(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
    attributes.push(Object.freeze({ name: attribute.name, value: attribute.value }));
  });
  parser.on('opentag', ({ name }) => {
    const depth = openElements.length;
    if (depth === MAX_DEPTH) stop(`The XML is nested deeper than ${MAX_DEPTH} levels.`);
    const element = depth === 0 || isWanted(name, depth) ? { name, attributes, text: '' } : null;
    openElements.push(element);
    if (element === null) return;
    if (elements.length > maxElements) stop(`There are more than ${maxElements} ${plural}.`);
    elements.push(element);
  });
  parser.on('text', (text) => {
    const element = openElements.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => {
    openElements.pop();
  });

  try {
    parser.write(xml.replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)/g, '&amp;')).close();
    return { elements, fault: null };
  } catch (error) {
    // saxes throws a RangeError for a single surrogate in a declaration.
    return { elements, fault: error instanceof XmlFault ? error.message : NOT_WELL_FORMED };
  }
}

/** The value of an element's attribute. Null if the element has no such attribute. */
export function attributeOf(
  { attributes }: { readonly attributes: readonly XmlAttribute[] },
  wanted: string,
): string | null {
  for (const { name, value } of attributes) if (name === wanted) return value;
  return null;
}
