// Crossref's REST API, as SPEC 10 describes it: /works?filter=doi:… and /works/{doi}.
// https://github.com/CrossRef/rest-api-doc

import { type Search, searchOf } from '../fake-search.ts';
import {
  type AgencyApi,
  type AgencyRequest,
  type AgencyResponse,
  avoidable,
  type Entry,
  html,
  isIdentified,
  type Refusal,
} from './agency-api.ts';
import { type AgencyWork, isRetracted } from './agency-works.ts';

const PARAMETERS = new Set(['filter', 'query.bibliographic', 'rows', 'select', 'mailto']);
const MAX_NAMES = 50;
const MAX_TARGET_BYTES = 3_800;
const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 20;
const NAME = /^10\.\d{4,9}\/[\x21-\x7e]+$/;

/** The list of the API itself, from November 2026. */
const SELECTS: ReadonlySet<string> = new Set(
  `abstract URL resource member posted score created degree update-policy short-title license ISSN container-title
  issued update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title DOI
  is-referenced-by-count updated-by event chair standards-body original-title funder translator published archive
  published-print alternative-id subject subtitle published-online publisher-location content-domain reference title
  link type publisher volume references-count ISBN issn-type assertion deposited page content-created
  short-container-title relation editor`.split(/\s+/),
);

/** Requests a second for one work and for lists, and requests at the same time. */
const POOLS = {
  public: { single: 5, list: 1, concurrency: 1 },
  polite: { single: 10, list: 3, concurrency: 3 },
  plus: { single: 150, list: 150, concurrency: 150 },
};

/**
 * @param isRefused whether the validator of the filter refuses a name
 * @param search finds items by words
 */
export function createCrossrefApi(
  works: readonly AgencyWork[],
  isRefused: (name: string) => boolean = (name) => name.includes('/refused-'),
  search: Search<Entry> = searchOf(works.filter(({ title }) => title !== null).map(itemOf)),
): AgencyApi {
  const byName = new Map(works.map((work) => [work.name.toLowerCase(), work]));

  function refusalOf(names: readonly string[], query: URLSearchParams): Refusal | null {
    const unknown = [...query.keys()].find((key) => !PARAMETERS.has(key));
    if (unknown !== undefined) return avoidable(failure('unknown-parameter', unknown));
    const rows = query.get('rows') ?? '';
    if (!/^\d*$/.test(rows) || Number(rows) > MAX_ROWS) return avoidable(failure('integer-not-valid', rows));
    const select = query
      .get('select')
      ?.split(',')
      .find((member) => !SELECTS.has(member));
    if (select !== undefined) return avoidable(failure('select-not-available', select));
    // A name with a comma is two filters.
    const filter = query
      .get('filter')
      ?.split(',')
      .find((text) => !text.startsWith('doi:'));
    if (filter !== undefined) return avoidable(failure('filter-not-available', filter));
    if (names.length > MAX_NAMES) return avoidable(failure('parameter-not-allowed', 'filter'));
    const malformed = names.find((name) => !NAME.test(name));
    if (malformed !== undefined) return avoidable(failure('doi-not-valid', malformed));
    const refused = names.filter(isRefused);
    return refused.length === 0
      ? null
      : { response: failure('doi-not-valid', ...refused), isAvoidable: false };
  }

  function readList(query: URLSearchParams): AgencyRequest {
    const words = query.get('query.bibliographic');
    const names = (query.get('filter')?.split(',') ?? []).map((text) => text.replace(/^doi:/, ''));
    const select = query.get('select')?.split(',');
    const refusal = refusalOf(names, query);
    return {
      kind: 'list',
      names,
      ...(words !== null && { words }),
      members: select ? new Set(select) : null,
      rows: Number(query.get('rows') ?? DEFAULT_ROWS),
      ...(refusal && { refusal }),
    };
  }

  return {
    name: 'crossref',
    limit(kind, headers) {
      const plus = headers['crossref-plus-api-token']?.toString().startsWith('Bearer ');
      const pool = plus ? 'plus' : isIdentified(headers) ? 'polite' : 'public';
      const { [kind]: requests, concurrency } = POOLS[pool];
      const sent = {
        'x-rate-limit-limit': String(requests),
        'x-rate-limit-interval': '1s',
        'x-concurrency-limit': String(concurrency),
        'x-api-pool': pool,
      };
      return { pool, requests, seconds: 1, concurrency, headers: sent };
    },
    read(target) {
      const [path = '', query = ''] = target.split('?');
      const isList = path === '/works';
      const request: AgencyRequest = isList
        ? readList(new URLSearchParams(query))
        : { kind: 'single', names: [nameIn(path)], members: null, rows: 1 };
      if (target.length > MAX_TARGET_BYTES) return { ...request, refusal: avoidable(html(414, 'Too long')) };
      if (!isList && query !== '')
        return { ...request, refusal: avoidable(failure('parameter-not-allowed', query)) };
      if (!isList && !path.startsWith('/works/')) return { ...request, refusal: avoidable(NOT_FOUND) };
      return request;
    },
    entries({ kind, names, words, rows }) {
      if (words !== undefined) return [...search(words, rows)];
      const found: Entry[] = [];
      for (const name of new Set(names.map((name) => name.toLowerCase()))) {
        const work = byName.get(name);
        if (!work || work.title === null) continue;
        if (kind === 'single') found.push({ ...itemOf(work), ...SINGLE_MEMBERS });
        else if (work.primary === null) found.push(itemOf(work));
      }
      return found;
    },
    respond({ kind, members, rows }, entries) {
      const [first] = entries;
      if (kind === 'single') return first ? ok('work', first) : NOT_FOUND;
      const items = entries
        .slice(0, rows)
        .map((entry) =>
          Object.fromEntries(Object.entries(entry).filter(([key]) => members?.has(key) ?? true)),
        );
      return ok('work-list', { facets: {}, 'total-results': entries.length, items, 'items-per-page': rows });
    },
    refusal: (name) => (name === null ? html(400, 'Bad Request') : failure('doi-not-valid', name)),
    nameOf: ({ DOI }) => String(DOI),
    faulty(entry, fault, other) {
      if (fault === 'OTHER_NAME') return { ...entry, DOI: other };
      if (fault !== 'ABOUT_ANOTHER') return null;
      return {
        ...entry,
        'update-to': [{ DOI: other, type: 'retraction', source: 'publisher', updated: DATE }],
      };
    },
  };
}

function nameIn(path: string): string {
  return decodeURIComponent(path.replace(/^\/works\//, ''));
}

const NOT_FOUND: AgencyResponse = { status: 404, type: 'text/plain', body: 'Resource not found.' };
const DATE = { 'date-parts': [[2024, 2, 29]] };

/** The members that only the response for one work has: `select` does not accept `language`. */
const SINGLE_MEMBERS = { language: 'en' };

function itemOf({ name, primary, number, title, cites }: AgencyWork): Entry {
  const notice = { DOI: `10.5555/notice-${number}`, type: 'retraction', source: 'publisher', updated: DATE };
  return {
    DOI: (primary ?? name).toLowerCase(),
    type: 'journal-article',
    title: [title],
    author: [{ given: 'Josiah', family: `Carberry ${number}`, sequence: 'first', affiliation: [] }],
    'container-title': ['Journal of Psychoceramics'],
    issued: { 'date-parts': [[2020, 7, 29]] },
    publisher: 'Press',
    URL: `https://doi.org/${(primary ?? name).toLowerCase()}`,
    relation: {},
    ...(isRetracted(number) && { 'updated-by': [notice] }),
    ...(cites && {
      reference: cites.map((cited, at) => ({
        ...{ key: `ref${at}`, DOI: cited, 'doi-asserted-by': 'publisher', unstructured: `Reference ${at}.` },
      })),
    }),
  };
}

function ok(kind: string, message: unknown): AgencyResponse {
  const body = { status: 'ok', 'message-type': kind, 'message-version': '1.0.0', message };
  return { status: 200, type: 'application/json', body };
}

function failure(type: string, ...values: string[]): AgencyResponse {
  const message = values.map((value) => ({ type, value, message: `${value} is refused: ${type}` }));
  const body = { status: 'failed', 'message-type': 'validation-failure', message };
  return { status: 400, type: 'application/json', body };
}
