// The requests to the REST APIs of Crossref and DataCite for metadata.
// https://www.crossref.org/documentation/retrieve-metadata/rest-api/ and https://support.datacite.org/docs/api

import { canonicalName, type HandleName } from 'doi-names';
import { asArray, asObject, type WireObject } from '../../handle/json.ts';
import { CROSSREF_FIELDS } from '../../works/crossref-work.ts';
import { DATACITE_FIELDS, dataciteDoi } from '../../works/datacite-work.ts';
import type { UpstreamRequest } from '../dispatch.ts';
import type { ResponseReader } from '../response-body.ts';
import {
  apiReader,
  type BatchAnswer,
  itemsByName,
  MAX_FOUND,
  MAX_LIST_BYTES,
  searchReader,
} from './api-readers.ts';

export interface ApiLimit {
  readonly requests: number;
  readonly seconds: number;
  readonly concurrent: number;
}

/** One kind of request to an API. */
export interface ApiRequests {
  /** the documented limit if CONTACT is set */
  readonly limit: ApiLimit;
  /** the documented limit without CONTACT */
  readonly anonymousLimit: ApiLimit;
  /** maximum number of names in one request */
  readonly maxNames: number;
  /** the longest path with its query */
  readonly maxPathBytes: number;
  readonly encode: (name: HandleName) => string;
  readonly path: (encodedNames: readonly string[]) => string;
  readonly reader: ResponseReader<BatchAnswer>;
}

export interface WorksApi {
  /** the agency's label in the Which RA service */
  readonly agency: 'Crossref' | 'DataCite';
  readonly list: ApiRequests;
  /** for the references of several works */
  readonly references: ApiRequests;
  readonly single: ApiRequests;
  /** The search for a work by words. The words stand in place of the name. The limit is the limit of `list`. */
  readonly search: ApiRequests;
  /** whether both kinds of requests share one limit */
  readonly sharesLimit: boolean;
  /** Whether a request for several names can contain this name. */
  readonly mayList: (name: HandleName) => boolean;
}

/** Encodes a name, but keeps `/`, `:` and `;`, which need no escape in a query. */
function encodeForQuery(name: HandleName): string {
  return encodeURIComponent(name).replace(/%(?:2F|3A|3B)/g, decodeURIComponent);
}

/** A work can have thousands of references. */
const MAX_NAMES_WITH_REFERENCES = 10;

function crossrefListPath(fields: readonly string[]): ApiRequests['path'] {
  return (names) => `/works?filter=${names.join(',')}&rows=${names.length}&select=${fields.join(',')}`;
}

function datacitePath(fields: readonly string[]): ApiRequests['path'] {
  return (names) =>
    `/dois?ids=${names.join(',')}&page%5Bsize%5D=${names.length}&affiliation=true&publisher=true&fields%5Bdois%5D=${fields.join(',')}`;
}

const CROSSREF_LIST: ApiRequests = {
  limit: { requests: 3, seconds: 1, concurrent: 3 },
  anonymousLimit: { requests: 1, seconds: 1, concurrent: 1 },
  maxNames: 50,
  maxPathBytes: 3_800,
  encode: (name) => `doi:${encodeForQuery(name)}`,
  path: crossrefListPath(CROSSREF_FIELDS),
  reader: apiReader(
    [200, 400],
    (json, status) =>
      status === 400
        ? { kind: 'REFUSED', names: refusedNames(json) }
        : itemsByName(asArray(asObject(json['message'], 'message')['items'], 'items'), ({ DOI }) => DOI),
    MAX_LIST_BYTES,
  ),
};

/** Reads `{"message": [{"value": "10.5555/a b", …}]}`, with or without `doi:` before the name. */
function refusedNames({ message }: WireObject): ReadonlySet<HandleName> {
  const problems = Array.isArray(message) ? message : [];
  const values = problems.map((problem: { readonly value?: unknown } | null) => problem?.value);
  return new Set(
    values
      .filter((value) => typeof value === 'string')
      .map((value) => canonicalName(value.replace(/^doi:/i, '') as HandleName)),
  );
}

/** The words of a search fill at most this part of the path. Letters of most scripts need 6 to 9 bytes each. */
const MAX_WORDS_BYTES = 2_800;

/** The words that fit in the path. */
function encodeWords(words: string): string {
  const encoded = words.split(' ').map(encodeURIComponent);
  let bytes = 0;
  const fitting = encoded.filter((word) => {
    bytes += word.length + '+'.length;
    return bytes <= MAX_WORDS_BYTES;
  });
  return fitting.join('+');
}

const CROSSREF: WorksApi = {
  agency: 'Crossref',
  search: {
    ...CROSSREF_LIST,
    maxNames: 1,
    encode: encodeWords,
    path: ([words]) =>
      `/works?query.bibliographic=${words}&rows=${MAX_FOUND}&select=${CROSSREF_FIELDS.join(',')}`,
    reader: searchReader([200], (json) => asObject(json['message'], 'message')['items']),
  },
  list: CROSSREF_LIST,
  references: {
    ...CROSSREF_LIST,
    maxNames: MAX_NAMES_WITH_REFERENCES,
    path: crossrefListPath(['DOI', 'reference']),
  },
  single: {
    limit: { requests: 10, seconds: 1, concurrent: 3 },
    anonymousLimit: { requests: 5, seconds: 1, concurrent: 1 },
    maxNames: 1,
    maxPathBytes: Number.POSITIVE_INFINITY,
    encode: encodeURIComponent,
    path: ([name]) => `/works/${name}`,
    // The reader does not compare the item's DOI, because for an alias the API returns the item of the other DOI.
    reader: apiReader([200], (json) => {
      const item = asObject(json['message'], 'message');
      return { kind: 'FOUND', find: () => item };
    }),
  },
  sharesLimit: false,
  // A filter of the API allows only ASCII without spaces and commas.
  mayList: (name) => /^10\.\d{4,9}\/[!-+\--~]+$/.test(name),
};

const DATACITE_REQUESTS: ApiRequests = {
  limit: { requests: 1_000, seconds: 300, concurrent: 8 },
  anonymousLimit: { requests: 500, seconds: 300, concurrent: 8 },
  maxNames: 100,
  maxPathBytes: 7_500,
  encode: encodeForQuery,
  path: datacitePath(DATACITE_FIELDS),
  // If a name has no item, the gateway later requests this name alone.
  reader: apiReader([200], (json) => itemsByName(asArray(json['data'], 'data'), dataciteDoi), MAX_LIST_BYTES),
};

const DATACITE: WorksApi = {
  agency: 'DataCite',
  search: {
    ...DATACITE_REQUESTS,
    maxNames: 1,
    encode: encodeURIComponent,
    path: ([query]) =>
      `/dois?query=${query}&page%5Bsize%5D=${MAX_FOUND}&affiliation=true&publisher=true&fields%5Bdois%5D=${DATACITE_FIELDS.join(',')}`,
    // A query that the service refuses finds nothing.
    reader: searchReader([200, 400], (json) => json['data']),
  },
  list: DATACITE_REQUESTS,
  references: {
    ...DATACITE_REQUESTS,
    maxNames: MAX_NAMES_WITH_REFERENCES,
    path: datacitePath(['doi', 'state', 'client', 'relatedIdentifiers']),
  },
  // `/dois/{doi}` ignores `fields`, and can take minutes.
  single: { ...DATACITE_REQUESTS, maxNames: 1 },
  sharesLimit: true,
  mayList: (name) => /^[!-+\--~]+$/.test(name),
};

export const WORKS_APIS: readonly WorksApi[] = [CROSSREF, DATACITE];

export function apiRequest(
  { path, reader }: ApiRequests,
  encodedNames: readonly string[],
): UpstreamRequest<BatchAnswer> {
  return { endpoint: 'works', path: path(encodedNames), reader };
}
