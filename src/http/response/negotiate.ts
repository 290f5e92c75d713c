// Reads Accept and Accept-Encoding, and chooses the type and the encoding of a response.

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import {
  type AcceptedType,
  type ClientPreferences,
  readDataTypes,
  readPreferences,
  usableHeader,
} from '../../handle/client-preferences.ts';
import type { HttpRequest } from '../request/exchange.ts';

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
    choose = rememberChoices((header) => {
      const accept = header.replaceAll(UTF8, '');
      return new Negotiator({ headers: { accept } }).mediaType(offered) ?? null;
    });
    choices.set(offered, choose);
  }
  return choose(usableHeader(request.header('accept')) ?? ANYTHING) as Type | null;
}

/** Every response is UTF-8. Some clients, such as machinebox/graphql for Go, request this in their media ranges. */
const UTF8 = /;\s*charset\s*=\s*(?:utf-8|"utf-8")(?=\s*(?:[;,]|$))/gi;

const choices = new WeakMap<readonly string[], (accept: string) => string | null>();

/** The locations that the client prefers at `/{name}`. */
export function clientPreferences(request: WithHeaders): ClientPreferences {
  return readPreferences({
    accept: request.header('accept'),
    acceptLanguage: request.header('accept-language'),
    userAgent: request.header('user-agent'),
  });
}

const readData = rememberChoices(readDataTypes);

/** The types of metadata that a program accepts, best first. Null for a person. */
export function acceptedData(request: WithHeaders): readonly AcceptedType[] | null {
  return readData(usableHeader(request.header('accept')) ?? ANYTHING);
}

export type Encoding = 'br' | 'gzip' | 'identity';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Prefers Brotli if the client has no preference. Returns `identity` if Accept-Encoding is missing or ignored. */
export function preferredEncoding(request: WithHeaders): Encoding {
  const accepted = usableHeader(request.header('accept-encoding'));
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
