// Parts of the attacks' requests.

import { names } from '../../bench/peers/data.mjs';

export interface Operation {
  readonly query: string;
  readonly variables?: unknown;
}

export const op = (query: string, variables?: unknown): Operation => ({ query, variables });
export const dois = (fields: string, more = ''): string =>
  `query($n:[String!]!${more}){dois(inputs:$n){${fields}}}`;
export const doi = (fields: string, more = ''): string =>
  `query($n:String!${more}){doi(input:$n){${fields}}}`;

export const list = <T>(count: number, item: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => item(n));
/** A text of `count` pieces. All are the same, or a function makes the n-th piece. */
export const times = (count: number, item: string | ((n: number) => string), between = ' '): string =>
  list(count, (n) => (typeof item === 'string' ? item : item(n))).join(between);
/** `a0:field a1:field …` */
export const graphqlAliases = (count: number, field: string): string => times(count, (n) => `a${n}:${field}`);
/** Nests `inner` in `depth` pairs of brackets, such as `{a{a{…}}}`. */
export const nest = (depth: number, open: string, inner: string, close = '}'): string =>
  open.repeat(depth) + inner + close.repeat(depth);
/** The n-th of the texts, which repeat after the last. */
export const oneOf = (n: number, ...texts: string[]): string => texts[n % texts.length] ?? '';

export const letters = (count: number): string => 'x'.repeat(count);
/** Names with a record in the directory. */
export const known = (count: number): string[] => names.slice(0, count);
/** Short names without a record. */
export const short = (count: number): string[] => list(count, (n) => `10.1/${n}`);
export const NAME = names[0] ?? '';

export const FORMS =
  'name display uri url dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints';
const PARSED =
  'form input fragment proxyParameters{name value} problem{code message position} doi{name uri warnings{code}}';
export const PARSE_DOI = `query($n:String!){parseDoi(input:$n){${PARSED}}}`;
export const PARSE_DOIS = `query($n:[String!]!){parseDois(inputs:$n){${PARSED}}}`;
export const EQUIVALENCE_CLASSES =
  'query($n:[String!]!){doiEquivalenceClasses(inputs:$n){classes{doi{canonicalName}members{index input}}unreadable{index input problem{code message}}}}';
