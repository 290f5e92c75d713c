// Reads Accept and Accept-Encoding, and chooses the type and the encoding of a response.

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { HttpRequest } from '../request/exchange.ts';

/** A longer header is ignored, because it takes long to parse. The headers of browsers have about 200 characters. */
const MAX_CHARACTERS = 1_000;
/** A header with more media ranges is ignored, because each range is compared with each offered type. */
const MAX_RANGES = 50;
/** Maximum number of headers with a remembered choice. Clients send few different headers. */
const MAX_REMEMBERED = 256;

const ANYTHING = '*/*';

type WithHeaders = Pick<HttpRequest, 'header'>;

/**
 * The first of the offered types that the client prefers. Null if the client accepts none of them. Without an Accept
 * header, or with an ignored header, the client accepts every type.
 * @param offered must be a constant list, because choices are remembered by list object
 */
export function preferredType<Type extends string>(
  request: WithHeaders,
  offered: readonly Type[],
): Type | null {
  let choose = choices.get(offered);
  if (choose === undefined) {
    choose = rememberChoices((accept) => new Negotiator({ headers: { accept } }).mediaType(offered) ?? null);
    choices.set(offered, choose);
  }
  return choose(usable(request.header('accept')) ?? ANYTHING) as Type | null;
}

const choices = new WeakMap<readonly string[], (accept: string) => string | null>();

/** A media range of an Accept header. */
export interface AcceptedType {
  /** in lower case, without parameters: `application/x-bibtex` */
  readonly type: string;
  readonly quality: number;
  /** The names are in lower case, the values unchanged: `style`, `locale`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The types of metadata that a program accepts, best first. The list ends before the first range with `*`. Null for a
 * person: the highest quality belongs to a type that browsers want, such as HTML. The DOI proxy has the same rule.
 */
export function acceptedData(request: WithHeaders): readonly AcceptedType[] | null {
  return readData(usable(request.header('accept')) ?? ANYTHING);
}

const FOR_PEOPLE =
  /\*|^(?:text\/x?html|application\/xhtml\+xml|application\/pdf|image\/.*|audio\/.*|video\/.*)$/;

const readData = rememberChoices((accept): readonly AcceptedType[] | null => {
  const ranges = readAccept(accept);
  const [best] = ranges;
  const forPeople = ranges.find(({ type }) => FOR_PEOPLE.test(type));
  if (best === undefined || best.quality <= (forPeople?.quality ?? 0)) return null;
  const wildcard = ranges.findIndex(({ type }) => type.includes('*'));
  return Object.freeze(
    (wildcard === -1 ? ranges : ranges.slice(0, wildcard)).filter(({ quality }) => quality > 0),
  );
});

/** Sorts by quality. Ranges of equal quality keep the order of the header. Skips invalid ranges. */
function readAccept(accept: string): readonly AcceptedType[] {
  const ranges = accept.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  return ranges.flatMap((range) => readRange(range) ?? []).sort((a, b) => b.quality - a.quality);
}

function readRange(range: string): AcceptedType | null {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim());
  if (!/^(?:[^\s/]+\/[^\s/]+|\*)$/.test(type)) return null;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [, name, value = ''] = /^([^\s=]+)\s*=\s*"?([^"]*?)"?$/.exec(part) ?? [];
    if (name !== undefined && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return Object.freeze({ type: type.toLowerCase(), quality: toQuality(parameters.get('q')), parameters });
}

/** Returns 1 for an invalid quality. The result can be more than 1, because some clients send more. */
function toQuality(text: string | undefined): number {
  return text !== undefined && /^(?:\d{1,9}\.?\d{0,9}|\.\d{1,9})$/.test(text) ? Number(text) : 1;
}

export type Encoding = 'br' | 'gzip' | 'identity';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Prefers Brotli if the client has no preference. Returns `identity` if Accept-Encoding is missing or ignored. */
export function preferredEncoding(request: WithHeaders): Encoding {
  const accepted = usable(request.header('accept-encoding'));
  return accepted === undefined ? 'identity' : chooseEncoding(accepted);
}

/** Version 1.0 of negotiator added the option `preferred`, but its types do not have this option. */
type PreferringNegotiator = Negotiator & {
  encoding(available: readonly string[], options: { readonly preferred: string[] }): Encoding | undefined;
};

const chooseEncoding = rememberChoices((accepted) => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as PreferringNegotiator;
  return negotiator.encoding(ENCODINGS, { preferred: ['br'] }) ?? 'identity';
});

/** Undefined for a header that is missing or ignored. */
function usable(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  let ranges = 1;
  for (let comma = header.indexOf(','); comma !== -1; comma = header.indexOf(',', comma + 1)) ranges += 1;
  return ranges > MAX_RANGES ? undefined : header;
}

function rememberChoices<Choice>(choose: (header: string) => Choice): (header: string) => Choice {
  // A choice is wrapped in an object, because the cache does not accept null.
  const known = new LRUCache<string, { readonly choice: Choice }>({ max: MAX_REMEMBERED });
  return (header) => {
    let entry = known.get(header);
    if (entry === undefined) {
      entry = { choice: choose(header) };
      known.set(header, entry);
    }
    return entry.choice;
  };
}

/**
 * The query with `?`, for a Location header. Encodes characters that the header does not allow. Empty without a query.
 */
export function locationQuery(query: string): string {
  if (query === '') return '';
  return `?${query.replace(/[^\x21-\x7E]/gu, (character) => encodeURIComponent(character.toWellFormed()))}`;
}
