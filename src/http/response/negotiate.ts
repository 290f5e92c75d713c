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

/** Whether the media type that an Accept header likes best is a concrete one that is no page for people. */
export function wantsData(accept: string | undefined): boolean {
  return likesData(readable(accept) ?? ANYTHING);
}

const FOR_PEOPLE = new Set(['text/html', 'application/xhtml+xml']);

const likesData = remembering((accept) => {
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes();
  return best !== undefined && !best.includes('*') && !FOR_PEOPLE.has(best.toLowerCase());
});

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

function remembering<Choice extends string | boolean | null>(
  choose: (header: string) => Choice,
): (header: string) => Choice {
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
