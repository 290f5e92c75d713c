// What a client accepts: the one place that reads Accept and Accept-Encoding.

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { HttpRequest } from '../request/exchange.ts';

/** Reading a header takes time with its length, so a longer one says nothing. Those of browsers have 200. */
const MAX_CHARACTERS = 1_000;
/** Each is compared with each type on offer. */
const MAX_RANGES = 50;
/** There are few different headers in use. */
const MAX_REMEMBERED = 256;

const ANYTHING = '*/*';

type Asking = Pick<HttpRequest, 'header'>;

/**
 * The type of `offered` that the client likes best, the first where it likes several equally; null where it
 * accepts none. A client without an Accept header, or with one that is too long to be read, takes anything.
 * @param offered a constant: answers are remembered for this very list
 */
export function preferredType<Type extends string>(request: Asking, offered: readonly Type[]): Type | null {
  let choose = choices.get(offered);
  if (choose === undefined) {
    choose = remembering((accept) => new Negotiator({ headers: { accept } }).mediaType(offered) ?? null);
    choices.set(offered, choose);
  }
  return choose(readable(request.header('accept')) ?? ANYTHING) as Type | null;
}

const choices = new WeakMap<readonly string[], (accept: string) => string | null>();

/** A media range of an Accept header. */
export interface AcceptedType {
  /** in lower case, without parameters: `application/x-bibtex` */
  readonly type: string;
  readonly quality: number;
  /** by name in lower case, as written: `style`, `locale` */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The types that a client which asks for data accepts, best first, up to the first range with `*`. Null for a person:
 * what a browser may want is as good as the best type. (The reference proxy decides by the same rule.)
 */
export function acceptedData(request: Asking): readonly AcceptedType[] | null {
  return readData(readable(request.header('accept')) ?? ANYTHING);
}

const FOR_PEOPLE =
  /\*|^(?:text\/x?html|application\/xhtml\+xml|application\/pdf|image\/.*|audio\/.*|video\/.*)$/;

const readData = remembering((accept): readonly AcceptedType[] | null => {
  const ranges = readAccept(accept);
  const [best] = ranges;
  const forPeople = ranges.find(({ type }) => FOR_PEOPLE.test(type));
  if (best === undefined || best.quality <= (forPeople?.quality ?? 0)) return null;
  const wildcard = ranges.findIndex(({ type }) => type.includes('*'));
  return Object.freeze(
    (wildcard === -1 ? ranges : ranges.slice(0, wildcard)).filter(({ quality }) => quality > 0),
  );
});

/** Best first, equally good ones as they stand in the header. What is no media range is left out. */
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

/** One that cannot be read is 1. Clients in the wild send more than 1. */
function toQuality(text: string | undefined): number {
  return text !== undefined && /^(?:\d{1,9}\.?\d{0,9}|\.\d{1,9})$/.test(text) ? Number(text) : 1;
}

export type Encoding = 'br' | 'gzip' | 'identity';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/**
 * The encoding for a body. `identity` also for a client that accepts nothing at all, and for one whose
 * Accept-Encoding is missing or too long to be read.
 */
export function preferredEncoding(request: Asking): Encoding {
  const accepted = readable(request.header('accept-encoding'));
  return accepted === undefined ? 'identity' : chooseEncoding(accepted);
}

/** The `preferred` option is there since 1.0, but not in the types. */
type PreferringNegotiator = Negotiator & {
  encoding(available: readonly string[], options: { readonly preferred: string[] }): Encoding | undefined;
};

const chooseEncoding = remembering((accepted) => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as PreferringNegotiator;
  return negotiator.encoding(ENCODINGS, { preferred: ['br'] }) ?? 'identity';
});

/** Undefined for a header that is missing, or too long to be meant seriously. */
function readable(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  let ranges = 1;
  for (let comma = header.indexOf(','); comma !== -1; comma = header.indexOf(',', comma + 1)) ranges += 1;
  return ranges > MAX_RANGES ? undefined : header;
}

function remembering<Choice>(choose: (header: string) => Choice): (header: string) => Choice {
  // What is chosen may be null, which the cache would take for a thing to forget.
  const known = new LRUCache<string, { readonly choice: Choice }>({ max: MAX_REMEMBERED });
  let last: string | undefined;
  let lastChoice: Choice;
  return (header) => {
    if (header === last) return lastChoice;
    let entry = known.get(header);
    if (entry === undefined) {
      entry = { choice: choose(header) };
      known.set(header, entry);
    }
    last = header;
    lastChoice = entry.choice;
    return lastChoice;
  };
}

/**
 * A query as it came, with its `?`, for a Location header: what may not stand there is percent-encoded.
 * Empty where there is none.
 */
export function locationQuery(query: string): string {
  if (query === '') return '';
  return `?${query.replace(/[^\x21-\x7E]/gu, (character) => encodeURIComponent(character.toWellFormed()))}`;
}
