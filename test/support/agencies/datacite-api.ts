// DataCite's REST API, as SPEC 10 describes it: /dois?ids=…
// https://support.datacite.org/docs/api-get-lists

import { type Search, searchOf } from '../fake-search.ts';
import { type AgencyApi, type AgencyResponse, avoidable, type Entry, isIdentified } from './agency-api.ts';
import type { AgencyWork } from './agency-works.ts';

const MAX_NAMES = 100;
const DEFAULT_ROWS = 25;
const WINDOW_SECONDS = 300;

/** @param search finds entries by words */
export function createDataCiteApi(
  works: readonly AgencyWork[],
  search: Search<Entry> = searchOf(works.filter(({ title }) => title !== null).map(entryOf)),
): AgencyApi {
  const byName = new Map(works.map((work) => [work.name.toLowerCase(), work]));
  return {
    name: 'datacite',
    limit: (_, headers) => ({
      pool: isIdentified(headers) ? 'identified' : 'anonymous',
      requests: isIdentified(headers) ? 1_000 : 500,
      seconds: WINDOW_SECONDS,
      concurrency: Number.POSITIVE_INFINITY,
      headers: {},
    }),
    read(target) {
      const { pathname, searchParams: query } = new URL(target, 'http://api.test');
      const names = (query.get('ids') ?? '').split(',').filter((name) => name !== '');
      const words = query.get('query');
      const fault = faultOf(pathname, words === null ? names : ['query'], query);
      const members = query.get('fields[dois]')?.split(',');
      return {
        kind: names.length === 1 ? 'single' : 'list',
        names,
        ...(words !== null && { words }),
        members: members ? new Set(members) : null,
        rows: Number(query.get('page[size]') ?? DEFAULT_ROWS),
        ...(fault !== null && { refusal: avoidable(refused(pathname === '/dois' ? 400 : 404, fault)) }),
      };
    },
    entries: ({ names, words, rows }) =>
      words !== undefined
        ? foundByAll(words, search, rows)
        : [...new Set(names.map((name) => name.toLowerCase()))].flatMap((name) => {
            const work = byName.get(name);
            return work && work.title !== null ? [entryOf(work)] : [];
          }),
    respond({ members, rows }, entries) {
      const data = entries.slice(0, rows).map((entry) => selectedOf(entry, members));
      const meta = { total: entries.length, totalPages: 1, page: 1 };
      return { status: 200, type: 'application/json; charset=utf-8', body: { data, meta } };
    },
    refusal: (name) => refused(400, name ?? 'Bad Request'),
    nameOf: ({ id }) => String(id),
    faulty(entry, fault, other) {
      const changed = (attributes: Entry) => ({
        ...entry,
        attributes: { ...attributesOf(entry), ...attributes },
      });
      if (fault === 'OTHER_NAME') return { ...changed({ doi: other }), id: other };
      if (fault === 'ABOUT_ANOTHER') return changed({ relatedIdentifiers: [obsoletes(other)] });
      if (fault === 'HIDDEN') return changed({ state: 'registered', titles: [{ title: 'A hidden work' }] });
      const copy = changed({ titles: [{ title: "Another agency's copy" }] });
      return { ...copy, relationships: { client: { data: null } } };
    },
  };
}

/** The entries that contain each word in quotation marks: the operator of the search is AND. */
function foundByAll(query: string, search: Search<Entry>, rows: number): Entry[] {
  const words = Array.from(query.matchAll(/"([^"]*)"/g), ([, word = '']) => word.toLowerCase());
  const contains = (entry: Entry) =>
    words.every((word) => JSON.stringify(entry).toLowerCase().includes(word));
  return search(words.join(' '), 100).filter(contains).slice(0, rows);
}

/** The fault of a request; null: the request is valid. */
function faultOf(path: string, names: readonly string[], query: URLSearchParams): string | null {
  // /dois/{doi} ignores `fields` and can take minutes.
  if (path !== '/dois') return `${path} must not be requested`;
  if (names.length === 0 || names.length > MAX_NAMES) return `${names.length} ids`;
  if (names.some((name) => /[^\x21-\x7e]/.test(name))) return 'an id with other characters';
  if (!/^\d{1,4}$/.test(query.get('page[size]') ?? String(DEFAULT_ROWS))) return 'page[size]';
  // Without these parameters, a publisher is a text, and the people have no affiliations.
  return query.get('publisher') === 'true' && query.get('affiliation') === 'true'
    ? null
    : 'publisher, affiliation';
}

function attributesOf({ attributes }: Entry): Entry {
  return attributes as Entry;
}

function entryOf({ name, number, title, cites = [] }: AgencyWork): Entry {
  return {
    id: name.toLowerCase(),
    type: 'dois',
    attributes: {
      doi: name.toLowerCase(),
      titles: [{ title }, { title: 'Another title', titleType: 'AlternativeTitle' }],
      creators: [
        { name: `Carberry ${number}, Josiah`, givenName: 'Josiah', familyName: `Carberry ${number}` },
      ],
      contributors: [],
      publisher: { name: 'Press' },
      publicationYear: 2020,
      types: { resourceTypeGeneral: 'Dataset', citeproc: 'dataset' },
      dates: [{ date: '2020-07-29', dateType: 'Issued' }],
      container: {},
      language: 'en',
      version: null,
      relatedIdentifiers: cites.map((cited) => ({
        ...{ relationType: 'References', relatedIdentifier: cited, relatedIdentifierType: 'DOI' },
      })),
      state: 'findable',
      url: `https://example.org/${number}`,
    },
    relationships: { client: { data: { id: 'press.repository', type: 'clients' } } },
  };
}

function obsoletes(name: string): Entry {
  return { relatedIdentifier: name, relatedIdentifierType: 'DOI', relationType: 'Obsoletes' };
}

/** `client` selects a relationship. Every other member selects an attribute. */
function selectedOf(entry: Entry, members: ReadonlySet<string> | null): Entry {
  const { relationships, ...others } = entry;
  const attributes = Object.entries(attributesOf(entry)).filter(([key]) => members?.has(key) ?? true);
  const related = (members?.has('client') ?? true) ? { relationships } : {};
  return { ...others, attributes: Object.fromEntries(attributes), ...related };
}

function refused(status: number, title: string): AgencyResponse {
  const body = { errors: [{ status: String(status), title }] };
  return { status, type: 'application/json; charset=utf-8', body };
}
