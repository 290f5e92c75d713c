// Who is compared: findDois, and three expressions that are in use. They find; none of them decodes or repairs.

import { createRequire } from 'node:module';
import { installFromNpm } from '../../conformance/libraries/libraries.ts';
import { findDois } from '../../src/doi/find/find-dois.ts';

export interface Found {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Finder {
  readonly title: string;
  find(text: string): readonly Found[];
}

export const OURS: Finder = { title: 'findDois', find: (text) => findDois(text) };

/** As Crossref published it for matching modern names, without its anchors. */
const CROSSREF = /10\.\d{4,9}\/[-._;()/:A-Z0-9]+/gi;

/** In the style of the Ruby gem identifiers: up to the check character of a SICI, a closed bracket, or what is no punctuation. */
const IDENTIFIERS = /\b10\.\d{4,9}\/(?:\S+;2-[#0-9a-z]|\S+\([^\s)]+\)(?![^\s\p{P}])|\S*[^\s\p{P}])/giu;

/** Installs doi-regex where it is not. */
export function otherFinders(): readonly Finder[] {
  installFromNpm();
  const libraries = new URL('../../conformance/libraries/package.json', import.meta.url);
  const doiRegex = createRequire(libraries)('doi-regex') as () => RegExp;
  return [
    { title: 'doi-regex 0.1.17', find: (text) => matches(text, doiRegex()) },
    { title: "identifiers' style", find: (text) => matches(text, IDENTIFIERS) },
    { title: "Crossref's expression", find: (text) => matches(text, CROSSREF) },
  ];
}

function matches(text: string, expression: RegExp): Found[] {
  const flags = expression.flags.includes('g') ? expression.flags : `${expression.flags}g`;
  return Array.from(text.matchAll(new RegExp(expression.source, flags)), (match) => {
    const name = match[0].replace(/^doi:/i, '');
    const end = match.index + match[0].length;
    return { name, start: end - name.length, end };
  });
}
